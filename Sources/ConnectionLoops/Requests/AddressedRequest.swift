import Protocols

/// A request that is ready to be sent, and the server that it goes to.
struct AddressedRequest: Sendable {
  var server: ServerAddress
  var target: String
  /// The header fields, with those of the URL, the authorization and the body.
  var headers: HTTPHeaders
  var method: String
  var body: [UInt8]

  init(_ request: ClientRequest, schemes: [String]) throws(ClientError) {
    let colon = request.url.utf8.firstIndex(of: UInt8(ascii: ":")) ?? request.url.endIndex
    let scheme = request.url[..<colon].lowercased()
    guard schemes.contains(scheme) else {
      throw .request("a URL here begins with `\(schemes[0])://` or `\(schemes[1])://`")
    }
    // A fragment is never sent.
    let end = request.url.utf8.firstIndex(of: UInt8(ascii: "#")) ?? request.url.endIndex
    let text = request.url[..<end]
    let query = text.utf8.firstIndex(of: UInt8(ascii: "?"))
    switch AbsoluteURL.read(String(text[..<(query ?? text.endIndex)])) {
    case .failure(let problem): throw .request(problem.message)
    case .success(let url):
      server = ServerAddress(url)
      target = (url.path.isEmpty ? "/" : url.path) + (query.map { text[$0...] } ?? "")
      headers = request.headers.lines
      method = request.method ?? (request.body == nil ? "GET" : "POST")
      body = request.body?.bytes ?? []
      complete(url, request)
    }
  }

  private mutating func complete(_ url: AbsoluteURL, _ request: ClientRequest) {
    if let type = request.body?.contentType, !headers.contains("Content-Type") {
      headers.add("Content-Type", type)
    }
    let authorization = request.authorization?.headerValue ?? url.authorization
    if let authorization, !headers.contains("Authorization") {
      headers.add("Authorization", authorization)
    }
  }

  /// The request as it is sent, with the host before all other fields.
  var http: HTTPRequest {
    var headers = headers
    if !headers.contains("Host") {
      headers.lines.insert(HTTPHeader("Host", server.hostHeader), at: 0)
    }
    return HTTPRequest(method: method, target: target, headers: headers, body: body)
  }
}
