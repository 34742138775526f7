import TextSearch

/// An item of a body with a JSON text on each line.
package enum NDJSONItem: Sendable, Equatable {
  /// The text of a line, which may not be JSON.
  case line(String)
  /// The body cannot be read any further; nothing follows.
  case problem(NDJSONProblem)
}

/// The reason why a body of lines cannot be read any further.
package enum NDJSONProblem: Error, Sendable, Equatable, CaseIterable {
  case lineTooLong

  /// The stable name of the problem, in kebab-case.
  package var id: String {
    switch self {
    case .lineTooLong: "ndjson-line-too-long"
    }
  }

  /// The broken rule, in one sentence.
  package var message: String {
    switch self {
    case .lineTooLong: "a line of a body of JSON texts keeps to a limit"
    }
  }
}

/// The limits of a line.
package enum NDJSONLimits {
  /// Bytes of a line, unless a decoder is given another limit; a CR at its end is counted.
  package static let lineBytes = 16 << 20
}

/// A decoder that cuts a body into the texts of its lines. Bytes go in, items come out; they do not
/// depend on how the bytes are cut. Lines end with LF or CR LF; blank ones are ignored.
package struct NDJSONDecoder: Sendable {
  private let limit: Int
  /// The line that is still growing.
  private var line: [UInt8] = []
  private var isFirstLine = true
  private var isOver = false

  package init(lineBytes: Int = NDJSONLimits.lineBytes) {
    limit = lineBytes
  }

  package mutating func receive(_ bytes: [UInt8]) -> [NDJSONItem] {
    guard !isOver else { return [] }
    var items: [NDJSONItem] = []
    bytes.withUnsafeBufferPointer { read($0, into: &items) }
    return items
  }

  /// Ends the body, which completes a last line without a line end. The next bytes are those of
  /// another body.
  package mutating func finish() -> [NDJSONItem] {
    var items: [NDJSONItem] = []
    if !isOver { takeWholeLine(into: &items) }
    self = NDJSONDecoder(lineBytes: limit)
    return items
  }

  private mutating func read(
    _ bytes: UnsafeBufferPointer<UInt8>, into items: inout [NDJSONItem]
  ) {
    var ends = LineEnds(in: bytes)
    var start = 0
    while start < bytes.count {
      let end = ends.nextLineFeed(from: start)
      let piece = UnsafeBufferPointer(rebasing: bytes[start..<end])
      start = end + 1
      if line.isEmpty, end < bytes.count {
        take(piece, into: &items)
      } else {
        line.append(contentsOf: piece)
        if end < bytes.count { takeWholeLine(into: &items) }
      }
      if isOver { return }
    }
    if line.count > limit { fail(into: &items) }
  }

  private mutating func takeWholeLine(into items: inout [NDJSONItem]) {
    let whole = line
    line = []
    whole.withUnsafeBufferPointer { take($0, into: &items) }
  }

  private mutating func take(
    _ line: UnsafeBufferPointer<UInt8>, into items: inout [NDJSONItem]
  ) {
    guard line.count <= limit else { return fail(into: &items) }
    var text = line[...]
    if isFirstLine, text.starts(with: byteOrderMark) { text = text.dropFirst(3) }
    isFirstLine = false
    if text.last == 0x0D { text = text.dropLast() }
    guard !text.allSatisfy({ $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }) else { return }
    items.append(.line(String(decoding: UnsafeBufferPointer(rebasing: text), as: UTF8.self)))
  }

  private mutating func fail(into items: inout [NDJSONItem]) {
    line = []
    isOver = true
    items.append(.problem(.lineTooLong))
  }
}
