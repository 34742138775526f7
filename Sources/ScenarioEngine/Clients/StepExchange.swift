import Events
import Protocols
import ScenarioPlan
import Values
import World

/// Why a `request` got no answer: the error that `fails` sees, and the same in words.
struct RequestFailure: Error {
  var error: Value
  var message: String

  init(_ reason: String, _ message: String, _ more: (String, Value)...) {
    var map = ValueMap()
    map["reason"] = .string(reason)
    for (key, value) in more { map[key] = value }
    error = .map(map)
    self.message = message
  }
}

/// A `request` under way, with the redirects it leads to; it is told once what came of it.
final class StepExchange: OutstandingRequest {
  private unowned let run: ScenarioRun
  private let plan: ExchangePlan
  /// Given by the step, and sent as long as redirects stay with its endpoint.
  private let cookies: [QueryItem]
  private let authorization: String?
  private let began: Microseconds
  /// The step, which all that is sent comes from.
  private let cause: Int?
  /// What is still on its way when `finally` begins leads to nothing more.
  private let phase: ScenarioRun.Phase
  private var endpoint: EndpointID
  private var hops: [Exchange.Hop] = []
  private var sent: HTTPRequest
  /// A redirect led out of what the endpoint's URL says paths begin with.
  private var isComplete = false
  private var link: HTTPExchange?
  private var timer: Scheduler.TimerID?
  var waitingPlace: Int?
  private var completion: ((Result<Exchange, RequestFailure>) -> Void)?

  init(
    _ run: ScenarioRun, _ plan: ExchangePlan, _ request: HTTPRequest, cookies: [QueryItem],
    authorization: String?
  ) {
    self.run = run
    self.plan = plan
    self.cookies = cookies
    self.authorization = authorization
    began = run.scheduler.now
    cause = run.cause
    phase = run.phase
    endpoint = plan.request.endpoint
    sent = request
  }

  var exchange: Exchange { Exchange(hops: hops, began: began, ended: run.scheduler.now) }

  /// The answer may come at the very moment the time is over: the timer is looked at last.
  func begin(_ completion: @escaping (Result<Exchange, RequestFailure>) -> Void) {
    self.completion = completion
    run.connections.began(self)
    let limit = plan.timeout ?? run.plan.timeout
    timer = run.after(limit, phase: .assertion) { [self] in
      timer = nil
      link?.cancel()
      let message = "no answer came within \(durationText(limit))"
      finish(.failure(RequestFailure("timeout", message)))
    }
    send(sent)
  }

  func forget() {
    completion = nil
    link = nil
    timer = nil
  }

  func cancel() {
    run.connections.ended(self)
    completion = nil
    link?.cancel()
    stopTimer()
  }

  private func send(_ plain: HTTPRequest) {
    sent = plain
    var request = plain
    if let authorization, endpoint == plan.request.endpoint {
      request.headers.add("Authorization", authorization)
    }
    let given = endpoint == plan.request.endpoint ? cookies : []
    if !request.headers.contains("Cookie"),
      let cookies = run.client.cookies(for: whole(request), to: endpoint, given: given)
    {
      request.headers.add("Cookie", cookies)
    }
    let place = place.map(Exchange.Place.init)
    hops.append(
      Exchange.Hop(endpoint: endpoint, request: Exchange.Request(request), place: place))
    run.cause = cause
    link = run.startExchange(endpoint, request, isComplete: isComplete) { [self] result in
      // It may be told while the request is still being handed over.
      run.after(0, phase: .completion) { [self] in receive(result) }
    }
  }

  private func receive(_ result: Result<HTTPResponse, ExchangeFailure>) {
    let beginning = link?.beginning ?? []
    link = nil
    guard completion != nil else { return }
    guard phase == run.phase else { return cancel() }
    switch result {
    case .failure(let failure):
      finish(.failure(RequestFailure(failure, at: place?.shown, beginning)))
    case .success(let response):
      hops[hops.count - 1].response = Exchange.Response(response)
      run.client.takeCookies(from: response, to: whole(sent), of: endpoint)
      guard plan.redirects > 0, let redirect = Redirect(response, to: whole(sent)) else {
        return finish(.success(exchange))
      }
      follow(redirect, after: response.status)
    }
  }

  private func follow(_ redirect: Redirect, after status: Int) {
    guard hops.count <= plan.redirects else {
      let message = "more than \(plan.redirects) redirects came one after the other"
      return finish(.failure(RequestFailure("tooManyRedirects", message)))
    }
    var next = sent
    if let host = redirect.host {
      let own = sent.headers["Host"]
      guard let found = run.client.endpoint(at: redirect, from: endpoint, host: own) else {
        return finish(.failure(.redirectOutside(redirect, host)))
      }
      if found != endpoint { next.leave(for: run.plan.endpoints[found].name) }
      endpoint = found
    }
    let inner = place.map { $0.relativeTarget(of: redirect.target) } ?? redirect.target
    isComplete = inner == nil
    next.target = inner ?? redirect.target
    let method = Redirect.method(after: status, sent.method)
    if method != sent.method || status == 303 { next.dropBody() }
    next.method = method
    send(next)
  }

  /// Where the endpoint is, if it is real.
  private var place: RemotePlace? { run.remotes?.place(of: endpoint) }

  /// The request with host and path as the server knows them, as cookies and redirects count.
  private func whole(_ request: HTTPRequest) -> HTTPRequest {
    guard let place else { return request }
    var request = request
    request.headers["Host"] = place.host
    if !isComplete { request.target = place.absoluteTarget(for: request.target) }
    return request
  }

  private func finish(_ result: Result<Exchange, RequestFailure>) {
    stopTimer()
    run.connections.ended(self)
    let told = completion
    completion = nil
    told?(result)
  }

  private func stopTimer() {
    if let timer { run.scheduler.cancel(timer) }
    timer = nil
  }
}

extension HTTPRequest {
  /// Nothing that was meant for one host goes to another.
  fileprivate mutating func leave(for host: String) {
    headers.drop(["host", "cookie", "authorization"])
    headers.lines.insert(HTTPHeader("Host", host), at: 0)
  }

  fileprivate mutating func dropBody() {
    body = []
    headers.drop(["content-type", "content-length", "transfer-encoding", "content-encoding"])
  }
}

extension HTTPHeaders {
  fileprivate mutating func drop(_ names: [String]) {
    lines.removeAll { names.contains($0.name.lowercased()) }
  }
}

extension RequestFailure {
  init(_ failure: ExchangeFailure, at url: String?, _ beginning: [UInt8]) {
    error = errorValue(failure)
    switch (error["reason"], failure) {
    case ("connectionLost", _): message = "the connection was lost before the answer came"
    case (_, .protocolProblem(.invalidStatusLine)):
      let line = beginning.prefix { $0 != 0x0D && $0 != 0x0A }
      let text = Value.string(String(decoding: line, as: UTF8.self)).display(maxLength: 60)
      message = "\(HTTPProblem.invalidStatusLine.message), not \(text)"
    case (_, .protocolProblem(let problem)): message = problem.message
    case (_, .connection(.unreachable)): message = "the endpoint cannot be reached"
    case (_, .connection(let failure)):
      message = url.map { failure.sentence(about: $0) } ?? "the connection failed"
    }
  }

  /// One that says nothing of the way there, `//host/path`, keeps to that of who answered.
  fileprivate static func redirectOutside(_ redirect: Redirect, _ host: String) -> RequestFailure {
    let scheme = redirect.isSecure.map { $0 ? "https://" : "http://" } ?? ""
    return RequestFailure(
      "redirectOutside", "the redirect leads to `\(scheme)\(host)`, which is no endpoint here",
      ("host", .string(host)))
  }
}

extension Exchange.Place {
  init(_ place: RemotePlace) {
    self.init(host: place.host, url: place.curlURL, curlOptions: place.curlOptions)
  }
}

extension Exchange.Request {
  init(_ request: HTTPRequest) {
    self.init(
      method: request.method, target: request.target, headers: request.headers.fields,
      body: request.body)
  }
}

extension Exchange.Response {
  init(_ response: HTTPResponse) {
    self.init(
      status: response.status, reason: response.reason, headers: response.headers.fields,
      body: response.body, cookies: cookiesValue(response.headers))
  }
}

/// The cookies that are set, each with the attributes that were written.
private func cookiesValue(_ headers: HTTPHeaders) -> ValueMap {
  var cookies = ValueMap()
  for line in headers.values("Set-Cookie") {
    guard let cookie = SetCookie(line) else { continue }
    cookies[cookie.name] = cookie.asValue
  }
  return cookies
}

extension SetCookie {
  fileprivate var asValue: Value {
    var map = ValueMap()
    map["value"] = .string(value)
    map["path"] = path.map { .string($0) }
    map["domain"] = domain.map { .string($0) }
    map["maxAge"] = maxAge.map { .int($0) }
    map["expires"] = expires.map { .timestamp(Timestamp(seconds: $0)) }
    if isSecure { map["secure"] = true }
    if isHTTPOnly { map["httpOnly"] = true }
    map["sameSite"] = sameSite.map { .string($0) }
    return .map(map)
  }
}

extension HTTPHeaders {
  fileprivate var fields: [Exchange.Field] { lines.map { Exchange.Field($0.name, $0.value) } }
}
