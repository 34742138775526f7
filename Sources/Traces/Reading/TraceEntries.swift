import Glibc
import Values

/// The lines of one run of a trace. They stay where they are: an index has 9 bytes for each, and a
/// line is read when it is asked for.
package struct TraceEntries: RandomAccessCollection, Sendable {
  /// Numbers that rise by one, as nearly always; else all of them.
  private enum Numbers: Sendable {
    case rising(from: Int)
    case listed([Int])

    subscript(index: Int) -> Int {
      switch self {
      case .rising(let first): first &+ index
      case .listed(let numbers): numbers[index]
      }
    }

    mutating func append(_ number: Int, at index: Int) {
      if index == 0 { self = .rising(from: number) }
      switch self {
      case .rising(let first):
        if number &- index == first { return }
        self = .listed((0..<index).map { first &+ $0 } + [number])
      case .listed(var numbers):
        self = .rising(from: 0)
        numbers.append(number)
        self = .listed(numbers)
      }
    }
  }

  /// Texts that many lines have, by number.
  private struct Texts: Sendable {
    private var texts: [String] = []
    private var numbers: [Value: UInt16] = [:]

    subscript(number: UInt16) -> String { texts[Int(number)] }

    /// Returns the number of a text; nil for one beyond the first ones.
    mutating func number(of text: String) -> UInt16? {
      if let number = numbers[.string(text)] { return number }
      guard texts.count < Int(TraceEntries.unlistedSource) else { return nil }
      texts.append(text)
      numbers[.string(text)] = UInt16(texts.count - 1)
      return UInt16(texts.count - 1)
    }
  }

  private let bytes: TraceBytes
  /// The times of all lines.
  package private(set) var times = RisingTimes()
  /// Where each line begins. Places rise as times do, and are kept alike.
  private var offsets = RisingTimes()
  /// By line: its kind, and the number of its source.
  private var shapes = LineShapes(unlistedSource: TraceEntries.unlistedSource)
  private var numbers = Numbers.rising(from: 1)
  private var lineNumbers = Numbers.rising(from: 1)
  /// By number: the first line with it, if the numbers do not simply rise.
  private var places: [Int: Int] = [:]
  private var sources = Texts()
  /// The places of steps in a scenario. The mark of a step has the number of its place instead.
  private var steps = Texts()
  /// The time of day that times are counted from, if the lines give their times so.
  private var clockStart: Timestamp?
  /// True if lines say where changes end.
  package private(set) var marksChanges = false

  private static let noSource: UInt16 = 0xFFFF
  /// Stands for a source beyond the first ones, which is read from its line.
  private static let unlistedSource: UInt16 = 0xFFFE
  private static let otherKind: UInt8 = 0xFF
  private static let allKinds = TraceKind.allCases

  init(_ bytes: TraceBytes) { self.bytes = bytes }

  package var startIndex: Int { 0 }
  package var endIndex: Int { shapes.count }

  /// Reads a line.
  package subscript(index: Int) -> TraceReader.Entry {
    let place = TracePlace(line: lineNumbers[index], column: 1, offset: offset(of: index))
    let line = bytes.withLine(at: place.offset) { bytes, _ in
      // The line was read before; a file that was changed meanwhile has nothing to say.
      (try? readTraceObject(Array(bytes), at: place).get().line().get()) ?? TraceLine()
    }
    var clock = TraceClock(
      number: index == 0 ? 0 : numbers[index - 1], time: index == 0 ? 0 : times[index - 1],
      start: clockStart)
    return clock.entry(line, place)
  }

  /// Returns the time of a line, without reading it.
  package func time(of index: Int) -> Microseconds { times[index] }

  /// Returns the line of the file that an entry is, counted from 1.
  package func line(of index: Int) -> Int { lineNumbers[index] }

  /// Returns the number of a line, without reading it.
  package func number(of index: Int) -> Int { numbers[index] }

  /// Returns the kind of a line, without reading it; nil if this version does not know it.
  package func kind(of index: Int) -> TraceKind? {
    let kind = shapes[index].kind
    return kind == TraceEntries.otherKind ? nil : TraceEntries.allKinds[Int(kind)]
  }

  /// Returns the name of a line's kind.
  package func kindName(of index: Int) -> String {
    kind(of: index)?.rawValue ?? self[index].line.kind.name
  }

  /// Returns the source of a line; nil if it has none.
  package func source(of index: Int) -> String? {
    switch shapes[index].source {
    case TraceEntries.noSource: nil
    case TraceEntries.unlistedSource: self[index].line.source
    case let number: kind(of: index) == .step ? nil : sources[number]
    }
  }

  /// Returns the place in a scenario that a line names, without reading its value.
  package func at(of index: Int) -> String? {
    let step = shapes[index].source
    if kind(of: index) == .step, step < TraceEntries.unlistedSource { return steps[step] }
    let scanned = bytes.withLine(at: offset(of: index)) { line, _ in
      TraceScan(line).map { scan in scan.at.map { String(decoding: line[$0], as: UTF8.self) } }
    }
    return scanned ?? self[index].line.at
  }

  /// Returns the number of the line that led to a line, without reading its value.
  package func cause(of index: Int) -> Int? {
    let scanned = bytes.withLine(at: offset(of: index)) { line, _ in
      TraceScan(line).map { $0.cause }
    }
    return scanned ?? self[index].line.cause
  }

  /// Returns what the steps and assertions of the run are, by their places as the trace has them;
  /// nil where a line does not say it.
  package func stepsWithPlaces() -> [(at: String, step: String?)] {
    var seen: Set<Value> = []
    var steps: [(at: String, step: String?)] = []
    for index in indices where kind(of: index).map(TraceEntries.kindsOfSteps.contains) == true {
      let scanned = bytes.withLine(at: offset(of: index)) { line, _ in
        TraceScan(line).map { scan in
          (
            at: scan.at.map { String(decoding: line[$0], as: UTF8.self) },
            step: scan.step.map { String(decoding: line[$0], as: UTF8.self) }
          )
        }
      }
      let found = scanned ?? { ($0.at, $0.step) }(self[index].line)
      guard let at = found.at, seen.insert([.string(at), .string(found.step ?? "")]).inserted else {
        continue
      }
      steps.append((at, found.step))
    }
    return steps
  }

  private static let kindsOfSteps: Set<TraceKind> = [.step, .assertion, .read]

  /// Returns the facts that decide what a message between a client and an endpoint is for.
  func passage(of index: Int) -> TracePassage {
    let scanned = bytes.withLine(at: offset(of: index)) { line, _ in TraceScan(line)?.passage }
    if let scanned { return scanned }
    let line = self[index].line
    return TracePassage(connection: line.connection ?? 0, from: line.from, isOwn: line.isOwn)
  }

  private func offset(of index: Int) -> Int { Int(offsets[index]) }

  /// Returns whether a line has this JSON as its value, and neither a text nor a side.
  func hasPlainValue(_ json: [UInt8], at index: Int) -> Bool {
    withPlainValue(at: index) { value in
      json.withUnsafeBufferPointer { hasSameBytes(value, $0) }
    } ?? false
  }

  /// Calls a function with the JSON of a line's value, which is empty if it has none. Nil if the
  /// line has a text or a side, or is left to the reader of whole lines.
  private func withPlainValue<Result>(
    at index: Int, _ body: (UnsafeBufferPointer<UInt8>) -> Result
  ) -> Result? {
    bytes.withLine(at: offset(of: index)) { line, _ in
      guard let scan = TraceScan(line), scan.isPlain else { return nil }
      return body(UnsafeBufferPointer(rebasing: line[scan.value ?? 0..<0]))
    }
  }

  /// Returns whether a line is written as one of another run: kind and value. Nearly all lines that
  /// are alike are, so that neither has to be read.
  func isWrittenAlike(at index: Int, as other: TraceEntries, at otherIndex: Int) -> Bool {
    guard kind(of: index) != nil, kind(of: index) == other.kind(of: otherIndex) else {
      return false
    }
    return withPlainValue(at: index) { value in
      other.withPlainValue(at: otherIndex) { hasSameBytes(value, $0) } ?? false
    } ?? false
  }

  /// Returns the index of the first line with a number.
  package func index(of number: Int) -> Int? {
    switch numbers {
    case .rising(let first):
      // Another program may write any number.
      indices.contains(number &- first) ? number &- first : nil
    case .listed: places[number]
    }
  }
}

// What the reader adds.
extension TraceEntries {
  mutating func append(_ facts: TraceReader.Facts) {
    let index = shapes.count
    clockStart = facts.clockStart ?? clockStart
    marksChanges = marksChanges || facts.isSettled
    times.append(facts.time)
    offsets.append(Microseconds(facts.place.offset))
    let source = number(of: facts)
    shapes.append(
      LineShapes.Shape(kind: facts.kind ?? TraceEntries.otherKind, source: source))
    lineNumbers.append(facts.place.line, at: index)
    numbers.append(facts.number, at: index)
    guard case .listed(let all) = numbers else { return }
    if places.isEmpty {
      for (place, number) in all.enumerated() { places[number] = places[number] ?? place }
    } else {
      places[facts.number] = places[facts.number] ?? index
    }
  }

  /// Returns the number of a line's source, or of its place if it is a step.
  private mutating func number(of facts: TraceReader.Facts) -> UInt16 {
    let isStep = facts.kind.map { TraceEntries.allKinds[Int($0)] } == .step
    if isStep, facts.source == nil, let at = facts.at {
      return steps.number(of: at) ?? TraceEntries.unlistedSource
    }
    guard let source = facts.source else { return TraceEntries.noSource }
    if isStep { return TraceEntries.unlistedSource }
    return sources.number(of: source) ?? TraceEntries.unlistedSource
  }
}

/// The parts of a line between a client and an endpoint that say on which connection it passed, and
/// who sent it.
struct TracePassage: Sendable {
  var connection: Int
  var from: TraceSide?
  var isOwn: Bool
}

extension TraceRun {
  /// Returns whether the running side sent a message, without reading its value.
  package func sendsItself(_ index: Int) -> Bool {
    let passage = entries.passage(of: index)
    guard !passage.isOwn, let side = entries.source(of: index).flatMap({ header.side(of: $0) })
    else { return !passage.isOwn }
    return passage.from != side.peer
  }
}

private func hasSameBytes(
  _ one: UnsafeBufferPointer<UInt8>, _ other: UnsafeBufferPointer<UInt8>
) -> Bool {
  guard one.count == other.count else { return false }
  guard let first = one.baseAddress, let second = other.baseAddress else { return true }
  return memcmp(first, second, one.count) == 0
}
