import ConnectionLoops

// The names of the reference system for live communication, as calls of the products. A program
// that moves over needs no more than this.

public enum HTTPHeader {
  public enum Credentials { case bearer(String) }
  public enum MediaType: String { case json = "application/json" }

  case authorization(Credentials)
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

public struct SSERequest: Sendable {
  let request: ClientRequest

  public init(url: String, additionalHeaders: [HTTPHeader]? = nil) {
    request = ClientRequest(url, additionalHeaders)
  }
}

public struct WebSocketRequest: Sendable {
  let request: ClientRequest
  let protocols: [String]

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
