import Testing

@testable import World

/// The other forms that a sweep gives what a server sends.
@Suite struct PieceRewriterTests {
  private static let head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n"
  private static let event = "id: 1\ndata: {\"a\":1}\n\n"

  @Test(arguments: [
    (PieceForm.crlf, "id: 1\r\ndata: {\"a\":1}\r\n\r\n"),
    (.cr, "id: 1\rdata: {\"a\":1}\r\r:\r"),
    (.comments, ": a comment\n\nid: 1\ndata: {\"a\":1}\n\n"),
    (.noBlanks, "id:1\ndata:{\"a\":1}\n\n"),
    (.dataLines, "id: 1\ndata: {\ndata: \"a\":1}\n\n"),
    (.noData, "id: 1\n\nid: 1\ndata: {\"a\":1}\n\n"),
  ])
  func `a whole event takes the other form, and a head stays`(form: PieceForm, other: String) {
    var rewriter = PieceRewriter(form, isInRealTime: false)
    #expect(rewriter.text(of: Self.head) == nil)
    #expect(rewriter.text(of: Self.event) == other)
    var atOnce = PieceRewriter(form, isInRealTime: false)
    #expect(atOnce.text(of: Self.head + Self.event) == Self.head + other)
  }

  @Test func `a chunk gets the size of its other form`() {
    var rewriter = PieceRewriter(.noBlanks, isInRealTime: false)
    let head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked"
    #expect(rewriter.text(of: head + "\r\n\r\n") == nil)
    #expect(rewriter.text(of: "9\r\ndata: 1\n\n\r\n") == "8\r\ndata:1\n\n\r\n")
    #expect(rewriter.text(of: "0\r\n\r\n") == "0\r\n\r\n")
  }

  @Test(arguments: [
    "data: [DONE]\n\n", "data: plain\n\n", "data: {}\n\n", "data: {name}\n\n", "data: 7\n\n",
  ])
  func `only JSON with something in it comes in two lines`(event: String) {
    var rewriter = PieceRewriter(.dataLines, isInRealTime: false)
    _ = rewriter.text(of: Self.head)
    #expect(rewriter.text(of: event) == event)
  }

  @Test(arguments: ["data: 1\n", "data: 1\r\n\r\n", "half of an event"])
  func `what is no whole event, or has another form already, stays`(bytes: String) {
    var rewriter = PieceRewriter(.cr, isInRealTime: false)
    _ = rewriter.text(of: Self.head)
    #expect(rewriter.text(of: bytes) == bytes)
  }

  @Test(arguments: [
    "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n",
    "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nContent-Length: 9\r\n\r\n",
    "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nContent-Encoding: gzip\r\n\r\n",
  ])
  func `a body that is no stream of events, or must keep its bytes, stays`(head: String) {
    var rewriter = PieceRewriter(.noBlanks, isInRealTime: false)
    _ = rewriter.text(of: head)
    #expect(rewriter.text(of: "data: 1\n\n") == nil)
  }

  @Test func `in memory each byte comes alone, and in real time cuts are where clients stumble`() {
    var memory = PieceRewriter(.bytes, isInRealTime: false)
    #expect(memory.pieces(of: Array("abc".utf8)) == [[97], [98], [99]])
    var real = PieceRewriter(.bytes, isInRealTime: true)
    let bytes = Array("ü: abcd\r\n\r\n".utf8)
    let pieces = real.pieces(of: bytes) ?? []
    #expect(pieces.flatMap(\.self) == bytes)
    #expect(pieces.map(\.count) == [1, 5, 3, 1, 1, 1])
  }

  @Test(arguments: [
    ("6\r\nabcdef\r\n", PieceDisturbance.Spot.within, "3\r\nabc\r\n0\r\n\r\n"),
    ("6\r\nabcdef\r\n", .after, "6\r\nabcdef\r\n0\r\n\r\n"),
    ("data: x\n\n", .within, "data"), ("data: x\n\n", .after, "data: x\n\n"),
  ])
  func `a body that is closed early ends as if all had come`(
    piece: String, spot: PieceDisturbance.Spot, rest: String
  ) {
    #expect(String(decoding: Array(piece.utf8).passing(.close, spot), as: UTF8.self) == rest)
  }

  @Test func `a slow piece comes in parts, and its last byte alone`() {
    let bytes = [UInt8](0..<250)
    let parts = bytes.parts(atMost: 10)
    #expect(parts.flatMap(\.self) == bytes)
    #expect(parts.count == 11 && parts.last == [249])
    #expect([[7], []].map { $0.parts(atMost: 10) } == [[[7]], [[]]])
  }
}

extension PieceRewriter {
  /// The form of bytes as a text; nil if they pass unchanged.
  fileprivate mutating func text(of bytes: String) -> String? {
    pieces(of: Array(bytes.utf8)).map { String(decoding: $0.flatMap(\.self), as: UTF8.self) }
  }
}
