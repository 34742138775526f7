import TextSearch

/// Finds the pieces of one direction of a connection in bytes that a system of sockets has joined
/// and cut: the head of an answer, each event or line of a stream, each frame of a WebSocket.
///
/// Other bytes pass as they arrive. So a disturbance strikes "after event 3" of a real server too.
struct PieceFinder {
  private enum Mode {
    /// Whatever comes next may be the head of an answer.
    case head
    /// Events and lines, which end with these bytes. A chunk has a line end of its own.
    case parts(ends: [[UInt8]], isChunked: Bool)
    case frames
    case unchanged
  }

  private var mode = Mode.head
  private var gathered: [UInt8] = []

  /// The most bytes that are kept back until their piece is complete.
  private static let mostBytes = 1 << 20

  /// Notes that the server has agreed to a WebSocket.
  mutating func readFrames() { mode = .frames }

  /// Returns the pieces that more bytes complete.
  mutating func take(_ bytes: [UInt8]) -> [[UInt8]] {
    if case .unchanged = mode, bytes.beginsAnswer { mode = .head }
    gathered += bytes
    var pieces: [[UInt8]] = []
    while let size = nextSize() {
      pieces.append(Array(gathered[..<size]))
      gathered.removeFirst(size)
    }
    if gathered.count > PieceFinder.mostBytes, let rest = takeRest() { pieces.append(rest) }
    return pieces
  }

  /// Takes out the bytes of a piece that is not complete.
  mutating func takeRest() -> [UInt8]? {
    defer { gathered = [] }
    return gathered.isEmpty ? nil : gathered
  }

  /// Returns the size of the piece in front; nil if it is not complete.
  private mutating func nextSize() -> Int? {
    guard !gathered.isEmpty else { return nil }
    switch mode {
    case .head: return sizeOfHead()
    case .parts(let ends, let isChunked): return sizeOfPart(ends, isChunked)
    case .frames: return gathered.sizeOfFrame
    case .unchanged: return gathered.count
    }
  }

  private mutating func sizeOfHead() -> Int? {
    guard gathered.mayBeginAnswer else { return gathered.count }
    guard let end = gathered.endOfHead else { return nil }
    mode = PieceFinder.mode(behind: gathered[..<end])
    // A complete answer is one piece, as far as it came at once.
    if case .unchanged = mode { return gathered.count }
    return end
  }

  private static func mode(behind head: ArraySlice<UInt8>) -> Mode {
    if head.starts(with: "HTTP/1.1 101".utf8) { return .frames }
    if head.starts(with: "HTTP/1.1 100".utf8) { return .head }
    let body = BodyForm(behind: head)
    if body.isEventStream {
      let ends = ["\n\n", "\r\n\r\n", "\r\r"].map { Array($0.utf8) }
      return .parts(ends: ends, isChunked: body.isChunked)
    }
    return body.hasLines
      ? .parts(ends: [Array("\n".utf8)], isChunked: body.isChunked) : .unchanged
  }

  private mutating func sizeOfPart(_ ends: [[UInt8]], _ isChunked: Bool) -> Int? {
    if gathered.beginsAnswer { return sizeOfHead() }
    guard isChunked else { return gathered.end(of: ends, from: 0) }
    // The end of the body, behind which another answer may come.
    if gathered.starts(with: "0\r\n\r\n".utf8) {
      mode = .head
      return 5
    }
    return sizeOfChunks(ends)
  }

  /// Returns the size of the chunks in front that end with the end of a part, or of the part alone
  /// if its chunk has more of them.
  private func sizeOfChunks(_ ends: [[UInt8]]) -> Int? {
    var start = 0
    while let chunk = gathered.chunk(at: start) {
      guard chunk.end <= gathered.count else { return nil }
      if chunk.content.isEmpty { return start > 0 ? start : chunk.end }
      let content = Array(gathered[chunk.content])
      if ends.contains(where: { content.suffix($0.count) == $0[...] }) { return chunk.end }
      start = chunk.end
    }
    return nil
  }
}

/// The form of the body behind the head of an answer, as far as pieces are found in it.
struct BodyForm {
  let isEventStream: Bool
  let hasLines: Bool
  let isChunked: Bool
  /// True if the head says how long it is.
  let hasLength: Bool

  init(behind head: ArraySlice<UInt8>) {
    let lines = String(decoding: head, as: UTF8.self).lowercasedASCII.split(separator: "\r\n")
    func field(_ name: String) -> Substring {
      lines.first { $0.hasPrefix(name + ":") }?.dropFirst(name.count + 1) ?? ""
    }
    let type = field("content-encoding").isEmpty ? field("content-type") : ""
    isEventStream = type.contains("text/event-stream")
    hasLines = type.contains("ndjson") || type.contains("jsonl")
    isChunked = field("transfer-encoding").contains("chunked")
    hasLength = !field("content-length").isEmpty
  }
}

extension [UInt8] {
  var beginsAnswer: Bool { starts(with: "HTTP/1.".utf8) }

  /// The place behind the head of a message; nil if it is not complete.
  var endOfHead: Int? { end(of: [Array("\r\n\r\n".utf8)], from: 0) }

  /// True if these bytes begin an answer, or may do so once more of them have come.
  fileprivate var mayBeginAnswer: Bool {
    zip(self, "HTTP/1.".utf8).allSatisfy { $0 == $1 }
  }

  /// Returns the place behind the first of some ends.
  fileprivate func end(of ends: [[UInt8]], from start: Int) -> Int? {
    let known = Set(ends.compactMap(\.last))
    return indices[start...].first { place in
      known.contains(self[place])
        && ends.contains { self[...place].suffix($0.count) == $0[...] }
    }.map { $0 + 1 }
  }

  /// Returns where the content of a chunk is, and its end; nil if its size has not arrived.
  func chunk(at start: Int) -> (content: Range<Int>, end: Int)? {
    guard let lineEnd = self[start...].firstIndex(of: UInt8(ascii: "\n")) else { return nil }
    let ends: [UInt8] = [UInt8(ascii: "\r"), UInt8(ascii: ";")]
    let digits = self[start..<lineEnd].prefix { !ends.contains($0) }
    let size = Int(String(decoding: digits, as: UTF8.self), radix: 16)
    // What is no chunk passes unchanged; the client finds what is wrong with it.
    guard let size, size >= 0, size < 1 << 30 else { return (start..<start, count) }
    let content = lineEnd + 1..<lineEnd + 1 + size
    return (content, content.upperBound + 2)
  }

  /// The size of the frame of a WebSocket in front; nil if it is not complete.
  fileprivate var sizeOfFrame: Int? {
    guard count >= 2 else { return nil }
    var size = 2 + (self[1] & 0x80 == 0 ? 0 : 4)
    let extra = self[1] & 0x7f == 126 ? 2 : self[1] & 0x7f == 127 ? 8 : 0
    guard count >= 2 + extra else { return nil }
    let long = self[2..<2 + extra].reduce(0) { $0 &<< 8 | Int($1) }
    // A length that cannot be is the client's to refuse.
    guard long >= 0, long < 1 << 40 else { return count }
    size += extra + (extra == 0 ? Int(self[1] & 0x7f) : long)
    return size <= count ? size : nil
  }
}
