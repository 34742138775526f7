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
  /// The members of the line that are compared, each with a comma behind it.
  private var compared: [UInt8] = []

  package init() {}

  /// Writes the header, and begins a trace with it.
  package mutating func write(_ header: TraceHeader) -> Output {
    self.header = header
    isVirtual = header.isVirtual == true
    hash = SHA256()
    var bytes: [UInt8] = []
    for member in TraceHeaderMember.allCases {
      guard let json = header.json(of: member) else { continue }
      bytes.append(UInt8(ascii: ","))
      bytes.appendJSON(text: member.rawValue)
      bytes.append(UInt8(ascii: ":"))
      json.appendJSON(to: &bytes, sortedKeys: true)
    }
    bytes.append(others: header.others)
    bytes.endLine(from: 0)
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
    let start = bytes.count
    appendMembers(of: line, to: &bytes)
    if splits, bytes.count - start > TraceWriter.mostBytesUnmeasured, line.hasLargeParts {
      var line = line
      line.value = line.value?.split(into: &bodies)
      line.text = line.text?.split(into: &bodies)
      bytes.removeSubrange(start...)
      appendMembers(of: line, to: &bytes)
    }
    if !compared.isEmpty { hash.append(compared) }
    if line.knownKind == .verdict, line.hash == nil { bytes.append(",\"hash\":", hash.digest()) }
    bytes.append(others: line.others)
    bytes.endLine(from: start)
    return bodies
  }

  /// The most bytes of a line whose value is not large for sure. A value is measured as if its
  /// numbers had eight digits, so that it may be measured larger than it is.
  private static let mostBytesUnmeasured = TraceLimit.valueBytes / 16

  /// Appends the members of a line, and keeps those that are compared.
  private mutating func appendMembers(of line: TraceLine, to bytes: inout [UInt8]) {
    compared.removeAll(keepingCapacity: true)
    let isCompared = line.isCompared(in: header)
    if let number = line.number { bytes.append(",\"n\":", number) }
    if let time = line.time { bytes.append(",\"us\":", Int(time)) }
    if isCompared, isVirtual { compare(line.time.map { Int($0) }) }
    if let time = line.timestamp { bytes.append(",\"time\":", time.text) }
    var start = bytes.count
    if let kind = line.writtenKind { start = bytes.append(",\"kind\":", kind.name) }
    if isCompared { compare(bytes, from: start) }
    start = bytes.count
    if let source = line.source { start = bytes.append(",\"source\":", source) }
    if isCompared { compare(bytes, from: start) }
    if let cause = line.cause { bytes.append(",\"cause\":", cause) }
    start = bytes.count
    if let value = line.value { start = bytes.append(",\"value\":", value) }
    if isCompared { compare(bytes, from: start) }
    start = bytes.count
    if let text = line.text { start = bytes.append(",\"text\":", text) }
    if isCompared { compare(bytes, from: start) }
    if let connection = line.connection { bytes.append(",\"connection\":", connection) }
    start = bytes.count
    if let from = line.from { start = bytes.append(",\"from\":", from.rawValue) }
    if isCompared { compare(bytes, from: start) }
    if line.isOwn { bytes.append(constant: ",\"own\":true") }
    if let seen = line.seen { bytes.append(",\"seen\":", seen) }
    if let at = line.at { bytes.append(",\"at\":", at) }
    if let run = line.run { bytes.append(",\"run\":", run) }
    if line.isSettled { bytes.append(constant: ",\"settled\":true") }
    if let hash = line.hash { bytes.append(",\"hash\":", hash) }
  }

  /// Keeps the JSON of a member that is compared: the end of some bytes. Times of a run in real
  /// time are never the same, so they are not compared.
  private mutating func compare(_ bytes: [UInt8], from start: Int) {
    compared.append(contentsOf: bytes[start...])
    compared.append(UInt8(ascii: ","))
  }

  private mutating func compare(_ number: Int?) {
    if let number { compared.appendDecimal(number) }
    compared.append(UInt8(ascii: ","))
  }
}

extension TraceLine {
  /// True if the value or the text has a part that has a file of its own.
  fileprivate var hasLargeParts: Bool {
    value.map { $0.mayBeLarge } ?? false || text.map { $0.mayBeLarge } ?? false
  }
}

/// Members of a line. Each name begins with the comma that separates it from the member before;
/// that of the first member becomes the bracket of the line.
extension [UInt8] {
  fileprivate mutating func append(_ name: StaticString, _ number: Int) {
    append(constant: name)
    appendDecimal(number)
  }

  /// Appends a member, and returns where its value begins.
  @discardableResult
  fileprivate mutating func append(_ name: StaticString, _ text: String) -> Int {
    append(constant: name)
    let start = count
    appendJSON(text: text)
    return start
  }

  fileprivate mutating func append(_ name: StaticString, _ value: TraceValue) -> Int {
    append(constant: name)
    let start = count
    value.json.appendJSON(to: &self, sortedKeys: true)
    return start
  }

  fileprivate mutating func append(constant text: StaticString) {
    append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  fileprivate mutating func append(others: ValueMap) {
    if others.isEmpty { return }
    for (key, value) in others {
      append(UInt8(ascii: ","))
      appendJSON(text: key.plainText)
      append(UInt8(ascii: ":"))
      value.appendJSON(to: &self, sortedKeys: true)
    }
  }

  fileprivate mutating func endLine(from start: Int) {
    if count == start { append(UInt8(ascii: ",")) }
    self[start] = UInt8(ascii: "{")
    append(constant: "}\n")
  }
}

extension TraceLine {
  /// Returns whether a replay compares this line: always, or if the running side sent it.
  package func isCompared(in header: TraceHeader) -> Bool {
    switch knownKind?.comparison {
    case .always?: true
    case .unlessOfProgram?: header.program(of: source) == nil
    case .input?, .never?, nil: false
    case .bySender?: isOwn || source.flatMap { header.side(of: $0) } == (from ?? .client)
    }
  }

  /// Returns whether a replay gives this line to the running side.
  package func isInput(in header: TraceHeader) -> Bool {
    switch knownKind?.comparison {
    case .unlessOfProgram?, .input?: return header.program(of: source) != nil
    case .bySender?:
      guard !isOwn, let source, let side = header.side(of: source) else { return false }
      return from == side.peer
    case .always?, .never?, nil: return false
    }
  }
}
