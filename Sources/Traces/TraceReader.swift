import Diagnostics
import Glibc
import Values

/// A reader of a trace that arrives in pieces: bytes in, lines with their places out.
package struct TraceReader {
  /// A line of a trace, with the number and the time that it may leave out.
  package struct Entry: Sendable, Equatable {
    package var line: TraceLine
    /// The number of the event: its `n`, or its count.
    package var number: Int
    /// The time since the start, never before that of the line before.
    package var time: Microseconds
    /// The time since the start that the line gives; if it gives none, that of the line before.
    package var ownTime: Microseconds
    /// True if the line gives a time before that of the line before.
    package var isEarlier = false
    package var place: TracePlace
  }

  /// The facts about a line that an index keeps.
  struct Facts {
    var number: Int
    var time: Microseconds
    /// The place of the kind among all kinds; nil for one that this version does not know.
    var kind: UInt8?
    var source: String?
    var cause: Int?
    /// The place in a scenario.
    var at: String?
    var place: TracePlace
    var isSettled: Bool
    /// The time of day that times are counted from, if the trace gives them so.
    var clockStart: Timestamp?
  }

  /// A line that was scanned, or what else there is.
  enum Scanned {
    case line(Facts)
    case item(Item)
    case nothing
  }

  /// A line that was read, or the reason why it could not be read.
  package enum Item: Sendable, Equatable {
    case header(TraceHeader, TracePlace)
    case line(Entry)
    /// A line that cannot be read, or that has something wrong.
    case problem(TraceProblem)
    /// The last line has no end: the trace was cut there.
    case cut(TracePlace)
  }

  private var pending: [UInt8] = []
  private var isDiscarding = false
  private var lineNumber = 0
  private var offset = 0
  private var clock = TraceClock()
  private var texts = RecurringTexts()
  private var hasHeader = false
  /// True if the header before the lines cannot be read. It says how they are read, so they are
  /// passed over: to complain about them as well would be false.
  private var isPassingOver = false
  /// True once the last line was a verdict, which only a complete trace has.
  package private(set) var hasVerdict = false

  package init() {}

  /// Reads a whole trace.
  package static func read(_ bytes: [UInt8]) -> [Item] {
    var reader = TraceReader()
    return reader.receive(bytes) + reader.finish()
  }

  /// Reads a piece of the trace, and returns the lines that it completes.
  package mutating func receive(_ bytes: some Collection<UInt8>) -> [Item] {
    var items: [Item] = []
    var rest = bytes[...]
    while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
      pending += rest[..<end]
      rest = rest[rest.index(after: end)...]
      if let item = takeLine() { items.append(item) }
    }
    pending += rest
    if pending.count > TraceLimit.lineBytes { items += discardLine() }
    return items
  }

  /// Ends the trace. A last line that is complete apart from its end is read; any other is a cut.
  package mutating func finish() -> [Item] {
    defer { pending = [] }
    if pending.allSatisfy(isBlank) { return missingHeader() }
    let place = TracePlace(line: lineNumber + 1, column: 1, offset: offset)
    if case .failure = parseJSON(pending) { return isPassingOver ? [] : [.cut(place)] }
    return (takeLine().map { [$0] } ?? []) + missingHeader()
  }

  private mutating func missingHeader() -> [Item] {
    guard !hasHeader, lineNumber == 0 else { return [] }
    hasHeader = true
    return [.problem(TraceProblem(.noHeader, TracePlace(line: 1, column: 1, offset: 0)))]
  }

  private mutating func discardLine() -> [Item] {
    defer { (pending, isDiscarding) = ([], true) }
    guard !isDiscarding, !isPassingOver else { return [] }
    let place = TracePlace(line: lineNumber + 1, column: 1, offset: offset)
    return [.problem(TraceProblem(.lineTooLong, place))]
  }

  private mutating func takeLine() -> Item? {
    let bytes = pending
    let place = TracePlace(line: lineNumber + 1, column: 1, offset: offset)
    (pending, lineNumber, offset) = ([], lineNumber + 1, offset + bytes.count + 1)
    if isDiscarding || bytes.allSatisfy(isBlank) {
      isDiscarding = false
      return nil
    }
    return take(bytes, at: place)
  }

  private mutating func take(_ bytes: [UInt8], at place: TracePlace) -> Item? {
    switch readTraceObject(bytes, at: place) {
    case .failure(let problem):
      // It may be the header, and one mistake is one error.
      hasHeader = true
      return isPassingOver ? nil : .problem(problem)
    case .success(let object): return take(object)
    }
  }

  private mutating func take(_ object: TraceObject) -> Item? {
    if object.map[TraceHeaderMember.trace.rawValue] != nil { return takeHeader(object) }
    if isPassingOver { return nil }
    guard hasHeader else {
      hasHeader = true
      return .problem(TraceProblem(.noHeader, object.place))
    }
    switch object.line() {
    case .failure(let problem): return .problem(problem)
    case .success(let line):
      hasVerdict = line.knownKind == .verdict
      return .line(clock.entry(line, object.place))
    }
  }

  private mutating func takeHeader(_ object: TraceObject) -> Item {
    (hasHeader, hasVerdict, clock) = (true, false, TraceClock())
    switch object.header() {
    case .failure(let problem):
      isPassingOver = true
      return .problem(problem)
    case .success(let header):
      isPassingOver = false
      return .header(header, object.place)
    }
  }
}

// A trace that is read line by line, where it lies.
extension TraceReader {
  /// Takes the next line, without its end: finds its facts, or reads it.
  mutating func scan(
    _ line: UnsafeBufferPointer<UInt8>, at offset: Int, _ end: TraceBytes.LineEnd
  ) -> Scanned {
    let place = TracePlace(line: lineNumber + 1, column: 1, offset: offset)
    lineNumber += 1
    if hasHeader, end == .newline, !isPassingOver, let scan = TraceScan(line) {
      hasVerdict = scan.kind == TraceReader.verdict
      let source = scan.source.map { texts.text(UnsafeBufferPointer(rebasing: line[$0])) }
      let at = scan.at.map { texts.text(UnsafeBufferPointer(rebasing: line[$0])) }
      let moment = clock.moment(scan.number, scan.time.map { Microseconds($0) })
      return .line(
        Facts(
          number: moment.number, time: moment.time, kind: scan.kind, source: source,
          cause: scan.cause, at: at, place: place, isSettled: scan.isSettled))
    }
    if end != .more, line.allSatisfy(isBlank) { return .nothing }
    if end == .more {
      return isPassingOver ? .nothing : .item(.problem(TraceProblem(.lineTooLong, place)))
    }
    if end == .nothing, case .failure = parseJSON(line) {
      return isPassingOver ? .nothing : .item(.cut(place))
    }
    guard let item = take(Array(line), at: place) else { return .nothing }
    guard case .line(let entry) = item else { return .item(item) }
    let kind = entry.line.knownKind.flatMap { TraceKind.allCases.firstIndex(of: $0) }
    return .line(
      Facts(
        number: entry.number, time: entry.time, kind: kind.map { UInt8($0) },
        source: entry.line.source, cause: entry.line.cause, at: entry.line.at, place: place,
        isSettled: entry.line.isSettled, clockStart: clock.start))
  }

  /// Ends a trace that was read line by line.
  mutating func end() -> Item? {
    guard !hasHeader else { return nil }
    hasHeader = true
    return .problem(TraceProblem(.noHeader, TracePlace(line: 1, column: 1, offset: 0)))
  }

  private static let verdict = TraceKind.allCases.firstIndex(of: .verdict).map { UInt8($0) }
}

/// Texts that lines have again and again. Each is made once, unless two take turns in one slot.
private struct RecurringTexts: Sendable {
  private var slots = [String](repeating: "", count: 64)

  mutating func text(_ bytes: UnsafeBufferPointer<UInt8>) -> String {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    let slot = Int(truncatingIfNeeded: hash >> 32 & 63)
    let isKnown = slots[slot].withUTF8 { text in
      guard text.count == bytes.count, let a = text.baseAddress, let b = bytes.baseAddress else {
        return false
      }
      return memcmp(a, b, bytes.count) == 0
    }
    if !isKnown { slots[slot] = String(decoding: bytes, as: UTF8.self) }
    return slots[slot]
  }
}

private func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0D }

/// A place in a trace.
package struct TracePlace: Sendable, Equatable {
  /// The line and the column, both from 1; columns count bytes.
  package var line: Int
  package var column: Int
  /// The number of bytes before it.
  package var offset: Int

  package init(line: Int, column: Int, offset: Int) {
    (self.line, self.column, self.offset) = (line, column, offset)
  }

  /// Returns the place as diagnostics label it; `file` is the trace.
  package func range(in file: Int32) -> SourceRange {
    let start = Int32(clamping: offset)
    return SourceRange(file: file, start: start, end: start + 1)
  }

  func moved(by bytes: Int) -> TracePlace {
    TracePlace(line: line, column: column + bytes, offset: offset + bytes)
  }
}

/// The numbers and times of lines, for those that leave them out.
struct TraceClock {
  private var number = 0
  private var time: Microseconds = 0
  private(set) var start: Timestamp?

  init() {}

  /// Makes the clock after a line with this number and time.
  init(number: Int, time: Microseconds, start: Timestamp?) {
    (self.number, self.time, self.start) = (number, time, start)
  }

  mutating func entry(_ line: TraceLine, _ place: TracePlace) -> TraceReader.Entry {
    let before = time
    let given = line.time ?? line.timestamp.map { since($0) } ?? time
    let moment = moment(line.number, given)
    return TraceReader.Entry(
      line: line, number: moment.number, time: moment.time, ownTime: given,
      isEarlier: given < before, place: place)
  }

  /// Takes the number and the time that a line gives, and returns those that it has.
  mutating func moment(_ number: Int?, _ time: Microseconds?) -> (number: Int, time: Microseconds) {
    // Another program may write any number.
    self.number = number ?? self.number &+ 1
    self.time = max(self.time, time ?? self.time)
    return (self.number, self.time)
  }

  private mutating func since(_ timestamp: Timestamp) -> Microseconds {
    let first = start ?? timestamp
    start = first
    let seconds = Microseconds(timestamp.seconds &- first.seconds)
    return seconds &* 1_000_000
      &+ Microseconds(timestamp.nanoseconds - first.nanoseconds) / 1_000
  }
}
