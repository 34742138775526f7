import ConnectionLoops

/// A header of a request, by its meaning.
public enum HTTPHeader: Sendable {
  /// The proof of who sends a request.
  public enum Credentials: Sendable { case bearer(String) }
  /// The type of a body.
  public enum MediaType: String, Sendable { case json = "application/json" }

  case authorization(Credentials)
  /// Another spelling of `authorization`.
  case authentication(Credentials)
  case contentType(MediaType)

  fileprivate var field: HeaderField {
    switch self {
    case .authorization(.bearer(let token)), .authentication(.bearer(let token)):
      HeaderField("Authorization", "Bearer \(token)")
    case .contentType(let type): HeaderField("Content-Type", type.rawValue)
    }
  }
}

/// The request that opens a stream of events.
public struct SSERequest: Sendable {
  let request: ClientRequest

  /// Makes a request of a URL with headers beside the protocol's.
  public init(url: String, additionalHeaders: [HTTPHeader]? = nil) {
    request = ClientRequest(url, additionalHeaders)
  }
}

/// The request that opens a WebSocket.
public struct WebSocketRequest: Sendable {
  let request: ClientRequest
  let protocols: [String]

  /// Makes a request of a URL, with the subprotocols that the client offers, the best one first,
  /// and headers beside the protocol's.
  public init(url: String, protocols: [String]? = nil, additionalHeaders: [HTTPHeader]? = nil) {
    request = ClientRequest(url, additionalHeaders)
    self.protocols = protocols ?? []
  }
}

extension ClientRequest {
  fileprivate init(_ url: String, _ headers: [HTTPHeader]?) {
    self.init(url, headers: HeaderFields((headers ?? []).map(\.field)))
  }
}
