import Diagnostics
import Traces

extension StrayLines {
  /// The warnings about the lines, each with their number. `file` is the trace.
  package func warnings(in file: Int32) -> [Diagnostic] {
    (unknownKinds.isEmpty ? [] : [.unknownKinds(unknownKinds, in: file)])
      + (withoutSource.map { [.withoutSource($0, in: file)] } ?? [])
      + (unknownMembers.isEmpty ? [] : [.unknownMembers(unknownMembers, in: file)])
  }
}

/// The most names that a warning lists.
private let mostNamesListed = 10

extension Diagnostic {
  fileprivate static func unknownKinds(
    _ groups: [StrayLines.Group], in file: Int32
  ) -> Diagnostic {
    let nearest = groups.lazy.compactMap { group in
      nearestKind(to: group.name.lowercased()).map { (group.name, $0) }
    }.first
    return Diagnostic(
      "unknown-kind", severity: .warning,
      "\(lines(groups, "a kind", "kinds")) that \(groups.count == 1 ? "is" : "are") not known: "
        + listed(groups),
      labels: [.init(groups[0].first.range(in: file), "is ignored")],
      help: nearest.map { "write `\($1)` if `\(visibleText($0))` means that" }
        ?? "an event has the kind `emitted`, or none; a program's own word may stand under `value`")
  }

  fileprivate static func withoutSource(
    _ group: StrayLines.Group, in file: Int32
  ) -> Diagnostic {
    let isOne = group.count == 1
    let count = isOne ? "1 event has" : "\(group.count) events have"
    let nearest = group.name.isEmpty ? nil : nearestMember(to: group.name)?.rawValue
    return Diagnostic(
      "line-without-source", severity: .warning,
      "\(count) no `source`, so nothing reads \(isOne ? "it" : "them")",
      labels: [.init(group.first.range(in: file), "is ignored")],
      help: nearest.map { "write `\($0)` for `\(visibleText(group.name))`" }
        ?? "write the name of what emitted under `source`")
  }

  fileprivate static func unknownMembers(
    _ groups: [StrayLines.Group], in file: Int32
  ) -> Diagnostic {
    let first = groups[0]
    let meant = nearestMember(to: first.name)?.rawValue ?? "value"
    return Diagnostic(
      "unknown-member", severity: .warning,
      "\(lines(groups, "a member", "members")) that \(groups.count == 1 ? "is" : "are") not known: "
        + listed(groups),
      labels: [.init(first.first.range(in: file), "has no `\(meant)`")],
      help: "write `\(meant)` for `\(visibleText(first.name))`, or another name that is not so near"
    )
  }

  /// Returns the kind that a name begins, or that is nearly called so.
  private static func nearestKind(to name: String) -> String? {
    let known = TraceKind.allCases.map(\.rawValue)
    return known.first { name.utf8.count >= 3 && ($0.hasPrefix(name) || name.hasPrefix($0)) }
      ?? nearestName(to: name, among: known)
  }

  private static func lines(_ groups: [StrayLines.Group], _ one: String, _ many: String) -> String {
    let count = groups.reduce(0) { $0 + $1.count }
    return (count == 1 ? "1 line has " : "\(count) lines have ") + (groups.count == 1 ? one : many)
  }

  private static func listed(_ groups: [StrayLines.Group]) -> String {
    let names = groups.prefix(mostNamesListed).map { "`\(visibleText($0.name))` (\($0.count))" }
    return names.joined(separator: ", ") + (groups.count > mostNamesListed ? ", …" : "")
  }
}
