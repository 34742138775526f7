import Protocols
import Values

/// What a report shows of the course of a run: facts about its stage, and the lines of its trace in
/// compressed pieces.
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
  package var facts: Value
  /// The lines of the trace: raw deflate in Base64, each piece with whole lines.
  package var pieces: [String]

  package init(facts: Value, pieces: [String]) {
    self.facts = facts
    self.pieces = pieces
  }

  package init(
    isVirtual: Bool, clock: String?, sources: [Source], lines: [StepLine], _ pieces: TimelinePieces
  ) {
    let pieces = pieces.finished()
    facts = [
      "virtual": .bool(isVirtual), "clock": clock.map { .string($0) } ?? .null,
      "sources": .list(sources.map(\.json)),
      "lines": .map(ValueMap(lines.map { (.string($0.place), .string($0.text)) })),
      "leftOut": .int(pieces.leftOut),
    ]
    self.pieces = pieces.texts
  }
}

extension RunTimeline.Source {
  fileprivate var json: Value {
    var map = ValueMap([("name", .string(name)), ("kind", .string(kind))])
    if !inputs.isEmpty { map["inputs"] = .list(inputs.map { .string($0) }) }
    return .map(map)
  }
}

/// The lines of a timeline, compressed while they come, so that a long run stays small in memory.
///
/// Of a very long run, the first and the last pieces are kept.
package struct TimelinePieces: Sendable {
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

  private var writer = TraceWriter()
  private var pieces: [Piece] = []
  private var open: [UInt8] = []
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
      open.removeSubrange(start...)
      _ = writer.append(short, to: &open)
    }
    openLines += 1
    if open.count >= TimelinePieces.pieceBytes { close() }
  }

  private mutating func close() {
    guard openLines > 0 else { return }
    pieces.append(Piece(text: Base64.encode(deflatedRaw(open)), lines: openLines))
    open.removeAll(keepingCapacity: true)
    openLines = 0
    if pieces.count > TimelinePieces.mostPieces {
      leftOut += pieces.remove(at: TimelinePieces.mostPieces / 2).lines
    }
  }

  /// Returns the pieces, and the number of lines that are in none of them.
  fileprivate func finished() -> (texts: [String], leftOut: Int) {
    var last = self
    last.close()
    return (last.pieces.map(\.text), last.leftOut)
  }
}
