import Values

/// The client's side of the opening handshake: a request, and what its answer must be.
package struct WebSocketHandshake: Sendable {
  /// What is to be sent; once it is answered with 101, HTTP ends on the connection.
  package let request: HTTPRequest

  /// The key is 16 bytes of chance. Headers given replace those of the same name, so that a request
  /// that is wrong can be made on purpose; of several under one name all are sent.
  package init(
    key: [UInt8], host: String, target: String, protocols: [String] = [],
    headers: HTTPHeaders = HTTPHeaders()
  ) {
    var own: HTTPHeaders = [
      "Host": host, "Upgrade": "websocket", "Connection": "Upgrade",
      "Sec-WebSocket-Key": Base64.encode(key), "Sec-WebSocket-Version": supportedVersion,
    ]
    if !protocols.isEmpty {
      own.add("Sec-WebSocket-Protocol", protocols.joined(separator: ", "))
    }
    let kept = own.lines.filter { !headers.contains($0.name) }
    request = HTTPRequest(
      method: "GET", target: target, headers: HTTPHeaders(kept + headers.lines))
  }

  /// The subprotocol the server chose, nil for none; or which rule the answer breaks.
  package func check(
    _ response: HTTPResponse
  ) -> Result<String?, WebSocketHandshakeProblem> {
    guard response.status == 101 else { return .failure(.unexpectedStatus(response.status)) }
    if let problem = upgradeProblem(response.headers) { return .failure(problem) }
    guard let accept = response.headers["Sec-WebSocket-Accept"] else {
      return .failure(.missingAccept)
    }
    guard accept == acceptance(of: request.headers["Sec-WebSocket-Key"] ?? "") else {
      return .failure(.wrongAccept)
    }
    if let name = unofferedExtension(response) { return .failure(.unofferedExtension(name)) }
    return chosenProtocol(response)
  }

  private func chosenProtocol(
    _ response: HTTPResponse
  ) -> Result<String?, WebSocketHandshakeProblem> {
    let chosen = response.headers.values("Sec-WebSocket-Protocol")
    guard chosen.count <= 1 else { return .failure(.severalProtocols) }
    guard let name = chosen.first else { return .success(nil) }
    let offered = request.headers.words("Sec-WebSocket-Protocol")
    return offered.contains(name) ? .success(name) : .failure(.unofferedProtocol(name))
  }

  private func unofferedExtension(_ response: HTTPResponse) -> String? {
    let offered = request.headers.words("Sec-WebSocket-Extensions").map(extensionName)
    let named = response.headers.words("Sec-WebSocket-Extensions").map(extensionName)
    return named.first { !offered.contains($0) }
  }
}

/// The server's side of the opening handshake: what a client asks for, where it asks by the rules.
package struct WebSocketOffer: Sendable, Equatable {
  /// The subprotocols offered, the one the client likes best first.
  package let protocols: [String]
  private let key: String

  /// True for a request that means to open a WebSocket, rightly or wrongly.
  package static func isMeant(by request: HTTPRequest) -> Bool {
    request.headers.lists("websocket", under: "Upgrade")
  }

  /// What a request offers, or which rule it breaks.
  package static func check(
    _ request: HTTPRequest
  ) -> Result<WebSocketOffer, WebSocketHandshakeProblem> {
    guard request.method == "GET" else { return .failure(.invalidMethod) }
    guard request.version == .http11 else { return .failure(.invalidHTTPVersion) }
    if let problem = upgradeProblem(request.headers) { return .failure(problem) }
    guard request.headers["Sec-WebSocket-Version"] == supportedVersion else {
      return .failure(.unsupportedVersion)
    }
    guard let key = request.headers["Sec-WebSocket-Key"] else { return .failure(.missingKey) }
    guard isKey(key) else { return .failure(.invalidKey) }
    let protocols = request.headers.words("Sec-WebSocket-Protocol")
    return .success(WebSocketOffer(protocols: protocols, key: key))
  }

  /// The answer that opens the WebSocket; a subprotocol that was not offered is sent all the same,
  /// and headers given replace those of the same name, for servers that are wrong on purpose.
  package func accepted(
    protocol name: String? = nil, headers: HTTPHeaders = HTTPHeaders()
  ) -> HTTPResponse {
    var own: HTTPHeaders = [
      "Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Accept": acceptance(of: key),
    ]
    if let name { own.add("Sec-WebSocket-Protocol", name) }
    let kept = own.lines.filter { !headers.contains($0.name) }
    return HTTPResponse(status: 101, headers: HTTPHeaders(kept + headers.lines))
  }

  /// The key is 16 bytes in Base64, two of whose letters are filling.
  private static func isKey(_ text: String) -> Bool {
    text.utf8.count == 24 && text.hasSuffix("==") && !text.contains { $0 == "-" || $0 == "_" }
      && Base64.decode(text)?.count == 16
  }
}

/// The version of the protocol that RFC 6455 describes; there is no other.
private let supportedVersion = "13"

/// What both sides' heads say alike.
private func upgradeProblem(_ headers: HTTPHeaders) -> WebSocketHandshakeProblem? {
  guard headers.lists("websocket", under: "Upgrade") else { return .missingUpgrade }
  return headers.lists("Upgrade", under: "Connection") ? nil : .missingConnection
}

/// What proves that a key was read by a server that speaks WebSocket.
private func acceptance(of key: String) -> String {
  Base64.encode(sha1(Array((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").utf8)))
}

/// The name of an extension without its parameters.
private func extensionName(_ text: String) -> String {
  String(text.prefix { $0 != ";" && $0 != " " && $0 != "\t" })
}
