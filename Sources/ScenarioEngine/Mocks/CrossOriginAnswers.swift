import Protocols
import ScenarioPlan
import Values

/// The answers that let pages of other origins use a mock, by the Fetch standard.
extension CrossOriginPolicyPlan {
  /// Returns the header fields of an answer to a page of this origin.
  func fields(for origin: String) -> [HTTPHeaderLine] {
    let varies = HTTPHeaderLine("Vary", "Origin")
    guard origins?.contains(origin) ?? true else { return [varies] }
    let isForAny = origins == nil && !allowsCredentials
    var fields = [HTTPHeaderLine("Access-Control-Allow-Origin", isForAny ? "*" : origin)]
    if !isForAny { fields.append(varies) }
    if allowsCredentials {
      fields.append(HTTPHeaderLine("Access-Control-Allow-Credentials", "true"))
    }
    return fields
  }

  /// Returns the field that opens header fields of answers to pages; nil if there are none.
  var exposure: HTTPHeaderLine? {
    exposedHeaders.isEmpty
      ? nil
      : HTTPHeaderLine("Access-Control-Expose-Headers", exposedHeaders.joined(separator: ", "))
  }

  /// Returns the answer to a preflight request. The fields for the origin are added to it later.
  func answer(to preflight: Preflight) -> HTTPResponse {
    guard origins?.contains(preflight.origin) ?? true else { return HTTPResponse(status: 403) }
    var headers = HTTPHeaders()
    let methods = methods?.joined(separator: ", ") ?? preflight.method
    headers.add("Access-Control-Allow-Methods", methods)
    if let names = allowedHeaders(preflight) { headers.add("Access-Control-Allow-Headers", names) }
    if let maxAge { headers.add("Access-Control-Max-Age", String(maxAge / 1_000_000)) }
    return HTTPResponse(status: 204, headers: headers)
  }

  private func allowedHeaders(_ preflight: Preflight) -> String? {
    headers?.joined(separator: ", ") ?? preflight.headers
  }
}

/// A request by which a browser asks whether a page may send another one.
struct Preflight {
  var origin: String
  var method: String
  var headers: String?

  init?(_ request: HTTPRequest) {
    guard request.method == "OPTIONS", let origin = request.headers["Origin"],
      let method = request.headers["Access-Control-Request-Method"]
    else { return nil }
    self.origin = origin
    self.method = method
    headers = request.headers["Access-Control-Request-Headers"]
  }
}

extension HTTPResponse {
  /// The answer as a page of another origin gets it. What the mock itself writes stays.
  func shared(by policy: CrossOriginPolicyPlan, with origin: String) -> HTTPResponse {
    guard !headers.contains("Access-Control-Allow-Origin"), status != 101 else { return self }
    var response = self
    response.headers.lines += policy.fields(for: origin)
    if let exposure = policy.exposure { response.headers.lines.append(exposure) }
    return response
  }
}

extension MockServer {
  /// The policy of the endpoint; nil if pages of other origins may not read its answers.
  var crossOrigin: CrossOriginPolicyPlan? {
    if case .allowed(let policy) = plan.crossOrigin { policy } else { nil }
  }

  /// Returns the answer to a preflight request that no route for OPTIONS takes; nil for any other
  /// request.
  func answerToPreflight(_ request: HTTPRequest, _ call: MockCall) -> HTTPResponse? {
    guard let policy = crossOrigin, let preflight = Preflight(request) else { return nil }
    if case .route(let number) = choose(for: call, request),
      plan.routes[number].method == "OPTIONS"
    {
      return nil
    }
    return policy.answer(to: preflight)
  }
}
