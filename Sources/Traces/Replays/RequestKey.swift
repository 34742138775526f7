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

  init(_ line: TraceLine) {
    let json = line.value?.json ?? .null
    method = json["method"]?.plainText ?? ""
    path = json["path"]?.plainText ?? ""
    query = json["query"] ?? .null
    lastEventID = json["headers"]?["last-event-id"] ?? .null
    body = canonicalBody(of: json)
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

extension RequestKey {
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
/// fields, a multipart body without its boundary.
func canonicalBody(of json: Value) -> Value {
  guard let body = json["body"] else { return .null }
  guard case .string(let text) = body else { return body }
  let type = json["headers"]?["content-type"]?.plainText ?? ""
  if type.contains("x-www-form-urlencoded") {
    return .list(text.split(separator: "&").map(String.init).sorted().map { .string($0) })
  }
  guard let boundary = boundary(in: type) else { return body }
  return .string(text.replacingAll(boundary, with: "boundary"))
}

/// Returns the boundary of a multipart type.
func boundary(in type: String) -> String? {
  guard type.contains("multipart/"), let start = type.range(of: "boundary=") else { return nil }
  let value = type[start.upperBound...].prefix { $0 != ";" && $0 != " " }
  let name = value.filter { $0 != "\"" }
  return name.isEmpty ? nil : String(name)
}

private func namedOperation(in body: Value) -> Value? {
  guard case .map(let map) = body else { return nil }
  if map["jsonrpc"] != nil, let method = map["method"] {
    return [method, map["params"] ?? .null]
  }
  guard let query = map["query"] else { return nil }
  return [map["operationName"] ?? query, map["variables"] ?? .null]
}

extension String {
  /// Returns the text with each occurrence of a part replaced.
  func replacingAll(_ part: String, with other: String) -> String {
    split(separator: part, omittingEmptySubsequences: false).joined(separator: other)
  }

  fileprivate func range(of part: String) -> Range<String.Index>? { firstRange(of: part) }
}

/// Returns the differences of two values by path, each as `name.key: recorded 1, asked 2`.
func valueDifferences(
  _ path: String, _ recorded: Value, _ now: Value, verb: String = "asked"
) -> [String] {
  if isMatch(recorded, now) { return [] }
  if case .map(let a) = recorded, case .map(let b) = now {
    let keys = Set(a.keys.map(\.plainText)).union(b.keys.map(\.plainText)).sorted()
    return keys.flatMap { key in
      valueDifferences("\(path).\(key)", a[key] ?? .null, b[key] ?? .null, verb: verb)
    }
  }
  return ["\(path): recorded \(short(recorded)), \(verb) \(short(now))"]
}

private func short(_ value: Value) -> String {
  let text = value.json(sortedKeys: true)
  return text.count <= 60 ? text : String(text.prefix(60)) + "…"
}
