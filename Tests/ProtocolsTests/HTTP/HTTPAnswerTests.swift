import Testing

@testable import Protocols

/// Answers that a client has to read although no server should send them.
@Suite struct HTTPAnswerTests {
  /// Returns the answer, read in pieces of this size.
  private func answer(_ text: String, piece: Int) -> HTTPResponse? {
    var client = HTTPClientConnection()
    _ = client.on(.requestSent(HTTPRequest(method: "GET", target: "/", headers: ["Host": "x"])))
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let actions = client.on(.bytesReceived(Array(rest.prefix(piece))))
      for case .deliver(let response) in actions { return response }
      rest = rest.dropFirst(piece)
    }
    return nil
  }

  @Test(arguments: [
    ("HTTP/1.1 200 OK\r\nA: b\r\n  c\r\n\td \r\nContent-Length: 2\r\n\r\nok", "b c d"),
    ("HTTP/1.1 200 OK\r\nA:\r\n b\r\nContent-Length: 2\r\n\r\nok", "b"),
    ("HTTP/1.1 200 OK\nA: b\nContent-Length: 2\n\nok", "b"),
    ("HTTP/1.1 200 OK\r\nA: b\n c\nContent-Length: 2\r\n\nok", "b c"),
    ("HTTP/1.2 200 OK\r\nA: b\r\nContent-Length: 2\r\n\r\nok", "b"),
    ("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.9 200 OK\r\nA: b\r\nContent-Length: 2\r\n\r\nok", "b"),
  ])
  func `old line ends, continued headers and later versions are read`(text: String, value: String) {
    for piece in 1...text.utf8.count {
      let response = answer(text, piece: piece)
      #expect(response?.headers["A"] == value)
      #expect(response?.body == Array("ok".utf8))
    }
  }

  @Test func `a line before the first header continues none`() {
    let text = "HTTP/1.1 200 OK\r\n A: b\r\nContent-Length: 2\r\n\r\nok"
    for piece in [1, 7, 100] { #expect(answer(text, piece: piece) == nil) }
  }

  @Test(arguments: [
    ("", AnswerProgress.nothing), ("HTTP/1.1 200 OK\r\nA: b", .head(bytes: 4)),
    (
      "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nab",
      .body(.init(status: 200, reason: "OK"), bytes: 2, of: 9)
    ),
    (
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n",
      .chunks(.init(status: 200, reason: "OK"), bytes: 2, isInside: false)
    ),
    (
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab",
      .chunks(.init(status: 200, reason: "OK"), bytes: 2, isInside: true)
    ),
  ])
  func `a lost answer says how far it came`(text: String, progress: AnswerProgress) {
    var client = HTTPClientConnection()
    _ = client.on(.requestSent(HTTPRequest(method: "GET", target: "/", headers: ["Host": "x"])))
    _ = client.on(.bytesReceived(Array(text.utf8)))
    #expect(client.progress == progress)
    _ = client.on(.closed)
    #expect(client.progress == progress)
  }

  @Test(arguments: [
    ("Transfer-Encoding: gzip, chunked\r\n\r\n", "HTTP/1.1 501 "),
    ("Expect: 100-continue\r\nContent-Length: 1073741824\r\n\r\n", "HTTP/1.1 413 "),
    ("Expect: 100-continue\r\nContent-Length: 1\r\n\r\n", "HTTP/1.1 100 "),
    ("A: b\r\n c\r\nContent-Length: 1\r\n\r\n", "HTTP/1.1 400 "),
    ("A: b\nContent-Length: 1\r\n\r\n", "HTTP/1.1 400 "),
  ])
  func `a server answers a head that it cannot accept at once`(rest: String, status: String) {
    var server = HTTPServerConnection()
    let head = "POST / HTTP/1.1\r\nHost: x\r\n" + rest
    let actions = server.on(.bytesReceived(Array(head.utf8)))
    let sent = actions.flatMap { if case .send(let bytes) = $0 { bytes } else { [UInt8]() } }
    #expect(String(decoding: sent, as: UTF8.self).hasPrefix(status))
  }
}
