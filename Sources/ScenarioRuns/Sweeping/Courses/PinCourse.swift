import Diagnostics
import ScenarioPlan
import Values
import YAMLSyntax

/// A course that is written as a scenario of its own, which always takes it.
package struct PinnedCourse {
  let plan: ScenarioPlan
  let course: SweepCourse
  /// The row of the table that the course belongs to.
  let row: RowPlan?
  /// The seed of the run, if the scenario itself would have another.
  let seed: Int?
  /// True if another run may not come to the same place.
  let isRandom: Bool

  /// Creates the pin of a course.
  ///
  /// - Parameters:
  ///   - plan: The scenario.
  ///   - course: What goes wrong.
  ///   - row: The row of its table; nil without one.
  ///   - seed: The seed of the command line; nil without one.
  ///   - isRandom: True if another run may not come to the same place.
  package init(
    _ plan: ScenarioPlan, _ course: SweepCourse, row: RowPlan? = nil, seed: Int? = nil,
    isRandom: Bool = false
  ) {
    self.isRandom = isRandom
    self.plan = plan
    self.course = course
    self.row = row
    self.seed = seed
  }

  /// The reason why the course cannot be pinned; nil if it can.
  package var obstacle: String? {
    if seed != nil, plan.seed != nil { return "the scenario has a `seed` of its own" }
    guard row != nil, plan.columns.contains(where: \.isSecret) else { return nil }
    return "its row has secrets, which no file should hold"
  }
}

extension PinnedCourse {
  /// Returns the text of the scenario: its own text with `disturb` right behind its title, and a
  /// comment that says why it is there. A table keeps the one row.
  ///
  /// - Parameters:
  ///   - file: The file that has the scenario.
  ///   - cause: What is wrong after the disturbances.
  package func text(in file: SourceFile, because cause: String) -> String {
    let start = Int(plan.extent.start)
    var text = Array(file.bytes[start..<Int(plan.extent.end)])
    if let row, let table = table(in: file) {
      let place = (table.lowerBound - start)..<(table.upperBound - start)
      text.replaceSubrange(place, with: Array(oneRow(row).utf8))
    }
    let title = Int(plan.range.end) - start
    let end = text[title...].firstIndex(of: UInt8(ascii: "\n")) ?? text.count
    let head = String(decoding: text[..<end], as: UTF8.self)
    let rest = String(decoding: text[min(end + 1, text.count)...], as: UTF8.self)
    let pinned = "\(head)\n\(ownLines(because: cause))\(rest)"
    return modeline(of: file) + pinned + (pinned.hasSuffix("\n") ? "" : "\n")
  }

  private func ownLines(because cause: String) -> String {
    let names = course.disturbances.map { "  - \"\($0)\"\n" }.joined()
    let reason = cause.split(separator: "\n").map { "# \($0)\n" }.joined()
    let seed = seed.map { "seed: \($0)\n" } ?? ""
    let random = isRandom ? "# Random: a program may act otherwise in another run.\n" : ""
    return "# Pinned by `rehearse sweep`:\n\(reason)\(random)disturb:\n\(names)\(seed)"
  }

  /// The place of `cases` in the file, with its key.
  private func table(in file: SourceFile) -> Range<Int>? {
    let extent = Int(plan.extent.start)..<Int(plan.extent.end)
    let roots = parseYAML(file, index: plan.range.file).value.map(\.root)
    for root in roots {
      guard let cases = root.entry("cases"), extent.contains(Int(cases.keyRange.start)) else {
        continue
      }
      return Int(cases.keyRange.start)..<Int(cases.value.range.end)
    }
    return nil
  }

  private func oneRow(_ row: RowPlan) -> String {
    var columns = ValueMap()
    for (id, column) in plan.columns.withIDs where !column.isSpelling {
      columns[column.name] = row.values[id]
    }
    return "cases:\n  - \(Value.map(columns).json())\n"
  }
}

/// The first line of a file, if it names the schema of the language.
private func modeline(of file: SourceFile) -> String {
  let first = file.bytes.prefix { $0 != UInt8(ascii: "\n") }
  let line = String(decoding: first, as: UTF8.self)
  return line.hasPrefix("# yaml-language-server:") ? line + "\n" : ""
}

/// Returns the path of the first pinned scenario beside a file that does not exist yet:
/// `orders.pinned-1.scenario.yaml` beside `orders.scenario.yaml`.
package func pinnedPath(beside path: String, exists: (String) -> Bool) -> String {
  let stem = path == standardInputPath ? "stdin" : pathWithoutSuffix(path)
  let paths = (1...).lazy.map { "\(stem).pinned-\($0).scenario.yaml" }
  return paths.first { !exists($0) } ?? path
}
