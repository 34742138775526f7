import Diagnostics

/// How often a rule was exercised, and how often it was broken.
package struct RuleTally: Sendable, Equatable {
  package var rule: String
  package var exercised: Int
  package var broken: Int

  package init(_ rule: String, exercised: Int, broken: Int) {
    self.rule = rule
    self.exercised = exercised
    self.broken = broken
  }
}

extension [RuleTally] {
  /// Adds the numbers of another run, rule by rule.
  package mutating func add(_ others: [RuleTally]) {
    for other in others {
      if let index = firstIndex(where: { $0.rule == other.rule }) {
        self[index].exercised += other.exercised
        self[index].broken += other.broken
      } else {
        append(other)
      }
    }
  }
}

/// Returns the table of rules for people: what each has been applied to, and what it found.
package func humanRules(_ rules: [RuleTally]) -> String {
  guard !rules.isEmpty else { return "" }
  let rows =
    [("rule", "exercised", "broken")] + rules.map { ($0.rule, "\($0.exercised)", "\($0.broken)") }
  let width = rows.map(\.0.count).max() ?? 0
  return rows.map { row in
    row.0 + spaces(width + 1 - row.0.count) + spaces(10 - row.1.count) + row.1
      + spaces(8 - row.2.count) + row.2 + "\n"
  }.joined()
}

private func spaces(_ count: Int) -> String { String(repeating: " ", count: Swift.max(1, count)) }

extension JSONWriter {
  mutating func addRules(_ rules: [RuleTally]) {
    guard !rules.isEmpty else { return }
    member("rules", listOf: rules, .lines) { writer, tally in
      writer.object {
        $0.member("rule", tally.rule)
        $0.member("exercised", tally.exercised)
        $0.member("broken", tally.broken)
      }
    }
  }
}
