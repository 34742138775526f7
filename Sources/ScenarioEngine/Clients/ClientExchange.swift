import Events
import LiveConnections
import Protocols
import ScenarioPlan
import Values
import World

/// The reason why a `request` got no answer: the error that `fails` sees, and its text.
struct RequestFailure: Error {
  var error: Value
  var message: String

  /// The reason in the word that retry policies have for it.
  var reason: RequestRetryPlan.Reason {
    error["reason"].flatMap { RequestRetryPlan.Reason(rawValue: $0.plainText) } ?? .protocolError
  }

  init(_ reason: String, _ message: String, _ more: (String, Value)...) {
    var map = ValueMap()
    map["reason"] = .string(reason)
    for (key, value) in more { map[key] = value }
    error = .map(map)
    self.message = message
  }
}

/// A request under way with its redirects; it reports its result once.
final class ClientExchange: OutstandingRequest {
  private let client: ScenarioClient
  private var run: RunParts { client.run }
  private let prepared: PreparedRequest
  private let limits: Limits
  /// The origin of the body of the first request.
  private let upload: Exchange.Upload?
  private let began: Microseconds
  /// The event that all that is sent comes from.
  private let cause: EventID?
  /// The phase of the steps. A request of a step that is under way when `finally` begins has no
  /// further effect.
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
  private var call: RequestCall?
  /// The time at which the request under way was sent.
  private var sentAt: Microseconds = 0
  /// The mock's view of the request under way, if the endpoint is real.
  private var shadow: ShadowCall?
  private var timer: Scheduler.TimerID?
  var waitingPlace: Int?
  private var completion: ((Result<HTTPResponse, RequestFailure>) -> Void)?

  /// How a request of this kind is awaited.
  struct Limits {
    /// The longest time to the end of the answer; nil for no limit.
    var time: Microseconds?
    /// True if it belongs to a step, which the end of the steps ends.
    var isOfStep: Bool
  }

  init(
    _ client: ScenarioClient, _ prepared: PreparedRequest, _ limits: Limits,
    upload: Exchange.Upload? = nil
  ) {
    self.client = client
    self.prepared = prepared
    self.limits = limits
    self.upload = upload
    began = client.run.loop.now
    cause = client.run.recorder.cause
    phase = client.run.supervisor.phase
    endpoint = prepared.endpoint
    sent = prepared.http
    redirects = RedirectFollower(limit: prepared.redirects ?? 0)
    addressing = prepared.addressing
  }

  var exchange: Exchange {
    var exchange = Exchange(hops: hops, began: began, ended: run.loop.now)
    exchange.retryAfter = retryAfter
    return exchange
  }

  /// The request that is under way.
  var underWay: PendingOperation {
    PendingOperation(sent, to: endpoint, .pausing, since: run.loop.now)
  }

  /// Sends the request. If answer and time limit come at one instant, the answer wins, because the
  /// timer runs last.
  func begin(_ completion: @escaping (Result<HTTPResponse, RequestFailure>) -> Void) {
    self.completion = completion
    client.connections.began(self)
    if let time = limits.time { limit(to: time, from: run.loop.now) }
    send(sent)
  }

  /// Ends the exchange after its time limit. If the machine was seen to be late meanwhile, there is
  /// more time.
  private func limit(to time: Microseconds, from start: Microseconds) {
    let passed = run.loop.now - start
    let left = time + run.loop.slack - passed
    timer = run.loop.after(left, phase: .assertion, of: .client) { [self] in
      timer = nil
      if run.loop.now - start < time + run.loop.slack { return limit(to: time, from: start) }
      let message = message(forLimit: time)
      cancelCall()
      finish(.failure(RequestFailure("timeout", message)))
    }
  }

  private func message(forLimit limit: Microseconds) -> String {
    let text = durationText(limit)
    return call.map { ExchangeProgress($0).late(text) } ?? "no answer came within \(text)"
  }

  var pendingRequest: (connection: Int, operation: PendingOperation)? {
    guard let connection = call?.transport?.connection else { return nil }
    return (connection, PendingOperation(sent, to: endpoint, .unanswered, since: sentAt))
  }

  func leave(where isLeft: (EndpointID) -> Bool) {
    if isLeft(endpoint) { call?.cancel() }
  }

  func invalidate() {
    completion = nil
    call = nil
    timer = nil
  }

  func cancel() {
    client.connections.ended(self)
    completion = nil
    cancelCall()
    stopTimer()
  }

  private func cancelCall() {
    if let transport = call?.transport {
      run.endpoints.remotes(of: endpoint)?.notifyCancelled(endpoint, on: transport)
    }
    call?.cancel()
    call = nil
  }

  private func send(_ plain: HTTPRequest) {
    sent = plain
    let request = client.completed(plain, to: endpoint, addressing, as: prepared)
    if limits.isOfStep { note(request) }
    sentAt = run.loop.now
    let call = RequestCall(way(to: endpoint), request) { [self] outcome in take(outcome) }
    self.call = call
    run.recorder.caused(by: cause) { call.begin() }
  }

  private func way(to endpoint: EndpointID) -> RequestWay {
    let connections = client.connections
    let kept = client.kept(for: endpoint, in: prepared.session)
    var way = RequestWay { connections.connect(to: endpoint) }
    way.kept = { kept }
    way.repeatsTaken = run.endpoints.remotes(of: endpoint) != nil
    if way.repeatsTaken {
      way.waitForReset = { [loop = run.loop] job in
        loop.after(RequestWay.momentOfReset, phase: .source, of: .client, job)
      }
    }
    way.mayRepeat = { connections.conditions.isUnharmed(endpoint) }
    way.address = { [unowned self] request, transport in address(request, on: transport) }
    return way
  }

  /// Shows a request to the mock of a real endpoint, and returns it as it is sent.
  private func address(_ request: HTTPRequest, on transport: any Transport) -> HTTPRequest? {
    let conditions = client.connections.conditions
    let isLost = conditions.losesRequest(to: endpoint)
    let remotes = run.endpoints.remotes(of: endpoint)
    shadow = remotes?.notify(of: request, to: endpoint, addressing, on: transport, isLost: isLost)
    guard isLost else {
      return remotes?.addressed(request, to: endpoint, addressing) ?? request
    }
    (transport as? TappedTransport)?.lose(request)
    let latency = conditions.latency(of: endpoint)
    run.loop.after(latency, phase: .source, of: .toClient) { [self, call] in
      if call === self.call { call?.lose() }
    }
    return nil
  }

  private func take(_ outcome: RequestCall.Outcome) {
    let result: Result<HTTPResponse, RequestCall.Failure>
    switch outcome {
    case .answered(let response):
      shadow?.answered(response)
      result = .success(response)
    case .failed(let failure): result = .failure(failure)
    case .headArrived, .bodyArrived, .bodyEnded, .upgraded, .passedOn: return
    }
    shadow = nil
    guard limits.isOfStep else { return receive(result) }
    // The result may come while the request is still being handed over.
    run.loop.after(0, phase: .completion) { [self] in receive(result) }
  }

  /// Notes a request as reports show it.
  private func note(_ request: HTTPRequest) {
    let place = place.map { Exchange.Place($0, writtenHost: writtenHost) }
    var shown = Exchange.Request(request)
    if hops.isEmpty { shown.upload = upload }
    hops.append(Exchange.Hop(endpoint: endpoint, request: shown, place: place))
  }

  private func receive(_ result: Result<HTTPResponse, RequestCall.Failure>) {
    let ended = call
    call = nil
    guard completion != nil else { return }
    guard !limits.isOfStep || phase == run.supervisor.phase else { return cancel() }
    switch result {
    case .failure(let failure):
      let name = run.plan.endpoints[endpoint].name
      finish(.failure(RequestFailure(failure, of: ended, at: place?.shown, name)))
    case .success(let response):
      if limits.isOfStep { hops[hops.count - 1].response = Exchange.Response(response) }
      retryAfter = client.retryAfter(of: response)
      client.takeCookies(from: response, to: sent, at: endpoint, addressing, in: prepared.session)
      guard prepared.redirects ?? 0 > 0 else { return finish(.success(response)) }
      follow(redirects.decide(after: response, to: sent, at: target), response)
    }
  }

  private func follow(_ decision: RedirectFollower.Decision, _ response: HTTPResponse) {
    switch decision {
    case .stay, .missingLocation: finish(.success(response))
    case .tooMany:
      let message = "more than \(prepared.redirects ?? 0) redirects came one after the other"
      finish(.failure(RequestFailure("tooManyRedirects", message)))
    case .follow(let redirect, let next): follow(redirect, next)
    }
  }

  private func follow(_ redirect: Redirect, _ next: HTTPRequest) {
    var next = next
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
    if let relative { next.target = relative }
    send(next)
  }

  /// Goes on with the endpoint that a redirect leads to. A `Host` that the scenario wrote is not
  /// for another host, even if the same real endpoint has it.
  private func leave(for found: EndpointID, at host: String, _ next: inout HTTPRequest) {
    let name = run.plan.endpoints[found].name
    if found != endpoint {
      next.leave(for: name)
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
  private var place: RemotePlace? { run.endpoints.remotes?.place(of: endpoint) }

  /// The target on the server, which redirects refer to.
  private var target: String {
    guard let place, !addressing.isComplete else { return sent.target }
    return place.absoluteTarget(for: sent.target)
  }

  private func finish(_ result: Result<HTTPResponse, RequestFailure>) {
    stopTimer()
    client.connections.ended(self)
    let handler = completion
    completion = nil
    handler?(result)
  }

  private func stopTimer() {
    if let timer { run.loop.cancel(timer) }
    timer = nil
  }
}

extension RequestFailure {
  init(_ failure: RequestCall.Failure, of call: RequestCall?, at url: String?, _ name: String) {
    error = errorValue(failure)
    switch (error["reason"], failure) {
    case ("connectionLost", _):
      message =
        call.map { ExchangeProgress($0).lost } ?? "the connection was lost before the answer came"
    case (_, .problem(.invalidStatusLine)):
      let line = (call?.beginning ?? []).prefix { $0 != 0x0D && $0 != 0x0A }
      let text = Value.string(String(decoding: line, as: UTF8.self)).display(maxLength: 60)
      message = "\(HTTPProblem.invalidStatusLine.message), not \(text)"
    case (_, .problem(let problem)), (_, .unsendable(let problem)): message = problem.message
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
