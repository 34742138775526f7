import Testing
import Values

@testable import Protocols

/// The key and its answer as RFC 6455 shows them.
private let key = Base64.decode("dGhlIHNhbXBsZSBub25jZQ==") ?? []
private let accept = "s3pPLMBiTxaQ9kYGzzhZRbK+xOo="

private func handshake(
  protocols: [String] = ["chat", "superchat"], headers: HTTPHeaders = [:]
) -> WebSocketHandshake {
  WebSocketHandshake(
    key: key, host: "server.example", target: "/chat", protocols: protocols, headers: headers)
}

private func answer(_ headers: HTTPHeaders, status: Int = 101) -> HTTPResponse {
  var lines: HTTPHeaders = [
    "Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Accept": accept,
  ]
  for line in headers.lines { lines[line.name] = line.value == "-" ? nil : line.value }
  return HTTPResponse(status: status, headers: lines)
}

struct `the opening request` {
  @Test func `stands as RFC 6455 shows it`() throws {
    let text = try handshake(headers: ["Origin": "http://example.com"]).request.encoded().get()
    #expect(
      String(decoding: text, as: UTF8.self) == "GET /chat HTTP/1.1\r\nHost: server.example\r\n"
        + "Upgrade: websocket\r\nConnection: Upgrade\r\n"
        + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n"
        + "Sec-WebSocket-Protocol: chat, superchat\r\nOrigin: http://example.com\r\n\r\n")
  }

  @Test func `names no subprotocol where none is offered`() {
    #expect(!handshake(protocols: []).request.headers.contains("Sec-WebSocket-Protocol"))
  }

  @Test func `takes headers given in place of its own`() {
    let request = handshake(headers: ["sec-websocket-version": "12"]).request
    #expect(request.headers.values("Sec-WebSocket-Version") == ["12"])
  }
}

struct `the answer to it` {
  @Test(
    arguments: [
      ([:], nil), (["Sec-WebSocket-Protocol": "superchat"], "superchat"),
      (["Upgrade": "WebSocket", "Connection": "keep-alive, upgrade"], nil),
    ] as [(HTTPHeaders, String?)])
  func `is accepted with the subprotocol the server chose`(headers: HTTPHeaders, chosen: String?) {
    #expect(handshake().check(answer(headers)) == .success(chosen))
  }

  @Test(
    arguments: [
      (["Upgrade": "-"], .missingUpgrade), (["Upgrade": "h2c"], .missingUpgrade),
      (["Connection": "-"], .missingConnection), (["Connection": "close"], .missingConnection),
      (["Sec-WebSocket-Accept": "-"], .missingAccept),
      (["Sec-WebSocket-Accept": "S3pPLMBiTxaQ9kYGzzhZRbK+xOo="], .wrongAccept),
      (["Sec-WebSocket-Accept": ""], .wrongAccept),
      (["Sec-WebSocket-Protocol": "Chat"], .unofferedProtocol("Chat")),
      (["Sec-WebSocket-Protocol": "chat, superchat"], .unofferedProtocol("chat, superchat")),
      (
        ["Sec-WebSocket-Extensions": "permessage-deflate; client_no_context_takeover"],
        .unofferedExtension("permessage-deflate")
      ),
    ] as [(HTTPHeaders, WebSocketHandshakeProblem)])
  func `is refused for the rule it breaks`(headers: HTTPHeaders, problem: WebSocketHandshakeProblem)
  {
    #expect(handshake().check(answer(headers)) == .failure(problem))
  }

  @Test(arguments: [200, 301, 401, 500])
  func `with another status is reported with that status`(status: Int) {
    #expect(
      handshake().check(answer([:], status: status)) == .failure(.unexpectedStatus(status)))
  }

  @Test func `names one subprotocol, and only if some were offered`() {
    var twice = answer(["Sec-WebSocket-Protocol": "chat"])
    twice.headers.add("Sec-WebSocket-Protocol", "superchat")
    #expect(handshake().check(twice) == .failure(.severalProtocols))
    #expect(
      handshake(protocols: []).check(answer(["Sec-WebSocket-Protocol": "chat"]))
        == .failure(.unofferedProtocol("chat")))
  }

  @Test func `may agree to an extension that was offered`() {
    let offering = handshake(headers: ["Sec-WebSocket-Extensions": "x; a=1, y"])
    #expect(
      offering.check(answer(["Sec-WebSocket-Extensions": "y;b"])) == .success(nil))
  }
}

struct `the server's side of the handshake` {
  @Test func `reads what is offered and answers as RFC 6455 shows it`() throws {
    var request = handshake().request
    request.headers.add("Sec-WebSocket-Protocol", "third")
    let offer = try WebSocketOffer.check(request).get()
    #expect(offer.protocols == ["chat", "superchat", "third"])
    #expect(offer.accepted(protocol: "chat") == answer(["Sec-WebSocket-Protocol": "chat"]))
    #expect(handshake().check(offer.accepted()) == .success(nil))
  }

  @Test func `can answer wrongly on purpose`() throws {
    let offer = try WebSocketOffer.check(handshake().request).get()
    let wrong = offer.accepted(protocol: "mqtt", headers: ["Sec-WebSocket-Accept": "x", "A": "b"])
    #expect(wrong.headers.values("Sec-WebSocket-Accept") == ["x"])
    #expect(wrong.headers["Sec-WebSocket-Protocol"] == "mqtt")
    #expect(wrong.headers["A"] == "b")
  }

  @Test(
    arguments: [
      (["Upgrade": "h2c"], .missingUpgrade, 426),
      (["Connection": "close"], .missingConnection, 400),
      (["Sec-WebSocket-Version": "8"], .unsupportedVersion, 426),
      (["Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ="], .invalidKey, 400),
      (["Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25j"], .invalidKey, 400),
      (["Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25-ZQ=="], .invalidKey, 400),
      (["Sec-WebSocket-Key": ""], .invalidKey, 400),
    ] as [(HTTPHeaders, WebSocketHandshakeProblem, Int)])
  func `refuses a request for the rule it breaks`(
    headers: HTTPHeaders, problem: WebSocketHandshakeProblem, status: Int
  ) {
    let request = handshake(headers: headers).request
    #expect(WebSocketOffer.check(request) == .failure(problem))
    #expect(problem.answer.status == status)
  }

  @Test func `refuses other methods and versions, and a request without a key or version`() {
    var request = handshake().request
    request.method = "POST"
    #expect(WebSocketOffer.check(request) == .failure(.invalidMethod))
    request = handshake().request
    request.version = .http10
    #expect(WebSocketOffer.check(request) == .failure(.invalidHTTPVersion))
    request = handshake().request
    request.headers["Sec-WebSocket-Key"] = nil
    #expect(WebSocketOffer.check(request) == .failure(.missingKey))
    request.headers["Sec-WebSocket-Version"] = nil
    #expect(WebSocketOffer.check(request) == .failure(.unsupportedVersion))
  }

  @Test func `answers a request for another version with its own`() {
    #expect(
      WebSocketHandshakeProblem.unsupportedVersion.answer.headers["Sec-WebSocket-Version"] == "13")
  }

  @Test func `knows which requests are meant to open a WebSocket`() {
    #expect(WebSocketOffer.isMeant(by: handshake(headers: ["Sec-WebSocket-Key": "x"]).request))
    #expect(!WebSocketOffer.isMeant(by: HTTPRequest(method: "GET", target: "/")))
  }
}

struct `a handshake over HTTP` {
  @Test func `hands the connection over, with what comes behind the answer`() throws {
    var client = HTTPClientConnection()
    var server = HTTPServerConnection()
    let handshake = handshake()
    guard case .send(let asked)? = client.on(.requestSent(handshake.request)).first,
      case .requestArrived(let request)? = server.on(.bytesReceived(asked)).first,
      case .send(let answered)? = server.on(
        .responded(try WebSocketOffer.check(request).get().accepted(protocol: "chat"))
      ).first
    else {
      Issue.record("nothing was sent")
      return
    }
    let hello = WebSocketFrame(.text, bytes("hello")).encoded()
    let actions = client.on(.bytesReceived(answered + hello))
    guard case .upgrade(let response)? = actions.first else {
      Issue.record("\(actions)")
      return
    }
    #expect(handshake.check(response) == .success("chat"))
    #expect(actions.dropFirst() == [.passOn(hello)])
    #expect(server.on(.bytesReceived([1, 2])) == [.passOn([1, 2])])
  }

  @Test func `that the server declines is an answer like others`() throws {
    var client = HTTPClientConnection()
    var server = HTTPServerConnection()
    _ = client.on(.requestSent(handshake().request))
    let bytes = try handshake().request.encoded().get()
    _ = server.on(.bytesReceived(bytes))
    let answer = WebSocketHandshakeProblem.unsupportedVersion.answer
    guard case .send(let answered)? = server.on(.responded(answer)).first,
      case .deliver(let response)? = client.on(.bytesReceived(answered)).first
    else {
      Issue.record("nothing was delivered")
      return
    }
    #expect(handshake().check(response) == .failure(.unexpectedStatus(426)))
  }
}
