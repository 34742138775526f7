import Protocols
import ScenarioPlan
import Values
import World

/// A request that a mock passes on to a real server, and whose answer it passes back. If it opens a
/// WebSocket, the bytes of both sides follow, as they are.
final class ProxiedRequest {
  private let link: ServerLink
  private let plan: ProxyPlan
  /// The request as expressions read it.
  private let value: Value
  private let onEnd: () -> Void
  private var transport: (any Transport)?
  private var state = HTTPClientConnection()
  private var hasHead = false
  private var isOver = false
  /// True once the server has agreed to a WebSocket.
  private var isTunnel = false

  init(_ link: ServerLink, _ plan: ProxyPlan, _ value: Value, onEnd: @escaping () -> Void) {
    self.link = link
    self.plan = plan
    self.value = value
    self.onEnd = onEnd
  }

  private var run: RunParts { link.server.run }

  /// Connects to the server at a URL. The URL is its name in the network, which no endpoint can
  /// have.
  func start(_ request: HTTPRequest, at url: String) {
    guard let reach = run.world.reachBehind else { return fail("there are no sockets here") }
    switch reach(url, url) {
    case .failure(let problem): fail(problem.message)
    case .success(let place):
      let network = run.loop.network
      let isWebSocket = WebSocketOffer.isMeant(by: request)
      let transport =
        isWebSocket ? network.connectForWebSocket(to: url) : network.connect(to: url)
      self.transport = transport
      run.causes.setCause(on: transport)
      transport.onEvent = { [weak self] event in self?.receive(event) }
      let passed = request.passedOn(to: place, asWebSocket: isWebSocket)
      // A body that changes has to be there as a whole.
      perform(state.on(.requestSent(passed, streams: isWebSocket || !changesBody)))
    }
  }

  /// Leaves without waiting for the answer.
  func cancel() {
    isOver = true
    guard let transport else { return }
    transport.onEvent = nil
    transport.abort()
    run.causes.forget(transport.connection)
    self.transport = nil
  }

  /// Passes bytes of the client on, behind its handshake.
  func passOn(_ bytes: [UInt8]) {
    guard let transport else { return }
    run.causes.setCause(on: transport)
    transport.send(bytes)
  }

  /// The call is answered by the handshake; the link holds what follows.
  private func openTunnel(_ head: HTTPResponse) {
    isTunnel = true
    onEnd()
    link.open(self, answering: head)
  }

  /// The server is gone.
  private func endTunnel(_ end: () -> Void) {
    cancel()
    end()
  }

  private func receive(_ event: TransportEvent) {
    guard let transport, !isOver else { return }
    run.causes.received(on: transport.connection) { take(event) }
  }

  private func take(_ event: TransportEvent) {
    switch event {
    case .connected, .writable: break
    case .received(let bytes):
      if isTunnel { link.sendRaw(bytes) } else { perform(state.on(.bytesReceived(bytes))) }
    case .ended, .halfClosed:
      if isTunnel { endTunnel { link.close() } } else { perform(state.on(.closed)) }
    case .failed(let failure):
      if isTunnel { return endTunnel { link.reset() } }
      fail(failure.details ?? failure.name)
    }
  }

  private func perform(_ actions: [HTTPClientConnection.Action]) {
    for action in actions where !isOver {
      switch action {
      case .send(let bytes): transport?.send(bytes)
      case .headArrived(let head):
        guard let head = changed(head) else { return }
        hasHead = true
        link.startBody(of: head)
      case .bodyArrived(let bytes): link.write(bytes)
      case .bodyEnded: end { link.endBody() }
      case .fail(let problem), .refuse(let problem): fail(problem.message)
      case .upgrade(let head): openTunnel(head)
      case .passOn(let bytes): link.sendRaw(bytes)
      case .deliver(let response):
        if let changed = changed(response) { end { link.respond(changed) } }
      case .close, .abort: break
      }
    }
  }

  private var changesBody: Bool {
    if case .json? = plan.change?.response.body { true } else { false }
  }

  /// Returns the answer as the client gets it; nil if it cannot be changed as the scenario says.
  private func changed(_ response: HTTPResponse) -> HTTPResponse? {
    guard let change = plan.change else { return response.passedBack }
    var locals = [Value](filledWith: .null, count: change.localCount)
    locals[change.request.index] = value
    locals[change.answer.index] = responseValue(response)
    switch run.suppliers.messages.changed(
      response.passedBack, by: change.response, in: ValueReader(run.stage, locals))
    {
    case .success(let changed): return changed
    case .failure(let failure):
      fail(failure.message)
      return nil
    }
  }

  /// Answers in place of a server that did not. The scenario has not passed.
  private func fail(_ reason: String) {
    guard !isOver else { return }
    run.supervisor.fail(.proxyFailed(reason, at: plan.url.range))
    end { if hasHead { link.drop() } else { link.respond(HTTPResponse(status: 502)) } }
  }

  private func end(_ answer: () -> Void) {
    cancel()
    onEnd()
    answer()
  }
}

/// The header fields that are for one connection, or that another connection has of its own.
private let fieldsOfConnection = [
  "Connection", "Keep-Alive", "Proxy-Connection", "TE", "Trailer", "Transfer-Encoding", "Upgrade",
]

extension HTTPRequest {
  /// The request as a real server gets it.
  ///
  /// - Parameter isWebSocket: True if it opens a WebSocket.
  fileprivate func passedOn(to place: RemotePlace, asWebSocket isWebSocket: Bool) -> HTTPRequest {
    var request = self
    let upgrade = request.headers["Upgrade"]
    request.version = .http11
    request.headers["Host"] = place.host
    for name in fieldsOfConnection + ["Content-Length", "Expect"] { request.headers[name] = nil }
    request.headers["Connection"] = isWebSocket ? "Upgrade" : "close"
    if isWebSocket { request.headers["Upgrade"] = upgrade }
    if let who = place.authorization, !headers.contains("Authorization") {
      request.headers["Authorization"] = who
    }
    request.target = place.proxied + place.absoluteTarget(for: target)
    return request
  }
}

extension HTTPResponse {
  /// The head of an answer as the client gets it. A compressed body is expanded on the way.
  fileprivate var passedBack: HTTPResponse {
    var head = self
    head.version = .http11
    for name in fieldsOfConnection { head.headers[name] = nil }
    if !ContentCoding.all(in: headers).isEmpty {
      head.headers["Content-Encoding"] = nil
      head.headers["Content-Length"] = nil
    }
    return head
  }
}
