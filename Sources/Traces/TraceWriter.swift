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
  private var isVirtual = false

  package init() {}

  /// Writes the header, and begins a trace with it.
  package mutating func write(_ header: TraceHeader) -> Output {
    self.header = header
    isVirtual = header.isVirtual == true
    hash = SHA256()
    var bytes: [UInt8] = []
    for member in TraceHeaderMember.allCases {
      guard let json = header.json(of: member) else { continue }
      bytes.append(name: member.rawValue)
      json.appendJSON(to: &bytes, sortedKeys: true)
    }
    bytes.append(others: header.others)
    bytes.endLine()
    return Output(bytes: bytes)
  }

  /// Writes a line. A `verdict` is the last one and gets the hash of all lines that are compared.
  ///
  /// - Parameter splits: False if large values stay in their lines.
  package mutating func write(_ line: TraceLine, splits: Bool = true) -> Output {
    var output = Output(bytes: [])
    output.bodies = append(line, to: &output.bytes, splits: splits)
    return output
  }

  /// Appends a line with its end to bytes. Returns the bodies that have files of their own.
  package mutating func append(
    _ line: TraceLine, to bytes: inout [UInt8], splits: Bool = true
  ) -> [TraceBody] {
    var bodies: [TraceBody] = []
    guard splits, line.hasLargeParts else {
      append(line, to: &bytes)
      return bodies
    }
    var line = line
    line.value = line.value?.split(into: &bodies)
    line.text = line.text?.split(into: &bodies)
    append(line, to: &bytes)
    return bodies
  }

  private mutating func append(_ line: TraceLine, to bytes: inout [UInt8]) {
    let isCompared = line.isCompared(in: header)
    for member in TraceMember.allCases {
      if member == .hash, line.knownKind == .verdict, line.hash == nil {
        bytes.append(name: member.rawValue)
        bytes.appendJSON(text: hash.digest())
        continue
      }
      let start = bytes.count
      let value = line.append(member, to: &bytes)
      if isCompared, isHashed(member) { addToHash(bytes[(value ?? start)...]) }
    }
    bytes.append(others: line.others)
    bytes.endLine()
  }

  /// Whether a member of a compared line counts. Times of a run in real time are never the same.
  private func isHashed(_ member: TraceMember) -> Bool {
    switch member {
    case .us: isVirtual
    case .kind, .source, .value, .text, .from: true
    case .n, .time, .cause, .connection, .own, .seen, .at, .run, .settled, .hash: false
    }
  }

  private mutating func addToHash(_ json: ArraySlice<UInt8>) {
    hash.append(json)
    hash.append(UInt8(ascii: ","))
  }
}

extension TraceLine {
  /// Appends a member with its name, and returns where its value begins; nil if the line does not
  /// have it.
  fileprivate func append(_ member: TraceMember, to bytes: inout [UInt8]) -> Int? {
    switch member {
    case .n: number.map { bytes.append(member, $0) }
    case .us: time.map { bytes.append(member, Int($0)) }
    case .cause: cause.map { bytes.append(member, $0) }
    case .connection: connection.map { bytes.append(member, $0) }
    case .seen: seen.map { bytes.append(member, $0) }
    case .run: run.map { bytes.append(member, $0) }
    case .kind: writtenKind.map { bytes.append(member, $0.name) }
    case .source: source.map { bytes.append(member, $0) }
    case .from: from.map { bytes.append(member, $0.rawValue) }
    case .at: at.map { bytes.append(member, $0) }
    case .hash: hash.map { bytes.append(member, $0) }
    case .value: value.map { bytes.append(member, $0.json) }
    case .text: text.map { bytes.append(member, $0.json) }
    case .time: timestamp.map { bytes.append(member, $0.text) }
    case .own: isOwn ? bytes.append(member, .bool(true)) : nil
    case .settled: isSettled ? bytes.append(member, .bool(true)) : nil
    }
  }

  /// True if the value or the text has a part that has a file of its own.
  fileprivate var hasLargeParts: Bool {
    value.map { $0.mayBeLarge } ?? false || text.map { $0.mayBeLarge } ?? false
  }
}

extension [UInt8] {
  fileprivate mutating func append(_ member: TraceMember, _ number: Int) -> Int {
    append(name: member.rawValue)
    let start = count
    appendDecimal(number)
    return start
  }

  fileprivate mutating func append(_ member: TraceMember, _ text: String) -> Int {
    append(name: member.rawValue)
    let start = count
    appendJSON(text: text)
    return start
  }

  fileprivate mutating func append(_ member: TraceMember, _ json: Value) -> Int {
    append(name: member.rawValue)
    let start = count
    json.appendJSON(to: &self, sortedKeys: true)
    return start
  }

  /// Appends the name of a member, which needs no escapes, with what separates it from the one
  /// before.
  fileprivate mutating func append(name: String) {
    var name = name
    append(isEmpty || last == UInt8(ascii: "\n") ? UInt8(ascii: "{") : UInt8(ascii: ","))
    append(UInt8(ascii: "\""))
    name.withUTF8 { append(contentsOf: $0) }
    append(UInt8(ascii: "\""))
    append(UInt8(ascii: ":"))
  }

  fileprivate mutating func append(others: ValueMap) {
    for (key, value) in others {
      append(UInt8(ascii: isEmpty || last == UInt8(ascii: "\n") ? "{" : ","))
      appendJSON(text: key.plainText)
      append(UInt8(ascii: ":"))
      value.appendJSON(to: &self, sortedKeys: true)
    }
  }

  fileprivate mutating func endLine() {
    if isEmpty || last == UInt8(ascii: "\n") { append(UInt8(ascii: "{")) }
    append(contentsOf: "}\n".utf8)
  }
}

extension TraceLine {
  /// Returns whether a replay compares this line: always, or if the running side sent it.
  package func isCompared(in header: TraceHeader) -> Bool {
    switch knownKind?.comparison {
    case .always?: true
    case .never?, nil: false
    case .bySender?: isOwn || source.flatMap { header.side(of: $0) } == (from ?? .client)
    }
  }

  /// Returns whether a replay gives this line to the running side.
  package func isInput(in header: TraceHeader) -> Bool {
    guard knownKind?.comparison == .bySender, !isOwn, let source, let side = header.side(of: source)
    else { return false }
    return from == side.peer
  }
}
