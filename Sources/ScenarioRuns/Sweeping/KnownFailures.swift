import Diagnostics
import ScenarioPlan
import Secrets
import TextSearch
import TraceRecording
import Values
import Verdicts
import World

/// The failures of sweeps that are known, as the lines of a file: the scenario, and the cause.
package struct KnownFailures: Sendable {
  /// A cause, as a line names it. It has no numbers of lines, so that it stays the same when a file
  /// changes above it.
  package struct Cause: Sendable, Equatable {
    fileprivate let text: String
    fileprivate let rule: DiagnosticID

    init(
      _ cause: SweepCause, of plan: ScenarioPlan, in sources: SourceMap, _ mask: SecretMask
    ) {
      rule = cause.rule
      let place = mask.masked(cause.place.map { sources.text(of: $0, in: plan) } ?? "")
      let value = cause.value.isEmpty ? "" : ": \(cause.value.inOneLine)"
      text = "\(cause.rule) at \(Value.string(place).json())\(value)"
    }
  }

  /// A scenario, or one row of its table, as a line names it.
  package struct Scenario: Sendable {
    fileprivate let title: String
    /// The beginning of its lines, such as `shop/orders.scenario.yaml::An order is placed`. The
    /// path is seen from the folder of the lines, so that both can move together.
    fileprivate let name: String

    /// - Parameters:
    ///   - title: The title of the scenario.
    ///   - row: The id of the row; nil without a table.
    ///   - file: The file of the scenario.
    ///   - lines: The file of the lines.
    package init(_ title: String, row: String?, in file: String, seenFrom lines: String) {
      self.title = title + (row.map { "::\($0)" } ?? "")
      let folder = lines.split(separator: "/", omittingEmptySubsequences: false).dropLast()
      name = "\(path(file, from: folder.joined(separator: "/")))::\(self.title)"
    }
  }

  private var lines: [String]

  /// Reads the text of a file.
  package init(_ text: String) { lines = text.split(separator: "\n").map { String($0) } }

  /// The text of the file.
  package var text: String { lines.map { $0 + "\n" }.joined() }

  /// True if lines name courses and no causes, as those of older versions do. They cannot say what
  /// came, so that a worse failure of the same course is known as well.
  package var isOld: Bool { lines.contains { KnownFailures.course(of: $0) != nil } }

  /// Returns the failures of a scenario that are not known. Lines of older files name no file of a
  /// scenario: they count for each with their title. Others name a course, and no cause.
  package func newGroups(_ groups: [SweepGroup], of scenario: Scenario) -> [SweepGroup] {
    let known = Set(lines)
    return groups.filter { group in
      !group.causes.contains { known.contains("\(scenario.name): \($0.text)") }
        && !courseLines(of: group, scenario).contains(where: known.contains)
    }
  }

  private func courseLines(of group: SweepGroup, _ scenario: Scenario) -> [String] {
    [scenario.name, scenario.title].flatMap { name in
      group.courses.map { "\(name): \(group.diagnostic.id): \($0.name)" }
    }
  }

  /// Adds the failures of a scenario.
  package mutating func add(_ groups: [SweepGroup], of scenario: Scenario) {
    for cause in groups.flatMap(\.causes) {
      let line = "\(scenario.name): \(cause.text)"
      if !lines.contains(line) { lines.append(line) }
    }
  }

  /// Returns the lines with other failures of a scenario, and those of the others unchanged.
  package func replacing(_ scenario: Scenario, with groups: [SweepGroup]) -> KnownFailures {
    var failures = self
    failures.lines.removeAll { line in
      [scenario.name, scenario.title].contains { KnownFailures.line(line, isOf: $0) }
    }
    failures.add(groups, of: scenario)
    return failures
  }

  /// Returns whether a line is about a scenario. Its title may have colons, which an id has not.
  private static func line(_ line: String, isOf name: String) -> Bool {
    guard line.hasPrefix("\(name): ") else { return false }
    let rest = line.dropFirst(name.count + 2).drop { $0 == "-" || $0.isLetter && $0.isASCII }
    return rest.hasPrefix(" at \"") || rest.hasPrefix(": ") && course(of: line) != nil
  }

  /// The course that a line of an older file ends with.
  private static func course(of line: String) -> [Disturbance]? {
    guard let words = line.pieces(separatedBy: ": ").dropFirst().last else { return nil }
    let names = words.pieces(separatedBy: ", then ").filter { !$0.isEmpty }
    let disturbances = names.compactMap { Disturbance(name: $0) }
    return names.isEmpty || disturbances.count < names.count ? nil : disturbances
  }
}

extension String {
  fileprivate var inOneLine: String { split(whereSeparator: \.isNewline).joined(separator: " ") }
}

extension SourceMap {
  /// Returns the text at a place of a scenario. A text that the scenario has several times gets the
  /// number of its turn, so that another condition with the same text is another place.
  fileprivate func text(of range: SourceRange, in plan: ScenarioPlan) -> String {
    guard let file = file(of: range) else { return "" }
    let bytes = file.bytes[Int(range.start)..<Int(range.end)]
    let text = String(decoding: bytes, as: UTF8.self).inOneLine
    guard range.file == plan.extent.file, plan.extent.start <= range.start else { return text }
    let before = String(
      decoding: file.bytes[Int(plan.extent.start)..<Int(range.start)], as: UTF8.self)
    let turn = before.pieces(separatedBy: String(decoding: bytes, as: UTF8.self)).count - 1
    return turn == 0 ? text : "\(text) (\(turn + 1))"
  }
}

extension Diagnostic {
  /// Returns the warning about a file whose lines name courses.
  package static func oldBaseline(_ path: String) -> Diagnostic {
    Diagnostic(
      "old-baseline", severity: .warning,
      "`\(path)` was written by an older version, which knew courses and no causes",
      help: "`--baseline \(path) --update` writes it again, with the values that are accepted")
  }
}
