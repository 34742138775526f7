import Protocols
import TextSearch

/// A request that is ready to be sent, and the server that it goes to.
struct AddressedRequest: Sendable {
  var server: ServerAddress
  var target: String
  /// The header fields, with those of the URL, the authorization and the body.
  var headers: HTTPHeaders
  var method: String
  var body: [UInt8]

  init(_ request: ClientRequest, schemes: [String]) throws(ClientError) {
    let url = request.url
    guard AddressedRequest.hasScheme(url, of: schemes) else {
      throw .request("a URL here begins with `\(schemes[0])://` or `\(schemes[1])://`")
    }
    // A fragment is never sent.
    let end = url.firstIndex(ofASCII: "#") ?? url.endIndex
    let query = url[..<end].firstIndex(ofASCII: "?") ?? end
    switch AbsoluteURL.read(query == url.endIndex ? url : String(url[..<query])) {
    case .failure(let problem): throw .request(problem.message)
    case .success(let place):
      server = ServerAddress(place)
      target = place.path.isEmpty ? "/" : place.path
      target += url[query..<end]
      headers = request.headers.lines
      method = request.method ?? (request.body == nil ? "GET" : "POST")
      body = request.body?.bytes ?? []
      complete(place, request)
    }
  }

  private static func hasScheme(_ url: String, of schemes: [String]) -> Bool {
    let scheme = url[..<(url.firstIndex(ofASCII: ":") ?? url.endIndex)]
    return schemes.contains { $0 == scheme } || schemes.contains(scheme.lowercased())
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
      headers.lines.insert(HTTPHeaderLine("Host", server.hostHeader), at: 0)
    }
    return HTTPRequest(method: method, target: target, headers: headers, body: body)
  }
}
