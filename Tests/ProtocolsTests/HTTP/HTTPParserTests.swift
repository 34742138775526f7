import Testing

@testable import Protocols

/// Returns the events of a parser with the pieces of a body joined: where they were cut is random.
func joined(_ events: [HTTPEvent]) -> [HTTPEvent] {
  var joined: [HTTPEvent] = []
  for event in events {
    switch (joined.last, event) {
    case (.body(let before)?, .body(let piece)):
      joined[joined.count - 1] = .body(before + piece)
    case (.foreign(let before)?, .foreign(let piece)):
      joined[joined.count - 1] = .foreign(before + piece)
    default: joined.append(event)
    }
  }
  return joined
}

/// Feeds requests, cut at the given places, and then the end.
func parseRequest(_ bytes: [UInt8], cutAt cuts: [Int] = []) -> [HTTPEvent] {
  var parser = HTTPRequestParser()
  return joined(pieces(bytes, cuts).flatMap { parser.receive($0) } + parser.finish())
}

/// Feeds responses to requests with the given methods, which are reported when the responses end.
func parseResponse(
  _ bytes: [UInt8], to methods: [String] = ["GET"], cutAt cuts: [Int] = []
) -> [HTTPEvent] {
  var parser = HTTPResponseParser()
  var waiting = methods[...]
  if let method = waiting.popFirst() { parser.expectResponse(to: method) }
  var events: [HTTPEvent] = []
  for piece in pieces(bytes, cuts) { events += parser.receive(piece) }
  return joined(events + parser.finish())
}

func pieces(_ bytes: [UInt8], _ cuts: [Int]) -> [[UInt8]] {
  let bounds = [0] + cuts + [bytes.count]
  return zip(bounds, bounds.dropFirst()).map { Array(bytes[$0..<$1]) }
}

func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

/// Returns the problem among events, if there is one.
func problem(_ events: [HTTPEvent]) -> HTTPProblem? {
  for case .problem(let problem) in events { return problem }
  return nil
}

struct `reading requests` {
  @Test func `a request without a body ends with its head`() {
    let events = parseRequest(bytes("GET /a?b=c HTTP/1.1\r\nHost: x\r\nA:  1 \r\na: 2\r\n\r\n"))
    let headers: HTTPHeaders = ["Host": "x", "A": "1", "a": "2"]
    #expect(
      events == [
        .request(HTTPRequest(method: "GET", target: "/a?b=c", headers: headers)),
        .end(keepAlive: true),
      ])
    #expect(headers["A"] == "1")
    #expect(headers.values("a") == ["1", "2"])
  }

  @Test func `a body comes by its length or in chunks`() {
    let length = parseRequest(bytes("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\nabc"))
    let chunked = parseRequest(
      bytes(
        "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
          + "1\r\na\r\n2;x=y\r\nbc\r\n0\r\nTrailer: t\r\n\r\n"))
    #expect(length.dropFirst() == [.body(bytes("abc")), .end(keepAlive: true)])
    #expect(chunked.dropFirst() == [.body(bytes("abc")), .end(keepAlive: true)])
  }

  @Test func `requests behind each other are reported one after the other`() {
    let one = "GET / HTTP/1.1\r\nHost: x\r\n\r\n"
    let events = parseRequest(bytes(one + one))
    #expect(events.count == 4)
    #expect(events[3] == .end(keepAlive: true))
  }

  @Test func `the last request on a connection says so, and nothing may follow it`() {
    let close = "GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
    #expect(parseRequest(bytes(close)).last == .end(keepAlive: false))
    #expect(parseRequest(bytes(close + "G")).last == .problem(.unexpectedBytes))
    #expect(parseRequest(bytes("GET / HTTP/1.0\r\n\r\n")).last == .end(keepAlive: false))
    let kept = "GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n"
    #expect(parseRequest(bytes(kept)).last == .end(keepAlive: true))
  }

  @Test func `what follows an upgrade is left alone`() {
    let events = parseRequest(
      bytes("GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: w\r\n\r\n\u{1}\u{2}"))
    #expect(events.dropFirst() == [.upgrade, .foreign([1, 2])])
    let connect = parseRequest(bytes("CONNECT x:1 HTTP/1.1\r\nHost: x:1\r\n\r\nhi"))
    #expect(connect.dropFirst() == [.upgrade, .foreign(bytes("hi"))])
  }

  @Test func `an upgrade that is declined goes on as HTTP`() {
    var parser = HTTPRequestParser()
    let first = parser.receive(
      bytes("GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: w\r\n\r\n"))
    #expect(first.last == .upgrade)
    let next = parser.declineUpgrade(rest: bytes("GET /b HTTP/1.1\r\nHost: x\r\n\r\n"))
    #expect(next.count == 2)
    #expect(next.last == .end(keepAlive: true))
  }

  @Test func `header values that are not UTF-8 are read byte by byte`() {
    let events = parseRequest(
      bytes("GET / HTTP/1.1\r\nHost: x\r\nA: ") + [0xE9] + bytes("\r\n\r\n"))
    guard case .request(let head)? = events.first else {
      Issue.record("no head")
      return
    }
    #expect(head.headers["a"] == "é")
  }
}

struct `reading responses` {
  @Test func `a body without a length lasts until the connection ends`() {
    let events = parseResponse(bytes("HTTP/1.1 200 Very Fine\r\n\r\nabc"))
    #expect(
      events == [
        .response(HTTPResponse(status: 200, reason: "Very Fine")), .body(bytes("abc")),
        .end(keepAlive: false),
      ])
  }

  @Test(arguments: [
    ("HEAD", "200 OK\r\nContent-Length: 5"), ("HEAD", "200 OK\r\nTransfer-Encoding: chunked"),
    ("HEAD", "200 OK"), ("GET", "204 No Content"), ("GET", "304 Not Modified"),
    ("GET", "200 OK\r\nContent-Length: 0"),
  ])
  func `answers that have no body end with their head`(method: String, head: String) {
    let events = parseResponse(bytes("HTTP/1.1 \(head)\r\n\r\n"), to: [method])
    #expect(events.count == 2)
    #expect(events.last == .end(keepAlive: true))
  }

  @Test func `interim responses are distinguished from the final one`() {
    let events = parseResponse(
      bytes(
        "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: a\r\n\r\n"
          + "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nx"))
    #expect(
      events == [
        .informational(HTTPResponse(status: 100)),
        .informational(HTTPResponse(status: 103, headers: ["Link": "a"])),
        .response(HTTPResponse(status: 200, headers: ["Content-Length": "1"])), .body(bytes("x")),
        .end(keepAlive: true),
      ])
  }

  @Test func `switching protocols and tunnels leave what follows alone`() {
    let head = "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: w\r\n\r\n"
    #expect(
      parseResponse(bytes(head + "hi")).dropFirst() == [.upgrade, .foreign(bytes("hi"))])
    let tunnel = parseResponse(
      bytes("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhi"), to: ["CONNECT"])
    #expect(tunnel.dropFirst() == [.upgrade, .foreign(bytes("hi"))])
  }

  @Test func `a response nobody asked for is a problem`() {
    let one = "HTTP/1.1 204 No Content\r\n\r\n"
    #expect(problem(parseResponse(bytes(one), to: [])) == .unexpectedBytes)
    #expect(problem(parseResponse(bytes(one + one))) == .unexpectedBytes)
  }
}
