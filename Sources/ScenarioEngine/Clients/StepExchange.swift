import Events
import Protocols
import ScenarioPlan
import Values
import World

/// The reason why a `request` got no answer: the error that `fails` sees, and its text.
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

/// A `request` under way with its redirects; it reports its result once.
final class StepExchange: OutstandingRequest {
  private unowned let client: ScenarioClient
  private let plan: ExchangePlan
  /// Given by the step, and sent as long as redirects stay with its endpoint.
  private let cookies: [QueryItem]
  /// The names of cookies that are not sent, even if the endpoint has set them.
  private let omittedCookies: [String]
  private let authorization: String?
  /// The origin of the body of the first request.
  private let upload: Exchange.Upload?
  private let began: Microseconds
  /// The step, which all that is sent comes from.
  private let cause: EventID?
  /// The phase of the steps. A request that is under way when `finally` begins has no further
  /// effect.
  private let phase: ScriptSupervisor.Phase
  private var endpoint: EndpointID
  private var hops: [Exchange.Hop] = []
  private var sent: HTTPRequest
  /// The pause before the next request that the last answer asks for.
  private var retryAfter: Microseconds?
  private var redirects: RedirectFollower
  /// `isComplete` once a redirect led out of what the endpoint's URL says paths begin with;
  /// `keepsHost` until one led to another host.
  private var addressing: Addressing
  private var link: HTTPExchange?
  private var timer: Scheduler.TimerID?
  var waitingPlace: Int?
  private var completion: ((Result<Exchange, RequestFailure>) -> Void)?

  init(
    _ client: ScenarioClient, _ plan: ExchangePlan, _ request: HTTPRequest, cookies: [QueryItem],
    without omittedCookies: [String], authorization: String?, upload: Exchange.Upload?
  ) {
    self.client = client
    self.plan = plan
    self.cookies = cookies
    self.omittedCookies = omittedCookies
    self.authorization = authorization
    self.upload = upload
    began = client.loop.now
    cause = client.recorder.cause
    phase = client.supervisor.phase
    endpoint = plan.request.endpoint
    sent = request
    redirects = RedirectFollower(limit: plan.redirects)
    addressing = Addressing(keepsHost: plan.request.namesHost)
  }

  var exchange: Exchange {
    var exchange = Exchange(hops: hops, began: began, ended: client.loop.now)
    exchange.retryAfter = retryAfter
    return exchange
  }

  /// Sends the request. If answer and time limit come at one instant, the answer wins, because the
  /// timer runs last.
  func begin(_ completion: @escaping (Result<Exchange, RequestFailure>) -> Void) {
    self.completion = completion
    client.connections.began(self)
    limitTime(from: client.loop.now)
    send(sent)
  }

  /// Ends the exchange after its time limit. If the machine was seen to be late meanwhile, there is
  /// more time.
  private func limitTime(from start: Microseconds) {
    let limit = plan.timeout ?? client.plan.timeout
    let passed = client.loop.now - start
    timer = client.loop.after(limit + client.loop.slack - passed, phase: .assertion) { [self] in
      timer = nil
      if client.loop.now - start < limit + client.loop.slack { return limitTime(from: start) }
      let message = message(forLimit: limit)
      link?.cancel()
      finish(.failure(RequestFailure("timeout", message)))
    }
  }

  private func message(forLimit limit: Microseconds) -> String {
    let text = durationText(limit)
    return link?.progress.late(text) ?? "no answer came within \(text)"
  }

  func invalidate() {
    completion = nil
    link = nil
    timer = nil
  }

  func cancel() {
    client.connections.ended(self)
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
      let cookies = client.cookies(
        for: addressed(request), to: endpoint, given: given,
        without: omittedCookies)
    {
      request.headers.add("Cookie", cookies)
    }
    let place = place.map { Exchange.Place($0, writtenHost: writtenHost) }
    var shown = Exchange.Request(request)
    if hops.isEmpty { shown.upload = upload }
    hops.append(Exchange.Hop(endpoint: endpoint, request: shown, place: place))
    link = client.recorder.caused(by: cause) {
      client.connections.startExchange(endpoint, request, addressing) { [self] result in
        // The result may come while the request is still being handed over.
        client.loop.after(0, phase: .completion) { [self] in receive(result) }
      }
    }
  }

  private func receive(_ result: Result<HTTPResponse, ExchangeFailure>) {
    let ended = link
    link = nil
    guard completion != nil else { return }
    guard phase == client.supervisor.phase else { return cancel() }
    switch result {
    case .failure(let failure):
      let name = client.plan.endpoints[endpoint].name
      finish(.failure(RequestFailure(failure, of: ended, at: place?.shown, name)))
    case .success(let response):
      hops[hops.count - 1].response = Exchange.Response(response)
      retryAfter = client.retryAfter(of: response)
      client.takeCookies(from: response, to: addressed(sent), of: endpoint)
      guard plan.redirects > 0 else { return finish(.success(exchange)) }
      follow(redirects.decide(after: response, to: addressed(sent)))
    }
  }

  private func follow(_ decision: RedirectFollower.Decision) {
    switch decision {
    case .stay, .missingLocation: finish(.success(exchange))
    case .tooMany:
      let message = "more than \(plan.redirects) redirects came one after the other"
      finish(.failure(RequestFailure("tooManyRedirects", message)))
    case .follow(let redirect, let method, let dropsBody): follow(redirect, method, dropsBody)
    }
  }

  private func follow(_ redirect: Redirect, _ method: String, _ dropsBody: Bool) {
    var next = sent
    if let host = redirect.host {
      let own = sent.headers["Host"]
      guard
        let found = client.endpoint(
          at: redirect, from: endpoint, host: own, isWritten: addressing.keepsHost)
      else { return finish(.failure(.redirectOutside(redirect, host))) }
      leave(for: found, at: host, &next)
    }
    let relative = place.map { $0.relativeTarget(of: redirect.target) } ?? redirect.target
    addressing.isComplete = relative == nil
    next.target = relative ?? redirect.target
    next.method = method
    if dropsBody { next.dropBody() }
    send(next)
  }

  /// Goes on with the endpoint that a redirect leads to. A `Host` that the scenario wrote is not
  /// for another host, even if the same real endpoint has it.
  private func leave(for found: EndpointID, at host: String, _ next: inout HTTPRequest) {
    let name = client.plan.endpoints[found].name
    if found != endpoint {
      next.redirect(to: name)
      addressing.keepsHost = false
    } else if place != nil, let writtenHost, writtenHost.lowercasedASCII != host.lowercasedASCII {
      next.headers["Host"] = name
      addressing.keepsHost = false
    }
    endpoint = found
  }

  /// The `Host` that the scenario wrote, if it is sent.
  private var writtenHost: String? { addressing.keepsHost ? sent.headers["Host"] : nil }

  /// The endpoint's place, if it is real.
  private var place: RemotePlace? { client.endpoints.remotes?.place(of: endpoint) }

  /// Returns a request with the host and path of the server, which cookies and redirects refer to.
  private func addressed(_ request: HTTPRequest) -> HTTPRequest {
    guard let place else { return request }
    var request = request
    if !addressing.keepsHost { request.headers["Host"] = place.host }
    if !addressing.isComplete { request.target = place.absoluteTarget(for: request.target) }
    return request
  }

  private func finish(_ result: Result<Exchange, RequestFailure>) {
    stopTimer()
    client.connections.ended(self)
    let handler = completion
    completion = nil
    handler?(result)
  }

  private func stopTimer() {
    if let timer { client.loop.cancel(timer) }
    timer = nil
  }
}

extension HTTPRequest {
  /// Sets another host, and drops the headers that were meant for the host before.
  fileprivate mutating func redirect(to host: String) {
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
    lines.removeAll { names.contains($0.name.lowercasedASCII) }
  }
}

extension RequestFailure {
  init(_ failure: ExchangeFailure, of exchange: HTTPExchange?, at url: String?, _ name: String) {
    error = errorValue(failure)
    switch (error["reason"], failure) {
    case ("connectionLost", _):
      message = exchange?.progress.lost ?? "the connection was lost before the answer came"
    case (_, .protocolProblem(.invalidStatusLine)):
      let line = (exchange?.beginning ?? []).prefix { $0 != 0x0D && $0 != 0x0A }
      let text = Value.string(String(decoding: line, as: UTF8.self)).display(maxLength: 60)
      message = "\(HTTPProblem.invalidStatusLine.message), not \(text)"
    case (_, .protocolProblem(let problem)): message = problem.message
    case (_, .connection(.unreachable)): message = "the endpoint cannot be reached"
    case (_, .connection(.overfull)):
      message = TransportFailure.overfull.sentence(about: url ?? name)
    case (_, .connection(let failure)):
      message = url.map { failure.sentence(about: $0) } ?? "the connection failed"
    }
  }

  /// Returns the failure for a redirect to another host. A target without a scheme, `//host/path`,
  /// keeps that of the answer's sender.
  fileprivate static func redirectOutside(_ redirect: Redirect, _ host: String) -> RequestFailure {
    let scheme = redirect.isSecure.map { $0 ? "https://" : "http://" } ?? ""
    return RequestFailure(
      "redirectOutside", "the redirect leads to `\(scheme)\(host)`, which is no endpoint here",
      ("host", .string(host)))
  }
}

extension Exchange.Place {
  init(_ place: RemotePlace, writtenHost: String?) {
    self.init(
      host: place.host, writtenHost: writtenHost, url: place.curlURL,
      curlOptions: place.curlOptions)
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
      body: response.body, cookies: cookiesValue(response.headers),
      reading: Exchange.Reading(of: response))
  }
}

extension Exchange.Reading {
  fileprivate init(of response: HTTPResponse) {
    switch readText(of: response.body, response.headers) {
    case .plain: self = .plain
    case .decoded(let text): self = .decoded(text)
    case .unreadable(let reason): self = .unreadable(reason)
    }
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
  var fields: [Exchange.Field] { lines.map { Exchange.Field($0.name, $0.value) } }
}
