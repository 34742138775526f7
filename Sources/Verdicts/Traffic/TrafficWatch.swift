import Diagnostics
import Events

/// All rules, applied to one recording.
package struct TrafficWatch: Sendable {
  /// A finding with its rule.
  package struct Found: Sendable {
    package var rule: TrafficRule
    package var finding: RuleFinding
  }

  /// How often a rule was exercised and broken.
  package struct Count: Sendable, Equatable {
    package var rule: DiagnosticID
    package var exercised = 0
    package var found = 0
  }

  private let rules: [TrafficRule]
  private var machines: [any TrafficMachine]
  private let end: RecordingEnd
  /// The side that is judged; nil for both.
  private let side: Traffic.Side?
  /// The findings in the order of the lines that ended their proof; of each rule, the first.
  package private(set) var found: [Found] = []
  private var counts: [Int]

  /// The most findings of a rule that are kept.
  package static let mostFindings = 20

  /// - Parameters:
  ///   - side: The side that is judged, with the rules that it may break; nil for both.
  ///   - declared: The pauses that clients have declared.
  ///   - missing: What is not there. A rule that needs it would cost each line and find nothing.
  package init(
    _ end: RecordingEnd, judging side: Traffic.Side? = nil, declared: [DeclaredPause] = [],
    without missing: [TrafficRule.Condition] = []
  ) {
    rules = TrafficRule.table.filter { rule in
      rule.isFor(side) && !missing.contains { $0 == rule.needs }
    }
    self.end = end
    self.side = side
    machines = rules.map { $0.makeMachine(declared) }
    counts = rules.map { _ in 0 }
  }

  /// Takes the next line of the recording.
  package mutating func observe(_ line: ExchangeLine) {
    for index in machines.indices { add(machines[index].observe(line, end), of: index) }
  }

  /// Ends the recording.
  package mutating func finish() {
    for index in machines.indices { add(machines[index].finish(end), of: index) }
  }

  /// Of each rule, how often it was exercised and broken.
  package var tally: [Count] {
    rules.indices.map {
      Count(
        rule: rules[$0].id, exercised: machines[$0].exercised.count(of: side), found: counts[$0])
    }
  }

  /// The findings as diagnostics. Of a rule that is broken very often, the last says how often.
  package var diagnostics: [Diagnostic] {
    var diagnostics = found.map { $0.finding.diagnostic(of: $0.rule) }
    for (rule, count) in zip(rules, counts) where count > TrafficWatch.mostFindings {
      guard let last = diagnostics.lastIndex(where: { $0.id == rule.id }) else { continue }
      diagnostics[last].notes.append(
        .init("note", "and \(count - TrafficWatch.mostFindings) more of this rule"))
    }
    return diagnostics
  }

  private mutating func add(_ findings: [RuleFinding], of index: Int) {
    for finding in findings where side == nil || finding.party == side {
      counts[index] += 1
      guard counts[index] <= TrafficWatch.mostFindings else { continue }
      found.append(Found(rule: rules[index], finding: finding))
    }
  }
}
