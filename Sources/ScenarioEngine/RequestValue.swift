import Protocols
import Values

/// The value an endpoint emits for a request, and scripts see as `request`.
///
/// `{ get: /tasks, method: GET, path: /tasks, query: {…}, headers: {…}, connection: 1, json: … }`;
/// header names are in lower case, and a body is `json` where it is JSON, else `text`.
func requestValue(_ request: HTTPRequest, target: HTTPTarget, connection: Int) -> Value {
  var map = ValueMap(minimumCapacity: 8)
  map[request.method.lowercased()] = .string(target.decodedPath)
  map["method"] = .string(request.method)
  map["path"] = .string(target.decodedPath)
  var query = ValueMap()
  for item in target.items { query[item.name] = .string(item.value) }
  map["query"] = .map(query)
  map["headers"] = headersValue(request.headers)
  map["connection"] = .int(connection)
  addBody(request.body, request.headers, to: &map)
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

private func headersValue(_ headers: HTTPHeaders) -> Value {
  var map = ValueMap(minimumCapacity: headers.lines.count)
  for line in headers.lines {
    let name = line.name.lowercased()
    if case .string(let before)? = map[name] {
      map[name] = .string("\(before), \(line.value)")
    } else {
      map[name] = .string(line.value)
    }
  }
  return .map(map)
}

private func addBody(_ body: [UInt8], _ headers: HTTPHeaders, to map: inout ValueMap) {
  guard !body.isEmpty else { return }
  let type = headers["Content-Type"] ?? ""
  if type.hasPrefix("application/json") || type.contains("+json") {
    if case .success(let value) = parseJSON(body) {
      map["json"] = value
      return
    }
  }
  map["text"] = .string(String(decoding: body, as: UTF8.self))
}
