import Protocols
import Values

/// The course of a run for a report: facts about its stage, and the lines of its trace.
package struct RunTimeline: Sendable, Equatable {
  /// A source of the stage, with the sources that it reads.
  package struct Source: Sendable, Equatable {
    package var name: String
    /// The word for its kind: `node`, `computed`, `endpoint`, `stream`.
    package var kind: String
    package var inputs: [String]

    package init(name: String, kind: String, inputs: [String] = []) {
      self.name = name
      self.kind = kind
      self.inputs = inputs
    }
  }

  /// A line of a file at which steps stand.
  package struct StepLine: Sendable, Equatable {
    /// `path:line`.
    package var place: String
    package var text: String

    package init(place: String, text: String) {
      self.place = place
      self.text = text
    }
  }

  /// The facts as JSON: `virtual`, `clock`, `sources`, `lines`, `leftOut`.
  package private(set) var facts: String
  /// The lines of a long trace: raw deflate in Base64, each piece with whole lines.
  package private(set) var pieces: [String]
  /// The lines of a short trace, of which there are many in a large report: compressed one by one,
  /// they would take several times the room and the time of a block of them.
  package private(set) var shortLines: [UInt8] = []

  /// Makes a timeline of what was written by `writtenPieces`.
  package init(facts: Value, pieces: [String]) {
    self.facts = facts.json()
    self.pieces = pieces
    if pieces.count == 1, let lines = TimelinePieces.shortLines(of: pieces[0]) {
      (self.pieces, shortLines) = ([], lines)
    }
  }

  package init(
    isVirtual: Bool, clock: String?, sources: [Source], lines: [StepLine],
    _ pieces: inout TimelinePieces
  ) {
    let pieces = pieces.finish()
    facts = factsJSON(isVirtual, clock, sources, lines, leftOut: pieces.leftOut)
    self.pieces = pieces.texts
    shortLines = pieces.shortLines
  }

  /// All lines as compressed pieces.
  package var writtenPieces: [String] {
    shortLines.isEmpty ? pieces : [TimelinePieces.compressed(shortLines)]
  }

  /// The lines of a short trace as a list in JSON; nil if the trace is long.
  package var shortList: String? {
    if shortLines.isEmpty { return nil }
    let list = [UInt8](unsafeUninitializedCapacity: shortLines.count + 1) { list, count in
      list[0] = UInt8(ascii: "[")
      shortLines.withUnsafeBufferPointer { lines in
        for place in lines.indices {
          let isEnd = lines[place] == UInt8(ascii: "\n")
          list[place + 1] = isEnd ? UInt8(ascii: ",") : lines[place]
        }
      }
      list[shortLines.count] = UInt8(ascii: "]")
      count = shortLines.count + 1
    }
    return String(decoding: list, as: UTF8.self)
  }
}

/// A course of a sweep for a report: what went wrong in it, and what became of it.
package struct CourseTimeline: Sendable {
  /// The most courses of a scenario whose timelines are kept. If there are more, those in which
  /// all is well have none.
  package static let mostKept = 200

  /// The name, as `--disturb` takes it.
  package var name: String
  /// The word for the result: `held`, `failed`, `notJudged`, `unclear`, `flaky`, `notReached`.
  package var result: String
  /// The message of its first finding.
  package var message: String?
  package var timeline: RunTimeline?

  package init(name: String, result: String, message: String?, timeline: RunTimeline?) {
    self.name = name
    self.result = result
    self.message = message
    self.timeline = timeline
  }
}

/// Returns the facts as JSON. They are written without values in between, for each scenario of a
/// suite has them.
private func factsJSON(
  _ isVirtual: Bool, _ clock: String?, _ sources: [RunTimeline.Source],
  _ lines: [RunTimeline.StepLine], leftOut: Int
) -> String {
  var json = OutputBytes(minimumCapacity: 1 << 10)
  json.append(isVirtual ? "{\"virtual\":true,\"clock\":" : "{\"virtual\":false,\"clock\":")
  if let clock { json.appendJSON(text: clock) } else { json.append("null") }
  json.append(",\"sources\":[")
  json.append(sources) { $0.append(source: $1) }
  json.append("],\"lines\":{")
  json.append(lines) { json, line in
    json.appendJSON(text: line.place)
    json.append(":")
    json.appendJSON(text: line.text)
  }
  json.append("},\"leftOut\":")
  json.appendDecimal(leftOut)
  json.append("}")
  return json.text
}

extension OutputBytes {
  fileprivate mutating func append<Element>(
    _ elements: [Element], _ write: (inout OutputBytes, Element) -> Void
  ) {
    for (index, element) in elements.enumerated() {
      if index > 0 { append(",") }
      write(&self, element)
    }
  }

  fileprivate mutating func append(source: RunTimeline.Source) {
    append("{\"name\":")
    appendJSON(text: source.name)
    append(",\"kind\":")
    appendJSON(text: source.kind)
    if !source.inputs.isEmpty {
      append(",\"inputs\":[")
      append(source.inputs) { $0.appendJSON(text: $1) }
      append("]")
    }
    append("}")
  }
}

/// The lines of a timeline, compressed while they come, so that a long run stays small in memory.
///
/// Of a very long run, the first and the last pieces are kept.
package struct TimelinePieces: ~Copyable {
  private struct Piece {
    var text: String
    var lines: Int
  }

  /// The bytes after which a piece is complete. A reader parses one piece at a time.
  static let pieceBytes = 150 << 10
  /// The most bytes of a line; a longer one is shown without its value.
  static let lineBytes = 100 << 10
  /// The most pieces of a run.
  static let mostPieces = 64
  /// The most bytes of lines that are not compressed on their own. A large suite has so many in
  /// memory for each scenario.
  static let shortBytes = 8 << 10

  private var writer = TraceWriter()
  private var pieces: [Piece] = []
  private var open = OutputBytes()
  private var openLines = 0
  private var leftOut = 0

  package init() {}

  /// Adds a line. Its large values are left out; their hashes stay.
  package mutating func append(_ line: TraceLine) {
    let start = open.count
    _ = writer.append(line, to: &open)
    if open.count - start > TimelinePieces.lineBytes {
      var short = line
      short.value = TraceValue(["leftOut": .int(open.count - start)] as Value)
      short.text = nil
      open.removeBytes(from: start)
      _ = writer.append(short, to: &open)
    }
    openLines += 1
    if open.count >= TimelinePieces.pieceBytes { close() }
  }

  private mutating func close() {
    guard openLines > 0 else { return }
    pieces.append(Piece(text: TimelinePieces.compressed(open.array), lines: openLines))
    open.removeBytes()
    openLines = 0
    if pieces.count > TimelinePieces.mostPieces {
      leftOut += pieces.remove(at: TimelinePieces.mostPieces / 2).lines
    }
  }

  /// Returns the pieces or the lines of a short run, and the number of lines that are in neither.
  fileprivate mutating func finish() -> (texts: [String], shortLines: [UInt8], leftOut: Int) {
    if pieces.isEmpty, open.count <= TimelinePieces.shortBytes { return ([], open.array, 0) }
    close()
    return (pieces.map(\.text), [], leftOut)
  }

  fileprivate static func compressed(_ lines: [UInt8]) -> String {
    Base64.encode(deflatedRaw(lines))
  }

  private static func isJSON(_ line: ArraySlice<UInt8>) -> Bool {
    if case .success = parseJSON(String(decoding: line, as: UTF8.self)) { true } else { false }
  }

  /// Returns the lines of a piece that is the only one of a short run; nil if it is longer, or if
  /// it has other text than lines of JSON.
  fileprivate static func shortLines(of piece: String) -> [UInt8]? {
    guard piece.utf8.count <= 2 * shortBytes, let bytes = Base64.decode(piece) else { return nil }
    var decoder = ContentDecoder(.deflate, limit: shortBytes)
    var lines: [UInt8] = []
    for item in decoder.receive(bytes) + decoder.finish() {
      guard case .bytes(let more) = item else { return nil }
      lines += more
    }
    guard lines.last == UInt8(ascii: "\n"), lines.count <= shortBytes else { return nil }
    let texts = lines.dropLast().split(
      separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    return texts.allSatisfy(isJSON) ? lines : nil
  }
}
