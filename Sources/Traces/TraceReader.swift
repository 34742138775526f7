import Diagnostics
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
  private var hasHeader = false
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
    if case .failure = parseJSON(pending) { return [.cut(place)] }
    return (takeLine().map { [$0] } ?? []) + missingHeader()
  }

  private mutating func missingHeader() -> [Item] {
    guard !hasHeader, lineNumber == 0 else { return [] }
    hasHeader = true
    return [.problem(TraceProblem(.noHeader, TracePlace(line: 1, column: 1, offset: 0)))]
  }

  private mutating func discardLine() -> [Item] {
    defer { (pending, isDiscarding) = ([], true) }
    guard !isDiscarding else { return [] }
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
    switch readTraceObject(bytes, at: place) {
    case .failure(let problem): return .problem(problem)
    case .success(let object): return take(object)
    }
  }

  private mutating func take(_ object: TraceObject) -> Item {
    if object.map[TraceHeaderMember.trace.rawValue] != nil {
      switch object.header() {
      case .failure(let problem): return .problem(problem)
      case .success(let header):
        (hasHeader, hasVerdict, clock) = (true, false, TraceClock())
        return .header(header, object.place)
      }
    }
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
}

private func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0D }

/// A place in a trace.
package struct TracePlace: Sendable, Equatable {
  /// The line and the column, both from 1; columns count bytes.
  package var line: Int
  package var column: Int
  /// The number of bytes before it.
  package var offset: Int

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
private struct TraceClock {
  private var number = 0
  private var time: Microseconds = 0
  private var start: Timestamp?

  mutating func entry(_ line: TraceLine, _ place: TracePlace) -> TraceReader.Entry {
    // Another program may write any number.
    number = line.number ?? number &+ 1
    let given = line.time ?? line.timestamp.map { since($0) } ?? time
    let isEarlier = given < time
    time = max(time, given)
    return TraceReader.Entry(
      line: line, number: number, time: time, ownTime: given, isEarlier: isEarlier, place: place)
  }

  private mutating func since(_ timestamp: Timestamp) -> Microseconds {
    let first = start ?? timestamp
    start = first
    let seconds = Microseconds(timestamp.seconds &- first.seconds)
    return seconds &* 1_000_000
      &+ Microseconds(timestamp.nanoseconds - first.nanoseconds) / 1_000
  }
}
