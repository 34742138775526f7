import Testing

@testable import Protocols

private let get = HTTPRequest(method: "GET", target: "/", headers: ["Host": "x"])
private let getBytes = bytes("GET / HTTP/1.1\r\nHost: x\r\n\r\n")

struct `the client's side of a connection` {
  var client = HTTPClientConnection()

  @Test func `a long body is sent without a copy for each client`() {
    let body = [UInt8](repeating: 7, count: 1 << 20)
    func place(_ bytes: [UInt8]) -> UnsafeRawPointer? { bytes.withUnsafeBytes { $0.baseAddress } }
    for _ in 0..<2 {
      var server = HTTPServerConnection()
      _ = server.on(.bytesReceived(bytes("GET / HTTP/1.1\r\nHost: here\r\n\r\n")))
      let pieces = server.on(.responded(HTTPResponse(status: 200, body: body))).compactMap {
        action -> [UInt8]? in
        if case .send(let bytes) = action { bytes } else { nil }
      }
      #expect(pieces.count == 2)
      #expect(pieces.last.map(place) == place(body))
    }
  }

  @Test mutating func `one request at a time, and the next behind it`() {
    #expect(client.on(.requestSent(get)) == [.send(getBytes)])
    #expect(client.on(.requestSent(get)) == [.refuse(.connectionBusy)])
    let actions = client.on(.bytesReceived(bytes("HTTP/1.1 204 No Content\r\n\r\n")))
    #expect(actions == [.deliver(HTTPResponse(status: 204))])
    #expect(client.isIdle)
    #expect(client.on(.requestSent(get)) == [.send(getBytes)])
  }

  @Test mutating func `a request that cannot be written leaves the connection as it was`() {
    let bad = HTTPRequest(method: "GET", target: "/ /")
    #expect(client.on(.requestSent(bad)) == [.refuse(.unsendableTarget)])
    #expect(client.isIdle)
  }

  @Test mutating func `a body until the end is delivered when the connection closes`() {
    _ = client.on(.requestSent(get))
    #expect(client.on(.bytesReceived(bytes("HTTP/1.1 200 OK\r\n\r\nab"))) == [])
    #expect(client.on(.bytesReceived(bytes("c"))) == [])
    #expect(
      client.on(.closed) == [.deliver(HTTPResponse(status: 200, body: bytes("abc"))), .close])
    #expect(client.on(.requestSent(get)) == [.refuse(.connectionClosed)])
  }

  @Test mutating func `a server that closes after its answer is left`() {
    _ = client.on(.requestSent(get))
    let answer = "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 1\r\n\r\na"
    let actions = client.on(.bytesReceived(bytes(answer)))
    #expect(actions.last == .close)
    #expect(actions.count == 2)
    #expect(client.on(.closed) == [])
    #expect(client.isOver)
  }

  @Test(arguments: [
    ("", HTTPProblem.unexpectedEndBeforeHead), ("HTTP/1.1 200", .unexpectedEndInHead),
    ("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\na", .unexpectedEndInBody),
    ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", .unexpectedEndInChunkedBody),
  ])
  func `an answer that is cut short fails for where it was cut`(text: String, problem: HTTPProblem)
  {
    var client = HTTPClientConnection()
    _ = client.on(.requestSent(get))
    #expect(client.on(.bytesReceived(bytes(text))) == [])
    #expect(client.on(.closed) == [.fail(problem), .abort])
    #expect(client.on(.closed) == [])
  }

  @Test mutating func `what is no HTTP fails and is left at once`() {
    _ = client.on(.requestSent(get))
    #expect(
      client.on(.bytesReceived(bytes("SSH-2.0\r\n"))) == [.fail(.invalidStatusLine), .abort])
    #expect(client.on(.bytesReceived(bytes("x"))) == [])
  }

  @Test mutating func `bytes nobody asked for end the connection, and fail nothing`() {
    #expect(client.on(.bytesReceived(bytes("HTTP/1.1 200 OK\r\n\r\n"))) == [.abort])
    #expect(client.isOver)
  }

  @Test mutating func `a reset fails the request in flight, and only that`() {
    var idle = client
    #expect(idle.on(.reset) == [])
    _ = client.on(.requestSent(get))
    #expect(client.on(.reset) == [.fail(.connectionReset)])
    #expect(client.isOver)
  }

  @Test mutating func `cancelling gives the connection up, and nothing is delivered`() {
    #expect(client.on(.cancelled) == [])
    _ = client.on(.requestSent(get))
    #expect(client.on(.cancelled) == [.abort])
    #expect(client.on(.bytesReceived(bytes("HTTP/1.1 204 No Content\r\n\r\n"))) == [])
  }

  @Test mutating func `an idle connection that the server closes is closed`() {
    #expect(client.on(.closed) == [.close])
    #expect(client.isOver)
  }

  @Test mutating func `an upgrade hands the connection over`() {
    _ = client.on(.requestSent(get))
    let head: HTTPHeaders = ["Connection": "upgrade", "Upgrade": "w"]
    let actions = client.on(
      .bytesReceived(
        bytes("HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: w\r\n\r\nhi")))
    #expect(
      actions == [.upgrade(HTTPResponse(status: 101, headers: head)), .passOn(bytes("hi"))])
    #expect(client.on(.bytesReceived(bytes("more"))) == [.passOn(bytes("more"))])
  }

  @Test mutating func `a request that is the last one closes, whatever the server says`() {
    let last = HTTPRequest(method: "GET", target: "/", headers: ["Connection": "close"])
    _ = client.on(.requestSent(last))
    let actions = client.on(.bytesReceived(bytes("HTTP/1.1 204 No Content\r\n\r\n")))
    #expect(actions == [.deliver(HTTPResponse(status: 204)), .close])
  }

  @Test mutating func `an answer to HEAD states a length and has no body`() {
    _ = client.on(.requestSent(HTTPRequest(method: "HEAD", target: "/", headers: ["Host": "x"])))
    let actions = client.on(.bytesReceived(bytes("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n")))
    #expect(actions == [.deliver(HTTPResponse(status: 200, headers: ["Content-Length": "5"]))])
  }
}

struct `the server's side of a connection` {
  var server = HTTPServerConnection()
  let ok = HTTPResponse(status: 204)

  @Test mutating func `requests arrive one after the other, each after an answer`() {
    let second = "GET /2 HTTP/1.1\r\nHost: x\r\n\r\n"
    #expect(server.on(.bytesReceived(getBytes + bytes(second))) == [.requestArrived(get)])
    let third = server.on(.bytesReceived(bytes("GET /3 HTTP/1.1\r\nHost: x\r\n\r\n")))
    #expect(third == [])
    var next = get
    next.target = "/2"
    #expect(
      server.on(.responded(ok))
        == [.send(bytes("HTTP/1.1 204 No Content\r\n\r\n")), .requestArrived(next)])
    next.target = "/3"
    #expect(server.on(.responded(ok)).last == .requestArrived(next))
    #expect(server.on(.responded(ok)).count == 1)
    #expect(server.on(.responded(ok)) == [.refuse(.unexpectedResponse)])
  }

  @Test mutating func `a client that leaves before the answer cancels it`() {
    _ = server.on(.bytesReceived(getBytes))
    var broken = server
    #expect(server.on(.closed) == [.cancelled, .close])
    #expect(broken.on(.reset) == [.cancelled])
    #expect(broken.on(.responded(ok)) == [.refuse(.unexpectedResponse)])
  }

  @Test mutating func `a client that leaves between requests cancels nothing`() {
    var broken = server
    #expect(server.on(.closed) == [.close])
    #expect(broken.on(.reset) == [])
  }

  @Test mutating func `half a request fails when the client leaves`() {
    _ = server.on(.bytesReceived(bytes("GET /")))
    var broken = server
    #expect(server.on(.closed) == [.fail(.unexpectedEndInHead), .close])
    #expect(broken.on(.reset) == [.fail(.connectionReset)])
  }

  @Test mutating func `what is no request is answered so, and the connection closed`() {
    let actions = server.on(.bytesReceived(bytes("NOPE / HTTP/1.1\r\n")))
    #expect(actions.first == .fail(.invalidMethod))
    #expect(actions.last == .close)
    guard case .send(let answer)? = actions.dropFirst().first else {
      Issue.record("no answer")
      return
    }
    #expect(answer.starts(with: bytes("HTTP/1.1 501 Not Implemented\r\nConnection: close\r\n")))
    #expect(server.on(.bytesReceived(getBytes)) == [])
  }

  @Test mutating func `a client that closes after its request is reported`() {
    let request = "GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
    _ = server.on(.bytesReceived(bytes(request)))
    #expect(
      server.on(.responded(ok))
        == [.send(bytes("HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n")), .close])
  }

  @Test mutating func `an answer may close the connection`() {
    _ = server.on(.bytesReceived(getBytes))
    let last = HTTPResponse(status: 204, headers: ["connection": "Close"])
    #expect(server.on(.responded(last)).last == .close)
    #expect(server.isOver)
  }

  @Test mutating func `a client that waits before its body is asked to continue`() {
    let head =
      "POST / HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 1\r\n\r\n"
    #expect(
      server.on(.bytesReceived(bytes(head))) == [.send(bytes("HTTP/1.1 100 Continue\r\n\r\n"))])
    guard case .requestArrived(let request)? = server.on(.bytesReceived(bytes("a"))).first else {
      Issue.record("nothing arrived")
      return
    }
    #expect(request.body == bytes("a"))
  }

  @Test mutating func `an answer piece by piece is chunked`() {
    _ = server.on(.bytesReceived(getBytes))
    #expect(
      server.on(.responseStarted(HTTPResponse(status: 200)))
        == [.send(bytes("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"))])
    #expect(server.on(.bodyWritten(bytes("abc"))) == [.send(bytes("3\r\nabc\r\n"))])
    #expect(server.on(.bodyWritten([])) == [])
    #expect(server.on(.responseEnded) == [.send(bytes("0\r\n\r\n"))])
    #expect(server.on(.bodyWritten(bytes("x"))) == [.refuse(.unexpectedResponse)])
  }

  @Test mutating func `an old client sees the end of such an answer as the end of the connection`()
  {
    _ = server.on(.bytesReceived(bytes("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")))
    _ = server.on(.responseStarted(HTTPResponse(status: 200)))
    #expect(server.on(.bodyWritten(bytes("abc"))) == [.send(bytes("abc"))])
    #expect(server.on(.responseEnded) == [.close])
  }

  @Test mutating func `an answer that cannot be written may be replaced`() {
    _ = server.on(.bytesReceived(getBytes))
    let bad = HTTPResponse(status: 200, headers: ["A": "\r\n"])
    #expect(server.on(.responded(bad)) == [.refuse(.unsendableHeader)])
    #expect(server.on(.responded(ok)).count == 1)
  }

  @Test mutating func `an upgrade hands the connection over`() {
    let request = "GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: w\r\n\r\n"
    #expect(server.on(.bytesReceived(bytes(request + "hi"))).count == 1)
    #expect(server.on(.bytesReceived(bytes("!"))) == [])
    let agreed = HTTPResponse(status: 101, headers: ["Connection": "Upgrade", "Upgrade": "w"])
    #expect(server.on(.responded(agreed)).last == .passOn(bytes("hi!")))
    #expect(server.on(.bytesReceived(bytes("more"))) == [.passOn(bytes("more"))])
  }

  @Test mutating func `an upgrade that is declined goes on as HTTP`() {
    let request = "GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: w\r\n\r\n"
    _ = server.on(.bytesReceived(bytes(request) + getBytes))
    #expect(server.on(.responded(ok)).last == .requestArrived(get))
  }

  @Test mutating func `what goes ahead of an answer does not answer`() {
    _ = server.on(.bytesReceived(getBytes))
    #expect(
      server.on(.responded(HTTPResponse(status: 103)))
        == [.send(bytes("HTTP/1.1 103 Early Hints\r\n\r\n"))])
    #expect(server.on(.responded(ok)) == [.send(bytes("HTTP/1.1 204 No Content\r\n\r\n"))])
  }

  @Test mutating func `an answer without a body has none piece by piece either`() {
    _ = server.on(.bytesReceived(getBytes))
    #expect(
      server.on(.responseStarted(HTTPResponse(status: 304)))
        == [.send(bytes("HTTP/1.1 304 Not Modified\r\n\r\n"))])
    #expect(server.on(.bodyWritten(bytes("abc"))) == [])
    #expect(server.on(.responseEnded) == [])
    #expect(server.on(.bytesReceived(getBytes)) == [.requestArrived(get)])
  }

  @Test mutating func `a head that takes too long is answered with 408, and nothing else is`() {
    #expect(server.on(.headTimedOut) == [])
    _ = server.on(.bytesReceived(bytes("GET / HT")))
    #expect(server.isReadingHead)
    let answer = "HTTP/1.1 408 Request Timeout\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"
    #expect(server.on(.headTimedOut) == [.fail(.slowHead), .send(bytes(answer)), .close])
    #expect(server.isOver)
    #expect(server.on(.bytesReceived(bytes("TP/1.1\r\n"))) == [])
  }

  @Test mutating func `a head behind a request that waits has its time when that is answered`() {
    _ = server.on(.bytesReceived(getBytes + bytes("GET / HT")))
    #expect(!server.isReadingHead)
    #expect(server.on(.headTimedOut) == [])
    _ = server.on(.responded(HTTPResponse(status: 204)))
    #expect(server.isReadingHead)
    _ = server.on(.bytesReceived(bytes("TP/1.1\r\nHost: x\r\n\r\n")))
    #expect(!server.isReadingHead)
  }

  @Test(arguments: [1, 66, 1_000])
  mutating func `each of the requests that pile up is answered`(count: Int) {
    var arrived = 0
    var actions = server.on(.bytesReceived([UInt8](repeatElement(getBytes, count: count).joined())))
    #expect(server.wantsBytes == (count <= HTTPLimits.waitingRequests))
    while case .requestArrived? = actions.last {
      arrived += 1
      actions = server.on(.responded(HTTPResponse(status: 204)))
    }
    #expect(arrived == count)
    #expect(server.wantsBytes && !server.isOver)
  }

  @Test mutating func `a client that only stops sending gets its answers`() {
    _ = server.on(.bytesReceived(getBytes + getBytes))
    #expect(server.on(.halfClosed) == [])
    let first = server.on(.responded(HTTPResponse(status: 204)))
    #expect(first.count == 2 && !server.isOver)
    let second = server.on(.responded(HTTPResponse(status: 204)))
    #expect(second.last == .close && server.isOver)
    #expect(server.on(.closed) == [])
  }

  @Test mutating func `a client that stops sending within its stream gets all of it`() {
    _ = server.on(.bytesReceived(getBytes))
    _ = server.on(.responseStarted(HTTPResponse(status: 200)))
    #expect(server.on(.halfClosed) == [])
    #expect(server.on(.bodyWritten([0x61])) == [.send(bytes("1\r\na\r\n"))])
    #expect(server.on(.responseEnded) == [.send(bytes("0\r\n\r\n")), .close])
  }

  @Test mutating func `a client that stops sending within a request gets the answers before it`() {
    _ = server.on(.bytesReceived(getBytes + bytes("GET / HT")))
    #expect(server.on(.halfClosed) == [])
    let actions = server.on(.responded(HTTPResponse(status: 204)))
    #expect(actions.count == 2 && actions.last == .close)
  }
}
