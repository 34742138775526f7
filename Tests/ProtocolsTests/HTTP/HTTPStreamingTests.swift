import Testing

@testable import Protocols

private let get = HTTPRequest(method: "GET", target: "/", headers: ["Host": "x"])

/// A client that has asked for a response that streams.
private func waitingClient(for request: HTTPRequest = get) -> HTTPClientConnection {
  var client = HTTPClientConnection()
  _ = client.on(.requestSent(request, streams: true))
  return client
}

/// Returns the actions of a client on these pieces and on the end of the connection, with the
/// pieces of a body and foreign bytes joined.
private func actions(
  to pieces: [[UInt8]], method: String = "GET", closes: Bool = true
) -> [HTTPClientConnection.Action] {
  var client = waitingClient(
    for: HTTPRequest(method: method, target: "/", headers: ["Host": "x"]))
  var done: [HTTPClientConnection.Action] = []
  for piece in pieces { done += client.on(.bytesReceived(piece)) }
  if closes { done += client.on(.closed) }
  return joined(done)
}

private func joined(
  _ actions: [HTTPClientConnection.Action]
) -> [HTTPClientConnection.Action] {
  var joined: [HTTPClientConnection.Action] = []
  for action in actions {
    switch (joined.last, action) {
    case (.bodyArrived(let before)?, .bodyArrived(let piece)):
      joined[joined.count - 1] = .bodyArrived(before + piece)
    case (.passOn(let before)?, .passOn(let piece)):
      joined[joined.count - 1] = .passOn(before + piece)
    default: joined.append(action)
    }
  }
  return joined
}

private let chunkedHead = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
private let chunked = HTTPResponse(status: 200, headers: ["Transfer-Encoding": "chunked"])

private let streams: [(method: String, text: String)] = [
  ("GET", chunkedHead + "3\r\nabc\r\n1\r\nd\r\n0\r\n\r\n"),
  ("GET", chunkedHead + "3\r\nabc\r\n"), ("GET", chunkedHead + "3\r\nab"),
  ("GET", chunkedHead + "3\r\nabc\r\nx\r\n"), ("GET", chunkedHead + "0\r\nA: 1\r\n\r\nfoo"),
  ("GET", "HTTP/1.1 200 OK\r\n\r\nuntil the end"),
  ("GET", "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabc"),
  ("GET", "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nabc"),
  ("GET", "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 302 Found\r\nLocation: /b\r\n\r\nmoved"),
  ("GET", "HTTP/1.1 204 No Content\r\n\r\n"),
  ("HEAD", "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\n"),
  ("GET", "HTTP/1.1 101 Switching\r\nConnection: upgrade\r\nUpgrade: w\r\n\r\nabc"),
  ("GET", "HTTP/1.1 101 Switching\r\n\r\n"), ("CONNECT", "HTTP/1.1 200 OK\r\n\r\nabc"),
  ("GET", "HTTP/1.1 2"), ("GET", ""), ("GET", "SSH-2.0\r\n"),
]

struct `a response that streams` {
  @Test func `its head comes as soon as it is there, and its body piece by piece`() {
    var client = waitingClient()
    #expect(client.on(.bytesReceived(bytes(chunkedHead))) == [.headArrived(chunked)])
    #expect(client.on(.bytesReceived(bytes("3\r\nab"))) == [.bodyArrived(bytes("ab"))])
    #expect(client.on(.bytesReceived(bytes("c\r\n"))) == [.bodyArrived(bytes("c"))])
    #expect(!client.isIdle)
    #expect(client.on(.bytesReceived(bytes("0\r\n\r\n"))) == [.bodyEnded])
    #expect(client.isIdle)
  }

  @Test func `everything may come at once`() {
    let all = actions(to: [bytes(chunkedHead + "1\r\na\r\n0\r\n\r\n")], closes: false)
    #expect(all == [.headArrived(chunked), .bodyArrived(bytes("a")), .bodyEnded])
  }

  @Test(arguments: [200, 301, 401, 404, 503])
  func `a status is no failure`(status: Int) {
    let head = HTTPResponse(status: status, headers: ["Content-Length": "1"])
    let text = "HTTP/1.1 \(status) \(head.reason)\r\nContent-Length: 1\r\n\r\n"
    #expect(actions(to: [bytes(text)], closes: false) == [.headArrived(head)])
  }

  @Test func `a body until the end of the connection ends with it`() {
    let head = HTTPResponse(status: 200)
    #expect(
      actions(to: [bytes("HTTP/1.1 200 OK\r\n\r\nab")])
        == [.headArrived(head), .bodyArrived(bytes("ab")), .bodyEnded, .close])
  }

  @Test(arguments: [
    ("3\r\nabc\r\n", HTTPProblem.unexpectedEndInChunkedBody),
    ("3\r\nabc\r\n0\r\n", .unexpectedEndInChunkedBody), ("3\r\nabc\r\nx", .invalidChunkSize),
  ])
  func `a body that is cut short or broken fails, and does not end`(
    rest: String, problem: HTTPProblem
  ) {
    #expect(
      actions(to: [bytes(chunkedHead + rest)])
        == [.headArrived(chunked), .bodyArrived(bytes("abc")), .fail(problem), .abort])
  }

  @Test func `a reset fails what has begun`() {
    var client = waitingClient()
    _ = client.on(.bytesReceived(bytes(chunkedHead)))
    #expect(client.on(.reset) == [.fail(.connectionReset)])
    #expect(client.isOver)
  }

  @Test func `cancelling leaves at once, and nothing more arrives`() {
    var client = waitingClient()
    _ = client.on(.bytesReceived(bytes(chunkedHead)))
    #expect(client.on(.cancelled) == [.abort])
    #expect(client.on(.bytesReceived(bytes("1\r\na\r\n"))) == [])
    #expect(client.on(.closed) == [])
  }

  @Test func `the next response on the connection is whole again`() {
    var client = waitingClient()
    _ = client.on(.bytesReceived(bytes(chunkedHead + "0\r\n\r\n")))
    _ = client.on(.requestSent(get))
    #expect(
      client.on(.bytesReceived(bytes("HTTP/1.1 204 No Content\r\n\r\n")))
        == [.deliver(HTTPResponse(status: 204))])
  }

  @Test func `a body may be longer than one that is kept whole`() {
    var client = waitingClient()
    _ = client.on(.bytesReceived(bytes("HTTP/1.1 200 OK\r\n\r\n")))
    let piece = [UInt8](repeating: 0, count: HTTPLimits.bodyBytes / 4)
    for _ in 0..<5 { #expect(client.on(.bytesReceived(piece)).count == 1) }
    #expect(client.on(.closed) == [.bodyEnded, .close])
  }

  @Test func `an upgrade hands the connection over, with the bytes that came behind it`() {
    let head: HTTPHeaders = ["Connection": "upgrade", "Upgrade": "w"]
    let text = "HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: w\r\n\r\nhi"
    #expect(
      actions(to: [bytes(text)], closes: false)
        == [.upgrade(HTTPResponse(status: 101, headers: head)), .passOn(bytes("hi"))])
  }

  @Test(arguments: streams.indices)
  func `a response is parsed the same at every boundary and every pair`(index: Int) {
    let (method, text) = streams[index]
    expectSameHoweverCut(bytes(text)) { actions(to: $0, method: method) }
  }

  @Test(arguments: [1, 2, 3, 4] as [UInt64])
  func `damaged responses are parsed the same however they are cut, and never crash`(seed: UInt64) {
    expectSameWhenDamaged(streams.map { bytes($0.text) }, seed: seed) { actions(to: $0) }
  }
}

struct `a response that is streamed to a client` {
  @Test func `passes through both sides, each piece at once`() {
    var client = waitingClient()
    var server = HTTPServerConnection()
    _ = server.on(.bytesReceived(bytes("GET / HTTP/1.1\r\nHost: x\r\n\r\n")))
    let inputs: [HTTPServerConnection.Input] = [
      .responseStarted(HTTPResponse(status: 200)), .bodyWritten(bytes("data: a\n\n")),
      .bodyWritten(bytes("data: b\n\n")), .responseEnded,
    ]
    var arrived: [[HTTPClientConnection.Action]] = []
    for input in inputs {
      guard case .send(let bytes)? = server.on(input).first else {
        Issue.record("nothing was sent")
        return
      }
      arrived.append(client.on(.bytesReceived(bytes)))
    }
    #expect(
      arrived == [
        [.headArrived(chunked)], [.bodyArrived(bytes("data: a\n\n"))],
        [.bodyArrived(bytes("data: b\n\n"))], [.bodyEnded],
      ])
  }
}
