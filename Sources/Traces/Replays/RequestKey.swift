import Diagnostics
import Protocols
import Values

/// The parts of a request that decide which recorded exchange answers it.
struct RequestKey: Sendable {
  var method: String
  var path: String
  var query: Value
  var lastEventID: Value
  var body: Value
  /// The method and parameters of JSON-RPC, or the operation of GraphQL; nil for other bodies.
  var operation: Value?

  init(_ line: TraceLine, _ noise: ReplayNoise = ReplayNoise()) {
    let json = noise.choosing(line)
    method = json["method"]?.plainText ?? ""
    path = json["path"]?.plainText ?? ""
    query = json["query"] ?? .null
    lastEventID = json["headers"]?["last-event-id"] ?? .null
    body = canonicalBody(of: json)
    if !noise.isEmpty {
      let scope = NoiseScope(line.source ?? "", .request, method: method, path: path)
      query = noise.leveled(query, in: scope, at: "/query")
      lastEventID = noise.leveled(lastEventID, in: scope, at: "/headers/last-event-id")
      body = noise.leveled(body, in: scope, at: "/body")
    }
    operation = namedOperation(in: body)
  }
}

/// A rule by which a recorded exchange was found for a request; the strictest one comes first.
package enum RequestLayer: Int, CaseIterable, Sendable {
  case exact, operation, query, path

  /// The rule in words.
  package var text: String {
    switch self {
    case .exact: "method, path, query, Last-Event-ID and body"
    case .operation: "method, path, query and operation"
    case .query: "method, path and query"
    case .path: "method and path"
    }
  }
}

/// Hashes of the parts of a request. Requests that are equal by a rule have equal ones; others may.
struct RequestPrints: Sendable {
  private var query: UInt32
  private var operation: UInt32
  private var exact: UInt32
  /// Stands for a part that contains a secret, which may be any text.
  private static let any: UInt32 = 0

  fileprivate init(_ key: RequestKey) {
    query = RequestPrints.print(of: [key.query])
    operation = RequestPrints.print(of: [key.query] + (key.operation.map { [$0] } ?? []))
    exact = RequestPrints.print(of: [key.query, key.lastEventID, key.body])
  }

  private static func print(of parts: [Value]) -> UInt32 {
    var hash = 0
    for part in parts {
      guard let print = requestPrint(of: part) else { return any }
      hash = hash &* 31 &+ print
    }
    return UInt32(truncatingIfNeeded: hash ^ hash >> 32) | 1
  }

  /// Returns whether a recorded request may answer to another one by a rule. The method and path
  /// are those of its group.
  func mayAnswer(to asked: RequestPrints, by layer: RequestLayer) -> Bool {
    switch layer {
    case .path: true
    case .query: query == asked.query || query == RequestPrints.any
    case .operation: operation == asked.operation || operation == RequestPrints.any
    case .exact: isExactly(asked)
    }
  }

  /// Returns whether two requests seem to be equal.
  func isExactly(_ asked: RequestPrints) -> Bool {
    exact == asked.exact || exact == RequestPrints.any
  }
}

/// Returns the hash of a part of a request; nil if it contains a secret. Equal values have equal
/// ones, also if their keys have another order.
private func requestPrint(of value: Value) -> Int? {
  var hasher = Hasher()
  switch value {
  case .string(let text):
    if text.contains("‹") { return nil }
    hasher.combine(text)
  case .list(let elements):
    for element in elements {
      guard let print = requestPrint(of: element) else { return nil }
      hasher.combine(print)
    }
  case .map(let map):
    var sum = 0
    for (key, value) in map {
      guard key != .string(TraceEncoding.secret.rawValue), let print = requestPrint(of: value)
      else { return nil }
      var entry = Hasher()
      entry.combine(key)
      entry.combine(print)
      sum &+= entry.finalize()
    }
    hasher.combine(sum)
  case .null, .bool, .int, .uint, .double, .digits, .bytes, .timestamp, .duration, .type, .optional:
    hasher.combine(value)
  }
  return hasher.finalize()
}

extension RequestKey {
  /// The hashes of the parts that rules compare.
  var prints: RequestPrints { RequestPrints(self) }

  /// Returns whether a recorded request answers to this one by a rule.
  func isTaken(for asked: RequestKey, by layer: RequestLayer) -> Bool {
    guard method == asked.method, isMatch(.string(path), .string(asked.path)) else { return false }
    switch layer {
    case .path: return true
    case .query: return isMatch(query, asked.query)
    case .operation:
      guard let operation, let other = asked.operation else { return false }
      return isMatch(query, asked.query) && isMatch(operation, other)
    case .exact:
      return isMatch(query, asked.query) && isMatch(lastEventID, asked.lastEventID)
        && isMatch(body, asked.body)
    }
  }

  /// Returns what differs, each part as `query: recorded 1, asked 2`.
  func differences(from asked: RequestKey) -> [String] {
    let parts: [(String, Value, Value)] = [
      ("method", .string(method), .string(asked.method)),
      ("path", .string(path), .string(asked.path)), ("query", query, asked.query),
      ("Last-Event-ID", lastEventID, asked.lastEventID), ("body", body, asked.body),
    ]
    return parts.flatMap { name, recorded, now in valueDifferences(name, recorded, now) }
  }
}

/// Returns a body in the form in which two of them are compared: JSON as it is, a form by its
/// fields, a multipart body by its parts.
func canonicalBody(of json: Value) -> Value {
  guard let body = json["body"] else { return .null }
  let type = json["headers"]?["content-type"]?.plainText ?? ""
  if case .string(let text) = body, type.contains("x-www-form-urlencoded") {
    return .list(text.split(separator: "&").map(String.init).sorted().map { .string($0) })
  }
  guard let boundary = multipartBoundary(in: type) else { return body }
  if let bytes = bytes(of: body), let parts = Multipart.decode(bytes, boundary: boundary) {
    return .list(parts.map(\.json))
  }
  return body
}

/// Returns the boundary of a multipart type; nil if there is none.
func multipartBoundary(in type: String) -> String? {
  Multipart.boundary(in: type).flatMap { $0.isEmpty ? nil : $0 }
}

private func bytes(of body: Value) -> [UInt8]? {
  switch body {
  case .string(let text): Array(text.utf8)
  case .map:
    if case .success(.bytes(let bytes)) = TraceValue(json: body).decoded() { bytes } else { nil }
  default: nil
  }
}

extension Multipart.Part {
  fileprivate var json: Value {
    var map = ValueMap([("name", .string(name))])
    map["filename"] = filename.map { .string($0) }
    map["type"] = contentType.map { .string($0) }
    map["body"] =
      TraceValue(String(validating: body, as: UTF8.self).map { .string($0) } ?? .bytes(body)).json
    return .map(map)
  }
}

private func namedOperation(in body: Value) -> Value? {
  guard case .map(let map) = body else { return nil }
  if map["jsonrpc"] != nil, let method = map["method"] {
    return [method, map["params"] ?? .null]
  }
  guard let query = map["query"] else { return nil }
  return [map["operationName"] ?? query, map["variables"] ?? .null]
}

/// Returns the differences of two values by path, each as `name.key: recorded 1, asked 2`.
func valueDifferences(
  _ path: String, _ recorded: Value, _ now: Value,
  sides: (String, String) = ("recorded", "asked")
) -> [String] {
  if isMatch(recorded, now) { return [] }
  if case .map(let a) = recorded, case .map(let b) = now {
    let keys = Set(a.keys).union(b.keys).sorted { $0.plainText < $1.plainText }
    return keys.flatMap { key in
      valueDifferences("\(path).\(key.plainText)", a[key] ?? .null, b[key] ?? .null, sides: sides)
    }
  }
  if case .list(let a) = recorded, case .list(let b) = now, a.count == b.count {
    return zip(a, b).enumerated().flatMap { place, pair in
      valueDifferences("\(path)[\(place)]", pair.0, pair.1, sides: sides)
    }
  }
  var difference = "\(path): \(sides.0) \(short(recorded)), \(sides.1) \(short(now))"
  if case .string(let before) = recorded, case .string(let text) = now,
    let unseen = codePointDifference(actual: text, expected: before)
  {
    difference += "; " + unseen
  }
  return [difference]
}

private func short(_ value: Value) -> String {
  let text = value.json(sortedKeys: true)
  return text.count <= 60 ? text : String(text.prefix(60)) + "…"
}
