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
  /// The places of the members of the line that are compared.
  private var compared: [Range<Int>] = []

  package init() {}

  /// Writes the header, and begins a trace with it.
  package mutating func write(_ header: TraceHeader) -> Output {
    self.header = header
    isVirtual = header.isVirtual == true
    hash = SHA256()
    var bytes = OutputBytes()
    for member in TraceHeaderMember.allCases {
      guard let json = header.json(of: member) else { continue }
      bytes.append(UInt8(ascii: ","))
      bytes.appendJSON(text: member.rawValue)
      bytes.append(UInt8(ascii: ":"))
      json.appendJSON(to: &bytes, sortedKeys: true)
    }
    bytes.append(others: header.others)
    bytes.endLine(from: 0)
    return Output(bytes: bytes.array)
  }

  /// Writes a line. A `verdict` is the last one and gets the hash of all lines that are compared.
  ///
  /// - Parameter splits: False if large values stay in their lines.
  package mutating func write(_ line: TraceLine, splits: Bool = true) -> Output {
    var bytes = OutputBytes()
    let bodies = append(line, to: &bytes, splits: splits)
    return Output(bytes: bytes.array, bodies: bodies)
  }

  /// Appends a line with its end to bytes. Returns the bodies that have files of their own.
  package mutating func append(
    _ line: TraceLine, to bytes: inout [UInt8], splits: Bool = true
  ) -> [TraceBody] {
    let output = write(line, splits: splits)
    bytes += output.bytes
    return output.bodies
  }

  /// Appends a line with its end to bytes. Returns the bodies that have files of their own.
  package mutating func append(
    _ line: TraceLine, to bytes: inout OutputBytes, splits: Bool = true
  ) -> [TraceBody] {
    var bodies: [TraceBody] = []
    let start = bytes.count
    appendMembers(of: line, to: &bytes)
    if splits, bytes.count - start > TraceWriter.mostBytesUnmeasured, line.hasLargeParts {
      var line = line
      line.value = line.value?.split(into: &bodies)
      line.text = line.text?.split(into: &bodies)
      bytes.removeBytes(from: start)
      appendMembers(of: line, to: &bytes)
    }
    hashCompared(in: bytes)
    if line.knownKind == .verdict, line.hash == nil { bytes.append(",\"hash\":", hash.digest()) }
    bytes.append(others: line.others)
    bytes.endLine(from: start)
    return bodies
  }

  /// The most bytes of a line whose value is not large for sure. A value is measured as if its
  /// numbers had eight digits, so that it may be measured larger than it is: a list of digits as
  /// nine bytes for two.
  private static let mostBytesUnmeasured = TraceLimit.valueBytes / 5

  /// Appends the members of a line, and keeps the places of those that are compared.
  private mutating func appendMembers(of line: TraceLine, to bytes: inout OutputBytes) {
    compared.removeAll(keepingCapacity: true)
    let isCompared = line.isCompared(in: header)
    if let number = line.number { bytes.append(",\"n\":", number) }
    var start = bytes.count
    if let time = line.time { start = bytes.append(",\"us\":", Int(time)) }
    // Times of a run in real time are never the same, so they are not compared.
    if isCompared, isVirtual { compared.append(start..<bytes.count) }
    if let time = line.timestamp { bytes.append(",\"time\":", time.text) }
    start = bytes.count
    if let kind = line.writtenKind { start = bytes.append(",\"kind\":", kind.name) }
    if isCompared { compared.append(start..<bytes.count) }
    start = bytes.count
    if let source = line.source { start = bytes.append(",\"source\":", source) }
    if isCompared { compared.append(start..<bytes.count) }
    if let cause = line.cause { bytes.append(",\"cause\":", cause) }
    start = bytes.count
    if let value = line.value { start = bytes.append(",\"value\":", value) }
    if isCompared { compared.append(start..<bytes.count) }
    start = bytes.count
    if let text = line.text { start = bytes.append(",\"text\":", text) }
    if isCompared { compared.append(start..<bytes.count) }
    if let connection = line.connection { bytes.append(",\"connection\":", connection) }
    start = bytes.count
    if let from = line.from { start = bytes.append(",\"from\":", from.rawValue) }
    if isCompared { compared.append(start..<bytes.count) }
    appendPlace(of: line, to: &bytes)
  }

  /// Appends the members that are never compared and come last.
  private func appendPlace(of line: TraceLine, to bytes: inout OutputBytes) {
    if line.isOwn { bytes.append(",\"own\":true") }
    if let seen = line.seen { bytes.append(",\"seen\":", seen) }
    if let at = line.at { bytes.append(",\"at\":", at) }
    if let step = line.step { bytes.append(",\"step\":", step) }
    if let run = line.run { bytes.append(",\"run\":", run) }
    if line.isSettled { bytes.append(",\"settled\":true") }
    if let hash = line.hash { bytes.append(",\"hash\":", hash) }
  }

  /// Adds the members that are compared to the hash, each with a comma behind it.
  private mutating func hashCompared(in bytes: borrowing OutputBytes) {
    for place in compared {
      // Behind all members but the last one, the line has this comma itself.
      let hasComma = place.upperBound < bytes.count && !place.isEmpty
      let end = place.upperBound + (hasComma ? 1 : 0)
      bytes.withBytes(from: place.lowerBound, to: end) { hash.append($0) }
      if !hasComma { hash.append(UInt8(ascii: ",")) }
    }
  }
}

extension TraceLine {
  /// True if the value or the text has a part that has a file of its own.
  fileprivate var hasLargeParts: Bool {
    value.map { $0.mayBeLarge } ?? false || text.map { $0.mayBeLarge } ?? false
  }
}

/// Members of a line. Each name begins with the comma that separates it from the member before;
/// that of the first member becomes the bracket of the line. The functions return where the value
/// of the member begins.
extension OutputBytes {
  @discardableResult
  fileprivate mutating func append(_ name: StaticString, _ number: Int) -> Int {
    append(name)
    let start = count
    appendDecimal(number)
    return start
  }

  @discardableResult
  fileprivate mutating func append(_ name: StaticString, _ text: String) -> Int {
    append(name)
    let start = count
    appendJSON(text: text)
    return start
  }

  fileprivate mutating func append(_ name: StaticString, _ value: TraceValue) -> Int {
    append(name)
    let start = count
    value.json.appendJSON(to: &self, sortedKeys: true)
    return start
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
    append("}\n")
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
