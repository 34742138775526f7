import Values

/// The JSON object of one line, and where its members stand.
struct TraceObject {
  var map: ValueMap
  var bytes: [UInt8]
  var place: TracePlace
}

/// Reads a line as a JSON object.
func readTraceObject(_ line: [UInt8], at place: TracePlace) -> Result<TraceObject, TraceProblem> {
  var bytes = line
  if place.line == 1, bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes.removeFirst(3) }
  switch parseJSON(bytes, refusingDuplicateKeys: true) {
  case .failure(let problem):
    return .failure(TraceProblem(.notJSON(problem.message), place.moved(by: problem.offset)))
  case .success(.map(let map)):
    return .success(TraceObject(map: map, bytes: bytes, place: place))
  case .success: return .failure(TraceProblem(.notObject, place))
  }
}

extension TraceObject {
  func header() -> Result<TraceHeader, TraceProblem> {
    var header = TraceHeader()
    // Another version may have other members, so its number is read before them.
    if case .int(let version)? = map[TraceHeaderMember.trace.rawValue],
      version != TraceHeader.currentVersion
    {
      return .failure(problem(.unknownVersion(version), at: TraceHeaderMember.trace.rawValue))
    }
    for (key, json) in map {
      guard let member = TraceHeaderMember(rawValue: key.plainText) else {
        header.others[key] = json
        continue
      }
      guard header.set(member, json) else {
        return .failure(problem(.badHeaderMember(member), at: key.plainText))
      }
    }
    return .success(header)
  }

  func line() -> Result<TraceLine, TraceProblem> {
    var line = TraceLine()
    for (key, json) in map {
      guard let member = TraceObject.member(key) else {
        line.others[key] = json
        continue
      }
      guard line.set(member, json) else {
        return .failure(problem(.badMember(member), at: key.plainText))
      }
    }
    return .success(line)
  }

  /// The members by name. Comparing with one name after the other takes longer.
  private static let members = Dictionary(
    uniqueKeysWithValues: TraceMember.allCases.map { ($0.rawValue, $0) })

  private static func member(_ key: Value) -> TraceMember? {
    if case .string(let name) = key { members[name] } else { nil }
  }

  /// Returns a mistake in the value of a member, with its place.
  func problem(_ kind: TraceProblem.Kind, at member: String) -> TraceProblem {
    TraceProblem(kind, place.moved(by: offset(ofValueUnder: member)))
  }

  /// Returns how many bytes stand before a member's value.
  private func offset(ofValueUnder member: String) -> Int {
    var depth = 0
    var index = 0
    while index < bytes.count {
      switch bytes[index] {
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
      case UInt8(ascii: "\""):
        let end = endOfText(from: index)
        if depth == 1, isKey(index..<end, member) { return afterColon(end) }
        index = end - 1
      default: break
      }
      index += 1
    }
    return 0
  }

  private func endOfText(from start: Int) -> Int {
    var index = start + 1
    while index < bytes.count, bytes[index] != UInt8(ascii: "\"") {
      index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1
    }
    return min(index + 1, bytes.count)
  }

  private func isKey(_ range: Range<Int>, _ name: String) -> Bool {
    guard case .success(.string(name)) = parseJSON(bytes[range]) else { return false }
    let next = bytes[range.upperBound...].first { $0 != 0x20 && $0 != 0x09 }
    return next == UInt8(ascii: ":")
  }

  private func afterColon(_ end: Int) -> Int {
    let blanks: Set<UInt8> = [0x20, 0x09, UInt8(ascii: ":")]
    return bytes[end...].firstIndex { !blanks.contains($0) } ?? end
  }
}
