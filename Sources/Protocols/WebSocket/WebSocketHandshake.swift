import Values

/// The client's side of the opening handshake: a request, and the check of its answer.
package struct WebSocketHandshake: Sendable {
  /// The request to send; when it is answered with 101, HTTP ends on the connection.
  package let request: HTTPRequest

  /// Makes a handshake. The key is 16 random bytes. Given headers replace those of the same name,
  /// so that a wrong request can be made on purpose; several under one name are all sent.
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

  /// Returns the subprotocol that the server chose, nil for none; or the rule that the answer
  /// breaks.
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

/// The server's side of the opening handshake: the offer of a client that follows the rules.
package struct WebSocketOffer: Sendable, Equatable {
  /// The offered subprotocols, in the client's order of preference.
  package let protocols: [String]
  private let key: String

  /// Returns whether a request means to open a WebSocket, correctly or not.
  package static func isMeant(by request: HTTPRequest) -> Bool {
    request.headers.lists("websocket", under: "Upgrade")
  }

  /// Returns the offer of a request, or the rule that it breaks.
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

  /// Returns the answer that opens the WebSocket. A subprotocol that was not offered is sent
  /// nevertheless, and given headers replace those of the same name, for servers that are wrong on
  /// purpose.
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

  /// Returns whether a text can be a key: 16 bytes in Base64, with two padding characters.
  private static func isKey(_ text: String) -> Bool {
    text.utf8.count == 24 && text.hasSuffix("==") && !text.contains { $0 == "-" || $0 == "_" }
      && Base64.decode(text)?.count == 16
  }
}

/// The version of the protocol that RFC 6455 describes; there is no other.
private let supportedVersion = "13"

/// Returns the problem of the fields that both sides' heads share.
private func upgradeProblem(_ headers: HTTPHeaders) -> WebSocketHandshakeProblem? {
  guard headers.lists("websocket", under: "Upgrade") else { return .missingUpgrade }
  return headers.lists("Upgrade", under: "Connection") ? nil : .missingConnection
}

/// Returns the proof that a WebSocket server has read the key.
private func acceptance(of key: String) -> String {
  Base64.encode(sha1Digest(Array((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").utf8)))
}

/// Returns the name of an extension without its parameters.
private func extensionName(_ text: String) -> String {
  String(text.prefix { $0 != ";" && $0 != " " && $0 != "\t" })
}
