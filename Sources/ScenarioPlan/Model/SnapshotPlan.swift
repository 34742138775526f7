import Diagnostics
import ScenarioSpec
import Values

/// A value that is compared with what was recorded of it.
package struct SnapshotPlan: Sendable {
  package enum Content: Sendable {
    case value(ExpressionPlan)
    /// The values of these addresses, in document order.
    case stage([(address: String, slot: SlotID)])
  }

  /// The name as written, and its place.
  package var name: Located<String>
  package var content: Content

  /// The name of its file, without row and turn.
  package var word: String { fileWord(name.value) }
}

/// The recorded snapshots of a scenario: the files of one folder, as they were when it was loaded.
package struct SnapshotFiles: Sendable {
  package enum Content: Sendable {
    case value(Value)
    /// The file is there and holds no value.
    case unreadable(String)
  }

  /// Beside the scenario's file: `__snapshots__/FILE.TITLE`.
  package var folder = ""
  package var contents: [String: Content] = [:]

  package init() {}
}

/// Returns the name of a snapshot's file: `name.json`, `name.row.json`, `name.row.turn-2-1.json`.
package func snapshotFile(_ word: String, row: String?, turns: [Int]) -> String {
  let turn = turns.isEmpty ? nil : "turn-" + turns.map(String.init).joined(separator: "-")
  return [word, row, turn].compactMap { $0 }.joined(separator: ".") + ".json"
}

extension PlanCompiler {
  func compileSnapshot(
    _ name: Located<String>, _ value: ExpressionText?, of step: StepSpec
  ) -> AssertionID? {
    let word = fileWord(name.value)
    if let first = scriptNames.addSnapshot(word, at: name.range) {
      report(.snapshotNamedTwice(name, first: first))
    }
    guard let value else {
      let stage = plan.nodes.indices.map { (plan.nodes[$0].name, slot(.node($0))) }
      return addAssertion(
        .snapshot(SnapshotPlan(name: name, content: .stage(stage))), within: nil, of: step)
    }
    guard let expression = compile(value) else { return nil }
    return addAssertion(
      .snapshot(SnapshotPlan(name: name, content: .value(expression))), within: nil, of: step)
  }
}

extension Diagnostic {
  static func snapshotNamedTwice(_ name: Located<String>, first: SourceRange) -> Diagnostic {
    Diagnostic(
      "snapshot-named-twice", "two snapshots of a scenario cannot share a file",
      labels: [
        .init(name.range, "kept in `\(fileWord(name.value)).json`"), .init(first, "as this one is"),
      ], help: "give each its own name; rows and turns of loops have separate snapshots already")
  }
}
