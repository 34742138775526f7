import Testing

@testable import Protocols

private let get = HTTPRequest(method: "GET", target: "/", headers: ["Host": "x"])
private let hello = compressedVectors[0]
private let gzipHeaders: HTTPHeaders = ["Content-Encoding": "gzip", "Transfer-Encoding": "chunked"]

/// A compressed body in chunks, behind its head.
private func response(_ body: [UInt8], coding: String = "gzip") -> [UInt8] {
  let head =
    "HTTP/1.1 200 OK\r\nContent-Encoding: \(coding)\r\nTransfer-Encoding: chunked\r\n\r\n"
  return bytes(head) + HTTPChunks.chunk(body) + HTTPChunks.last
}

private func client(streams: Bool) -> HTTPClientConnection {
  var client = HTTPClientConnection()
  _ = client.on(.requestSent(get, streams: streams))
  return client
}

struct `a compressed response` {
  @Test func `is delivered expanded, under its own headers`() {
    var client = client(streams: false)
    let whole = HTTPResponse(status: 200, headers: gzipHeaders, body: hello.expanded)
    #expect(client.on(.bytesReceived(response(hello.bytes))) == [.deliver(whole)])
    #expect(client.isIdle)
  }

  @Test(arguments: [true, false])
  func `is expanded once for each coding, the last one first`(streams: Bool) {
    var inner = ContentEncoder(.gzip)
    var outer = ContentEncoder(.brotli)
    let body = outer.finish(inner.finish(bytes("twice")))
    expectSameHoweverCut(response(body, coding: "gzip, br")) { pieces in
      var client = client(streams: streams)
      var told: [UInt8] = []
      for action in pieces.flatMap({ client.on(.bytesReceived($0)) }) {
        if case .bodyArrived(let piece) = action { told += piece }
        if case .deliver(let response) = action { told += response.body }
      }
      return told
    }
  }

  @Test(arguments: [ContentCoding.brotli, .zstd])
  func `streams piece by piece in every coding`(coding: ContentCoding) {
    var client = client(streams: true)
    var encoder = ContentEncoder(coding)
    let head =
      "HTTP/1.1 200 OK\r\nContent-Encoding: \(coding.rawValue)\r\n"
      + "Transfer-Encoding: chunked\r\n\r\n"
    _ = client.on(.bytesReceived(bytes(head)))
    for text in ["data: a\n\n", "data: b\n\n"] {
      let chunk = HTTPChunks.chunk(encoder.write(bytes(text)))
      #expect(client.on(.bytesReceived(chunk)) == [.bodyArrived(bytes(text))])
    }
    let end = HTTPChunks.chunk(encoder.finish()) + HTTPChunks.last
    #expect(client.on(.bytesReceived(end)) == [.bodyEnded])
  }

  @Test func `streams expanded, each piece as soon as it can be known`() {
    var client = client(streams: true)
    var encoder = ContentEncoder(.gzip)
    let head = bytes(
      "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n")
    #expect(
      client.on(.bytesReceived(head)) == [
        .headArrived(HTTPResponse(status: 200, headers: gzipHeaders))
      ]
    )
    for text in ["data: a\n\n", "data: b\n\n"] {
      let chunk = HTTPChunks.chunk(encoder.write(bytes(text)))
      #expect(client.on(.bytesReceived(chunk)) == [.bodyArrived(bytes(text))])
    }
    let end = HTTPChunks.chunk(encoder.finish()) + HTTPChunks.last
    #expect(client.on(.bytesReceived(end)) == [.bodyEnded])
  }

  @Test(arguments: [true, false])
  func `is the same at every boundary and every pair`(streams: Bool) {
    expectSameHoweverCut(response(hello.bytes)) { pieces in
      var client = client(streams: streams)
      var told: [UInt8] = []
      for action in pieces.flatMap({ client.on(.bytesReceived($0)) }) {
        if case .bodyArrived(let piece) = action { told += piece }
        if case .deliver(let response) = action { told += response.body }
      }
      return told + [client.isIdle ? 1 : 0]
    }
  }

  @Test(arguments: [true, false])
  func `that is incomplete or no such thing fails`(streams: Bool) {
    var short = client(streams: streams)
    let cut = short.on(.bytesReceived(response(hello.bytes.dropLast())))
    #expect(cut.suffix(2) == [.fail(.unexpectedEndInContentCoding), .abort])
    var plain = client(streams: streams)
    let actions = plain.on(.bytesReceived(response(bytes("data: a"))))
    #expect(actions.suffix(2) == [.fail(.invalidContentCoding), .abort])
    #expect(plain.isOver)
  }

  @Test func `that expands to more than a body may have fails`() {
    var client = client(streams: false)
    var encoder = ContentEncoder(.gzip)
    let body = encoder.write([UInt8](repeating: 0, count: HTTPLimits.bodyBytes + 1))
    #expect(
      client.on(.bytesReceived(response(body + encoder.finish())))
        == [.fail(.expandedBodyTooLarge), .abort])
  }

  @Test func `in a coding that is not known is left as it is`() {
    var client = client(streams: false)
    guard
      case .deliver(let whole)? = client.on(.bytesReceived(response([1, 2], coding: "lzma"))).first
    else {
      Issue.record("nothing was delivered")
      return
    }
    #expect(whole.body == [1, 2])
  }

  @Test(arguments: [true, false], ["Content-Encoding: gzip", "Content-Length: 50"])
  func `without a body has none, whatever its head says`(streams: Bool, header: String) {
    var client = client(streams: streams)
    let text = "HTTP/1.1 304 Not Modified\r\n\(header)\r\n\r\n"
    let parts = header.split(separator: ":").map(String.init)
    let headers = HTTPHeaders([HTTPHeaderLine(parts[0], String(parts[1].dropFirst()))])
    let head = HTTPResponse(status: 304, headers: headers)
    let expected: [HTTPClientConnection.Action] =
      streams ? [.headArrived(head), .bodyEnded] : [.deliver(head)]
    #expect(client.on(.bytesReceived(bytes(text))) == expected)
    #expect(client.isIdle)
  }
}
