import Testing

@testable import World

/// The pieces that are found in bytes of a real server, however the system has joined and cut them.
@Suite struct PieceFinderTests {
  private static let head =
    "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"
  private static let chunks = [
    "9\r\ndata: 1\n\n\r\n", "9\r\ndata: 2\n\n\r\n", "0\r\n\r\n",
  ]
  private static let plain = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n"
  private static let json = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}"

  /// Bytes of a server, and the pieces that are in them.
  static let cases: [[String]] = [
    [head] + chunks,
    [plain, "data: 1\n\n", "data: 2\r\n\r\n", ": open\n\n"],
    [head] + chunks + [head] + chunks,
    ["HTTP/1.1 200 OK\r\nContent-Type: application/x-ndjson\r\n\r\n", "{\"a\":1}\n", "{}\n"],
    ["HTTP/1.1 101 Switching\r\n\r\n", "\u{1}\u{2}hi", "\u{1}\u{3}you"],
    // A chunk that holds two events is one piece, and so are two chunks with one event.
    [head, "12\r\ndata: 1\n\ndata: 2\n\n\r\n", "5\r\ndata:\r\n4\r\n 1\n\n\r\n"],
  ]

  @Test(arguments: cases)
  func `pieces are found in bytes that come at once, and one by one`(pieces: [String]) {
    let bytes = Array(pieces.joined().utf8)
    var whole = PieceFinder()
    #expect(whole.take(bytes).map(text) == pieces)
    var slow = PieceFinder()
    #expect(bytes.flatMap { slow.take([$0]) }.map(text) == pieces)
    #expect(slow.takeRest() == nil)
  }

  @Test func `an answer that comes at once is one piece, and the next one begins another`() {
    var finder = PieceFinder()
    let json = Array(PieceFinderTests.json.utf8)
    #expect(finder.take(json) == [json])
    #expect(finder.take(json) == [json])
    #expect(finder.take(Array("more".utf8)) == [Array("more".utf8)])
  }

  @Test(arguments: [
    "nonsense\r\n\r\n", head + "zz\r\nnonsense\n\n", head + "ffffffffffffffff\r\n",
    head + "-5\r\n\r\n\r\n",
    "HTTP/1.1 101 S\r\n\r\n\u{1}" + String(repeating: "\u{7F}", count: 12),
  ])
  func `nothing is lost of bytes that are no answer`(bytes: String) {
    var finder = PieceFinder()
    var found = Array(bytes.utf8).flatMap { finder.take([$0]) }.flatMap(\.self)
    found += finder.takeRest() ?? []
    #expect(text(found) == bytes)
  }

  private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
}
