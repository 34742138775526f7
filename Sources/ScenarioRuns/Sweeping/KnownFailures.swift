import TextSearch
import TraceRecording

/// The failures of sweeps that are known, as the lines of a file: the scenario, the rule, and the
/// shortest course that fails so.
package struct KnownFailures: Sendable {
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

  /// Returns the failures of a scenario that are not known. Lines of older files name no file of a
  /// scenario: they count for each with their title.
  package func newGroups(_ groups: [SweepGroup], of scenario: Scenario) -> [SweepGroup] {
    let known = Set(lines)
    return groups.filter { group in
      [scenario.name, scenario.title].allSatisfy {
        !known.contains(KnownFailures.line(of: group, $0))
      }
    }
  }

  /// Adds the failures of a scenario.
  package mutating func add(_ groups: [SweepGroup], of scenario: Scenario) {
    lines += groups.map { KnownFailures.line(of: $0, scenario.name) }
  }

  /// Returns the lines with other failures of a scenario, and those of the others unchanged.
  package func replacing(_ scenario: Scenario, with groups: [SweepGroup]) -> KnownFailures {
    var failures = self
    failures.lines.removeAll {
      [scenario.name, scenario.title].contains(String(KnownFailures.scenario(of: $0)))
    }
    failures.add(groups, of: scenario)
    return failures
  }

  private static func line(of group: SweepGroup, _ scenario: String) -> String {
    "\(scenario): \(group.diagnostic.id): \(group.shortest.name)"
  }

  /// The scenario of a line. Its title may have colons, which an id and a course do not have.
  private static func scenario(of line: String) -> Substring {
    var rest = line[...]
    for _ in 0..<2 {
      guard let colon = rest.lastIndex(of: ":") else { return rest }
      rest = rest[..<colon]
    }
    return rest
  }
}
