import Values

/// The writer of a trace: values in, bytes out. Equal traces give equal bytes.
package struct TraceWriter: Sendable {
  /// The bytes of a line with its end, and the bodies that have files of their own.
  package struct Output: Sendable, Equatable {
    package var bytes: [UInt8]
    package var bodies: [TraceBody] = []
  }

  private var hash = SHA256()
  private var header = TraceHeader()

  package init() {}

  /// Writes the header, and begins a trace with it.
  package mutating func write(_ header: TraceHeader) -> Output {
    self.header = header
    hash = SHA256()
    var members: [(String, Value)] = TraceHeaderMember.allCases.compactMap { member in
      header.json(of: member).map { (member.rawValue, $0) }
    }
    members += header.others.map { ($0.key.plainText, $0.value) }
    return Output(bytes: bytes(of: members))
  }

  /// Writes a line. A `verdict` is the last one and gets the hash of all lines that are compared.
  ///
  /// - Parameter splits: False if large values stay in their lines.
  package mutating func write(_ line: TraceLine, splits: Bool = true) -> Output {
    var line = line
    var bodies: [TraceBody] = []
    if splits {
      line.value = line.value?.split(into: &bodies)
      line.text = line.text?.split(into: &bodies)
    }
    addToHash(line)
    if line.knownKind == .verdict, line.hash == nil { line.hash = hash.digest() }
    var members: [(String, Value)] = TraceMember.allCases.compactMap { member in
      line.json(of: member).map { (member.rawValue, $0) }
    }
    members += line.others.map { ($0.key.plainText, $0.value) }
    return Output(bytes: bytes(of: members), bodies: bodies)
  }

  private func bytes(of members: [(name: String, json: Value)]) -> [UInt8] {
    var bytes: [UInt8] = [UInt8(ascii: "{")]
    for (index, member) in members.enumerated() {
      if index > 0 { bytes.append(UInt8(ascii: ",")) }
      bytes.appendJSON(text: member.name)
      bytes.append(UInt8(ascii: ":"))
      member.json.appendJSON(to: &bytes, sortedKeys: true)
    }
    return bytes + Array("}\n".utf8)
  }

  private mutating func addToHash(_ line: TraceLine) {
    guard line.isCompared(in: header) else { return }
    var bytes: [UInt8] = []
    for member in [TraceMember.us, .kind, .source, .value, .text, .from] {
      // The times of a run in real time are never the same.
      if member == .us, header.isVirtual != true { continue }
      line.json(of: member)?.appendJSON(to: &bytes, sortedKeys: true)
      bytes.append(UInt8(ascii: ","))
    }
    hash.append(bytes)
  }
}

extension TraceLine {
  /// Returns whether a replay compares this line: always, or if the running side sent it.
  package func isCompared(in header: TraceHeader) -> Bool {
    guard let entry = knownKind?.entry else { return false }
    switch entry.comparison {
    case .always: return true
    case .never: return false
    case .bySender: return source.flatMap { header.side(of: $0) } == (from ?? .client)
    }
  }

  /// Returns whether a replay gives this line to the running side.
  package func isInput(in header: TraceHeader) -> Bool {
    guard knownKind?.entry.comparison == .bySender, let source, let side = header.side(of: source)
    else { return false }
    return from == side.peer
  }
}
