/// The failures of sweeps that are known, as the lines of a file: the scenario, the rule, and the
/// shortest course that fails so.
package struct KnownFailures: Sendable {
  private var lines: [String]

  /// Reads the text of a file.
  package init(_ text: String) { lines = text.split(separator: "\n").map { String($0) } }

  /// The text of the file.
  package var text: String { lines.map { $0 + "\n" }.joined() }

  /// Returns the failures of a scenario that are not known.
  package func newGroups(_ groups: [SweepGroup], of scenario: String) -> [SweepGroup] {
    let known = Set(lines)
    return groups.filter { !known.contains(KnownFailures.line(of: $0, scenario)) }
  }

  /// Adds the failures of a scenario.
  package mutating func add(_ groups: [SweepGroup], of scenario: String) {
    lines += groups.map { KnownFailures.line(of: $0, scenario) }
  }

  /// Returns the lines with other failures of a scenario, and those of the others unchanged.
  package func replacing(_ scenario: String, with groups: [SweepGroup]) -> KnownFailures {
    var failures = self
    failures.lines.removeAll { KnownFailures.scenario(of: $0) == scenario }
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
