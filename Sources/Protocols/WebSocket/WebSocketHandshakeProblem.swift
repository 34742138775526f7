/// The reason why a WebSocket was not opened: a flaw in the answer, or in the request.
package enum WebSocketHandshakeProblem: Error, Sendable, Equatable {
  case unexpectedStatus(Int)
  case missingUpgrade
  case missingConnection
  case missingAccept
  case wrongAccept
  case unofferedProtocol(String)
  case severalProtocols
  case unofferedExtension(String)
  case invalidMethod
  case invalidHTTPVersion
  case unsupportedVersion
  case missingKey
  case invalidKey

  /// The stable name of the problem, in kebab-case.
  package var id: String {
    switch self {
    case .unexpectedStatus: "websocket-unexpected-status"
    case .missingUpgrade: "websocket-missing-upgrade"
    case .missingConnection: "websocket-missing-connection"
    case .missingAccept: "websocket-missing-accept"
    case .wrongAccept: "websocket-wrong-accept"
    case .unofferedProtocol: "websocket-unoffered-protocol"
    case .severalProtocols: "websocket-several-protocols"
    case .unofferedExtension: "websocket-unoffered-extension"
    case .invalidMethod: "websocket-invalid-method"
    case .invalidHTTPVersion: "websocket-invalid-http-version"
    case .unsupportedVersion: "websocket-unsupported-version"
    case .missingKey: "websocket-missing-key"
    case .invalidKey: "websocket-invalid-key"
    }
  }

  /// The broken rule, or the event, in one sentence.
  package var message: String {
    switch self {
    case .unexpectedStatus(let status): "a WebSocket opens with status 101, not \(status)"
    case .missingUpgrade: "the header Upgrade says `websocket`"
    case .missingConnection: "the header Connection says `Upgrade`"
    case .missingAccept: "the answer proves with Sec-WebSocket-Accept that the key was read"
    case .wrongAccept: "Sec-WebSocket-Accept is made from the key of the request"
    case .unofferedProtocol(let name): "the subprotocol `\(name)` was not offered"
    case .severalProtocols: "a server chooses one subprotocol at most"
    case .unofferedExtension(let name): "the extension `\(name)` was not offered"
    case .invalidMethod: "the method of an opening handshake is GET"
    case .invalidHTTPVersion: "an opening handshake is made in HTTP/1.1"
    case .unsupportedVersion: "Sec-WebSocket-Version is 13"
    case .missingKey: "an opening handshake has a Sec-WebSocket-Key"
    case .invalidKey: "Sec-WebSocket-Key is 16 bytes in Base64"
    }
  }

  /// The answer to a request with the problem.
  package var answer: HTTPResponse {
    let headers: HTTPHeaders
    let status: Int
    switch self {
    case .invalidMethod: (status, headers) = (405, ["Allow": "GET"])
    case .invalidHTTPVersion: (status, headers) = (505, [:])
    case .missingUpgrade:
      (status, headers) = (426, ["Upgrade": "websocket", "Connection": "Upgrade"])
    case .unsupportedVersion: (status, headers) = (426, ["Sec-WebSocket-Version": "13"])
    case .unexpectedStatus, .missingAccept, .wrongAccept, .unofferedProtocol, .severalProtocols,
      .unofferedExtension, .missingConnection, .missingKey, .invalidKey:
      (status, headers) = (400, [:])
    }
    return HTTPResponse(status: status, headers: headers, body: Array((message + "\n").utf8))
  }
}
