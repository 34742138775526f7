import Protocols
import ScenarioEngine
import Values

/// A request to an endpoint.
public struct EndpointRequest: Sendable {
  /// The method in upper case.
  public var method: String
  /// The path with its query.
  public var path: String
  /// The lines of the head, in their order.
  public var headers: [(name: String, value: String)]
  /// The bytes of the body.
  public var body: [UInt8]

  /// Makes a request with the bytes of its body.
  public init(
    _ method: String, _ path: String, headers: [String: String] = [:], body: [UInt8] = []
  ) {
    self.method = method
    self.path = path
    self.headers = headers.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    self.body = body
  }

  /// Makes a request with a value as JSON.
  public init(_ method: String, _ path: String, json: Any, headers: [String: String] = [:]) {
    self.init(method, path, headers: headers, body: jsonBytes(json))
    if header("Content-Type") == nil {
      self.headers.append((name: "Content-Type", value: "application/json"))
    }
  }

  /// Returns the first value of a header, whose name is found in any case.
  public func header(_ name: String) -> String? { first(name, of: headers) }

  /// The body as text.
  public var text: String { String(decoding: body, as: UTF8.self) }

  /// The body as a value; nil if it is no JSON.
  public var json: Value? { try? parseJSON(body, refusingDuplicateKeys: true).get() }
}

/// The answer of an endpoint.
public struct EndpointResponse: Sendable {
  /// The status, such as 200.
  public var status: Int
  /// The lines of the head, in their order.
  public var headers: [(name: String, value: String)]
  /// The bytes of the body.
  public var body: [UInt8]

  /// Makes an answer with the bytes of its body.
  public init(status: Int = 200, headers: [String: String] = [:], body: [UInt8] = []) {
    self.status = status
    self.headers = headers.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    self.body = body
  }

  /// Makes an answer with a value as JSON.
  public init(status: Int = 200, json: Any) {
    self.init(
      status: status, headers: ["Content-Type": "application/json"], body: jsonBytes(json))
  }

  /// Returns the first value of a header, whose name is found in any case.
  public func header(_ name: String) -> String? { first(name, of: headers) }

  /// The body as text.
  public var text: String { String(decoding: body, as: UTF8.self) }

  /// The body as a value; nil if it is no JSON.
  public var json: Value? { try? parseJSON(body, refusingDuplicateKeys: true).get() }

  /// Returns the answer if its status is one of success; throws `EndpointError` otherwise.
  public func checked() throws -> EndpointResponse {
    guard (200..<300).contains(status) else { throw EndpointError(self) }
    return self
  }

  /// Makes a Swift value of a JSON body. A status other than success is an `EndpointError`.
  public func decoded<Decoded: Decodable>(
    as type: Decoded.Type = Decoded.self
  ) throws -> Decoded {
    guard let json = try checked().json else { throw ScenarioValueError("the body is no JSON") }
    return try json.decoded(as: type)
  }
}

/// The reason why a request failed, as the scenario's own providers see it: `{ status: 503 }`, or
/// `{ reason: connectionLost }`.
public struct EndpointError: Error, Equatable, ScenarioEncodable {
  /// The error as a scenario sees it.
  public let scenarioValue: Value

  /// Makes an error from its value.
  public init(scenarioValue: Value) { self.scenarioValue = scenarioValue }

  /// The status of the answer; nil if none came.
  public var status: Int? {
    if case .int(let status)? = scenarioValue["status"] { status } else { nil }
  }

  init(_ response: EndpointResponse) {
    var map = ValueMap()
    map["status"] = .int(response.status)
    map["reason"] = .string(standardReason(of: response.status))
    if let json = response.json {
      map["json"] = json
    } else if !response.body.isEmpty {
      map["text"] = .string(response.text)
    }
    scenarioValue = .map(map)
  }
}

private func first(_ name: String, of headers: [(name: String, value: String)]) -> String? {
  headers.first { $0.name.lowercased() == name.lowercased() }?.value
}

private func jsonBytes(_ value: Any) -> [UInt8] {
  Value(reflecting: value).jsonBytes
}

extension EndpointRequest {
  init(_ request: SubjectRequest) {
    self.init(request.method, request.target, body: request.body)
    headers = request.headers
  }

  var sent: SubjectRequest {
    SubjectRequest(
      method: method, target: path.hasPrefix("/") ? path : "/" + path, headers: headers, body: body)
  }
}

extension EndpointResponse {
  init(_ response: SubjectResponse) {
    self.init(status: response.status, body: response.body)
    headers = response.headers
  }

  var sent: SubjectResponse { SubjectResponse(status: status, headers: headers, body: body) }
}
