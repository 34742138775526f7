import Diagnostics

/// The lines of a trace that nothing can read, because a word in them is unknown or missing.
package struct StrayLines: Sendable {
  /// Lines that are alike: how many there are, and where the first is.
  package struct Group: Sendable {
    package var name: String
    package var count = 0
    package var first: TracePlace
  }

  /// Those of each kind that this version does not know, in the order of their first lines.
  package private(set) var unknownKinds: [Group] = []
  /// Events without a source. The name is a member that may be meant as the source, or empty.
  package private(set) var withoutSource: Group?
  /// Those with a member that is nearly called like one that they lack, by that member.
  package private(set) var unknownMembers: [Group] = []

  /// The most names that are counted apart. What has more is no mistake in a word.
  private static let mostNames = 1_000

  package init() {}

  package mutating func note(_ entry: TraceReader.Entry) {
    guard let kind = entry.line.knownKind else {
      return StrayLines.count(entry.line.kind.name, at: entry.place, in: &unknownKinds)
    }
    let isEvent = kind == .emitted || kind == .finished
    let nearly = entry.line.others.isEmpty ? nil : entry.line.misspelledMember
    if isEvent, entry.line.source == nil {
      withoutSource = withoutSource ?? Group(name: nearly?.name ?? "", first: entry.place)
      withoutSource?.count += 1
    } else if let nearly {
      StrayLines.count(nearly.name, at: entry.place, in: &unknownMembers)
    }
  }

  private static func count(_ name: String, at place: TracePlace, in groups: inout [Group]) {
    let index = groups.firstIndex { $0.name == name }
    if index == nil, groups.count < mostNames { groups.append(Group(name: name, first: place)) }
    groups[index ?? groups.count - 1].count += 1
  }
}

extension TraceRun {
  /// The stray lines, found without reading any other.
  package var strayLines: StrayLines {
    var stray = StrayLines()
    for index in entries.indices {
      switch entries.kind(of: index) {
      case nil: stray.note(entries[index])
      case .emitted?, .finished?:
        if entries.source(of: index) == nil { stray.note(entries[index]) }
      case .some: break
      }
    }
    return stray
  }
}

extension TraceLine {
  /// The member that is nearly called like one that the line lacks.
  fileprivate var misspelledMember: (name: String, meant: TraceMember)? {
    for case .string(let name) in others.keys {
      if let meant = nearestMember(to: name), json(of: meant) == nil { return (name, meant) }
    }
    return nil
  }
}

/// Returns the member of a line that an unknown one is nearly called like.
package func nearestMember(to name: String) -> TraceMember? {
  let members: [TraceMember] = [.kind, .source, .value]
  let name = name.lowercased()
  return members.first { $0.rawValue == name }
    ?? nearestName(to: name, among: members.map(\.rawValue)).flatMap { TraceMember(rawValue: $0) }
}
