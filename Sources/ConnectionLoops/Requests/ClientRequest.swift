import JSONCoding
import LiveConnections
import Protocols
import Values

/// The request of a client: a URL, and what is sent to it.
///
/// ```swift
/// var request = ClientRequest("https://api.example.com/orders", authorization: .bearer(token))
/// request.method = "POST"
/// request.body = try .json(order)
/// ```
public struct ClientRequest: Sendable, Equatable, ExpressibleByStringLiteral {
  /// The absolute URL: `http` or `https`, for a WebSocket `ws` or `wss`. A fragment is not sent. A
  /// name and password in it are sent as basic authorization.
  public var url: String
  /// The method; without one, `GET`, or `POST` if there is a body.
  public var method: String?
  /// The fields that are sent besides the client's own. They replace the client's fields of the
  /// same name.
  public var headers: HeaderFields
  /// The credentials. They replace the credentials of the URL.
  public var authorization: Authorization?
  /// The body, and its type.
  public var body: RequestBody?

  /// Makes a request.
  public init(
    _ url: String, method: String? = nil, headers: HeaderFields = [:],
    authorization: Authorization? = nil, body: RequestBody? = nil
  ) {
    self.url = url
    self.method = method
    self.headers = headers
    self.authorization = authorization
    self.body = body
  }

  /// Makes a request for a URL.
  public init(stringLiteral url: String) { self.init(url) }
}

/// The credentials of a request. They are not sent to another server that a redirect leads to.
public enum Authorization: Sendable, Equatable {
  case bearer(String)
  case basic(name: String, password: String)
  /// The value of the header, of any other scheme.
  case other(String)

  /// The value of the header `Authorization`.
  public var headerValue: String {
    switch self {
    case .bearer(let token): "Bearer \(token)"
    case .basic(let name, let password): "Basic " + Base64.encode("\(name):\(password)".utf8)
    case .other(let value): value
    }
  }
}

extension Authorization: CustomStringConvertible {
  /// The scheme, without the secret.
  public var description: String {
    switch self {
    case .bearer: "Bearer ***"
    case .basic(let name, _): "Basic \(name):***"
    case .other: "***"
    }
  }
}

/// The body of a request, and its type.
public struct RequestBody: Sendable, Equatable {
  /// The bytes as they are sent.
  public var bytes: [UInt8]
  /// The value of `Content-Type`, unless the request has this header; nil sends none.
  public var contentType: String?

  /// Makes a body of bytes.
  public static func bytes(_ bytes: [UInt8], type: String? = nil) -> RequestBody {
    RequestBody(bytes: bytes, contentType: type)
  }

  /// Makes a body of text, in UTF-8.
  public static func text(_ text: String) -> RequestBody {
    RequestBody(bytes: Array(text.utf8), contentType: "text/plain; charset=utf-8")
  }

  /// Makes a body of JSON. Throws an `EncodingError` for a value that JSON does not have.
  public static func json(_ value: some Encodable) throws -> RequestBody {
    RequestBody(bytes: try encodeJSON(value), contentType: "application/json")
  }

  /// Makes a body of names and values, as HTML forms send it.
  public static func form(_ items: KeyValuePairs<String, String>) -> RequestBody {
    let text = QueryText.encode(items.map { QueryItem($0.key, $0.value) })
    return RequestBody(
      bytes: Array(text.utf8), contentType: "application/x-www-form-urlencoded")
  }
}

/// The answer to a request.
public struct ClientResponse: Sendable, Equatable {
  /// The status, such as 200.
  public var status: Int
  /// The phrase after the status. Programs do not rely on it.
  public var reason: String
  /// The fields of the head.
  public var headers: HeaderFields
  /// The body, expanded if it was compressed.
  public var body: [UInt8]

  /// Makes a response, such as the answer of a server in memory.
  public init(status: Int, headers: HeaderFields = [:], body: [UInt8] = []) {
    let response = HTTPResponse(status: status)
    self.init(response)
    self.headers = headers
    self.body = body
  }

  /// Makes a response with a text, in UTF-8.
  public init(status: Int, headers: HeaderFields = [:], text: String) {
    self.init(status: status, headers: headers, body: Array(text.utf8))
  }

  /// Makes a response with a value as JSON. Throws an `EncodingError` for a value that JSON does
  /// not have.
  public init(status: Int, headers: HeaderFields = [:], json: some Encodable) throws {
    self.init(status: status, headers: headers, body: try encodeJSON(json))
    if self.headers["Content-Type"] == nil { self.headers.add("Content-Type", "application/json") }
  }

  init(_ response: HTTPResponse) {
    status = response.status
    reason = response.reason
    headers = HeaderFields(response.headers)
    body = response.body
  }

  /// True for the statuses from 200 to 299.
  public var isSuccessful: Bool { (200..<300).contains(status) }

  /// The body as text, in UTF-8. Invalid bytes become U+FFFD.
  public var text: String { String(decoding: body, as: UTF8.self) }

  /// Returns the body's JSON as a value of a type. Throws a `DecodingError` if it does not fit.
  public func decoded<Decoded: Decodable>(as type: Decoded.Type = Decoded.self) throws -> Decoded {
    try decodeJSON(type, from: body)
  }
}

extension HTTPResponse {
  init(_ response: ClientResponse) {
    self.init(
      status: response.status, reason: response.reason, headers: response.headers.lines,
      body: response.body)
  }
}

extension ServerSentEvent {
  /// Returns the data's JSON as a value of a type. Throws a `DecodingError` if it does not fit.
  public func decoded<Decoded: Decodable>(as type: Decoded.Type = Decoded.self) throws -> Decoded {
    try decodeJSON(type, from: data.utf8)
  }
}
