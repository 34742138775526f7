import Protocols
import ScenarioPlan
import TextSearch
import Values

/// The value an endpoint emits for a request, and scripts see as `request`.
///
/// `{ get: /tasks, method: GET, path: /tasks, query: {…}, headers: {…}, connection: 1, json: … }`;
/// header names are in lower case, and a body is `json` where it is JSON, else `text`. Cookies, a
/// form and the parts of a body are there where the request has such. A name that a query or a form
/// repeats has a list.
package func requestValue(_ request: HTTPRequest, target: HTTPTarget, connection: Int) -> Value {
  var map = ValueMap(minimumCapacity: 8)
  map[request.method.lowercasedASCII] = .string(target.decodedPath)
  map["method"] = .string(request.method)
  map["path"] = .string(target.decodedPath)
  map["query"] = .map(ValueMap(gathering: target.items.map { ($0.name, $0.value) }))
  map["headers"] = headersValue(request.headers)
  map["connection"] = .int(connection)
  if let line = request.headers["Cookie"] { map["cookies"] = cookiesValue(line) }
  addBody(request.body, request.headers, to: &map)
  addFields(request.body, request.headers["Content-Type"] ?? "", to: &map)
  return .map(map)
}

private func cookiesValue(_ line: String) -> Value {
  var cookies = ValueMap()
  for pair in line.split(separator: ";") {
    let parts = pair.drop { $0 == " " }.split(separator: "=", maxSplits: 1)
    guard let name = parts.first else { continue }
    let value = parts.count > 1 ? SetCookie.unquoted(String(parts[1])) : ""
    cookies[String(name)] = .string(value)
  }
  return .map(cookies)
}

/// Adds the fields of a form to a request's value.
private func addFields(_ body: [UInt8], _ type: String, to map: inout ValueMap) {
  if mediaTypeName(type) == "application/x-www-form-urlencoded" {
    map["form"] = .map(
      ValueMap(gathering: QueryText.decode(body).map { ($0.name, $0.value) }))
  } else if let boundary = Multipart.boundary(in: type),
    let parts = Multipart.decode(body, boundary: boundary)
  {
    map["parts"] = .list(parts.map(partValue))
  }
}

private func partValue(_ part: Multipart.Part) -> Value {
  var map = ValueMap()
  map["name"] = .string(part.name)
  if let filename = part.filename { map["filename"] = .string(filename) }
  if let type = part.contentType { map["contentType"] = .string(type) }
  let headers: HTTPHeaders = part.contentType.map { ["Content-Type": $0] } ?? [:]
  addBody(part.body, headers, to: &map)
  return .map(map)
}

/// The value providers see as `response`.
func responseValue(_ response: HTTPResponse) -> Value {
  var map = ValueMap(minimumCapacity: 4)
  map["status"] = .int(response.status)
  map["headers"] = headersValue(response.headers)
  addBody(response.body, response.headers, to: &map)
  return .map(map)
}

/// Names in lower case. A field that comes several times has the list of its values.
private func headersValue(_ headers: HTTPHeaders) -> Value {
  .map(ValueMap(gathering: headers.lines.map { ($0.name.lowercasedASCII, $0.value) }))
}

/// The problem of an answer that claims to be JSON and has a key twice; nil for all others.
func duplicateKey(in response: HTTPResponse) -> JSONProblem? {
  guard isJSON(response.headers),
    let text = readText(of: response.body, response.headers).utf8(of: response.body),
    case .failure(let problem) = parseJSON(text, refusingDuplicateKeys: true),
    case .duplicateKey = problem.kind
  else { return nil }
  return problem
}

private func isJSON(_ headers: HTTPHeaders) -> Bool {
  headers["Content-Type"].map(namesJSON) ?? false
}

/// Adds a body: JSON as its value, unless it has a key twice and is ambiguous; text if it can be
/// read; otherwise its bytes.
private func addBody(_ body: [UInt8], _ headers: HTTPHeaders, to map: inout ValueMap) {
  guard !body.isEmpty else { return }
  let text = readText(of: body, headers)
  if isJSON(headers),
    case .success(let value) = text.utf8(of: body).map({
      parseJSON($0, refusingDuplicateKeys: true)
    })
  {
    map["json"] = value
    return
  }
  map["text"] = value(of: text, body)
}

/// A body in a place for text. Bytes that are no text stay bytes, which no matcher of text
/// matches.
private func value(of text: BodyText, _ body: [UInt8]) -> Value {
  switch text {
  case .plain: String(validating: body, as: UTF8.self).map { .string($0) } ?? .bytes(body)
  case .decoded(let text): .string(text)
  case .unreadable: .bytes(body)
  }
}

extension BodyText {
  /// Returns the text as UTF-8; nil if there is none.
  fileprivate func utf8(of body: [UInt8]) -> [UInt8]? {
    switch self {
    case .plain: body
    case .decoded(let text): Array(text.utf8)
    case .unreadable: nil
    }
  }
}

extension Value {
  /// Returns a request's value with the body in the form that a matcher asks for: as text even
  /// where it is JSON or empty, and as JSON whatever its type says.
  func withBody(of request: HTTPRequest, askedBy matcher: MatcherPlan) -> Value {
    guard case .map(let entries) = matcher.content, case .map(var map) = self else { return self }
    let text = readText(of: request.body, request.headers)
    for entry in entries where !entry.matcher.isAbsent {
      switch entry.key {
      case "text" where map["text"] == nil:
        map["text"] = ScenarioEngine.value(of: text, request.body)
      case "json" where map["json"] == nil:
        let read = text.utf8(of: request.body).map { parseJSON($0, refusingDuplicateKeys: true) }
        if case .success(let value)? = read { map["json"] = value }
      default: break
      }
    }
    return .map(map)
  }
}

extension MatcherPlan {
  /// True for `$absent`.
  fileprivate var isAbsent: Bool {
    guard case .operators(let operators) = content else { return false }
    return operators.contains { if case .absent = $0.kind { true } else { false } }
  }
}
