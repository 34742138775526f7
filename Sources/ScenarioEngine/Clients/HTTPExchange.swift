import Events
import Protocols
import ScenarioPlan
import Values
import World

/// The reason why there was no answer.
enum ExchangeFailure: Error {
  case protocolProblem(HTTPProblem)
  case connection(TransportFailure)
}

/// A request of a client, until its answer has come or it has failed.
final class HTTPExchange {
  fileprivate var link: ClientLink
  /// The first bytes of the answer, from which a report sees what kind of server answered.
  fileprivate(set) var beginning: [UInt8] = []
  private static let longestBeginning = 40
  /// The progress of the answer when the exchange ended; nil until then.
  private var finalProgress: ExchangeProgress?
  private var completion: ((Result<HTTPResponse, ExchangeFailure>) -> Void)?

  fileprivate init(
    _ link: ClientLink, _ completion: @escaping (Result<HTTPResponse, ExchangeFailure>) -> Void
  ) {
    self.link = link
    self.completion = completion
  }

  /// The progress of the connection and of the answer.
  var progress: ExchangeProgress { finalProgress ?? link.progress }

  /// Leaves without waiting for the answer; the server sees that the client has gone.
  func cancel() {
    completion = nil
    link.cancel()
  }

  fileprivate func receive(_ bytes: [UInt8]) {
    beginning += bytes.prefix(HTTPExchange.longestBeginning - beginning.count)
  }

  /// Drops the callback when the run is over.
  fileprivate func invalidate() { completion = nil }

  fileprivate func complete(_ result: Result<HTTPResponse, ExchangeFailure>) {
    if case .failure = result { finalProgress = link.progress }
    let handler = completion
    completion = nil
    handler?(result)
  }
}

/// A client's end of a connection; it serves one exchange after the other.
final class ClientLink {
  private unowned let connections: Connections
  let endpoint: EndpointID
  private let transport: any Transport
  private var state = HTTPClientConnection()
  private var exchange: HTTPExchange?
  /// The request, as reports show it while it is pending.
  private var sent: PendingOperation?
  /// The mock's view of the request under way, if the endpoint is real.
  private var shadow: ShadowCall?
  private var hasServed = false
  /// The request that may be sent again on another connection while no byte of an answer has come.
  private var repeatable: HTTPRequest?

  init(_ connections: Connections, _ endpoint: EndpointID) {
    self.connections = connections
    self.endpoint = endpoint
    transport = connections.tapped(
      connections.conditions.connect(to: endpoint), to: endpoint, forRequests: true)
    transport.onEvent = { [unowned self] event in receive(event) }
  }

  func start(
    _ request: HTTPRequest, _ addressing: Addressing, isLost: Bool,
    _ completion: @escaping (Result<HTTPResponse, ExchangeFailure>) -> Void
  ) -> HTTPExchange {
    let exchange = HTTPExchange(self, completion)
    self.exchange = exchange
    sent = PendingOperation(request, to: endpoint, .unanswered, since: connections.loop.now)
    shadow = connections.endpoints.remotes(of: endpoint)?.notify(
      of: request, to: endpoint, addressing, on: transport, isLost: isLost)
    if isLost {
      (transport as? TappedTransport)?.lose(request)
      abort()
    } else {
      let addressed = connections.endpoints.remotes(of: endpoint)?.addressed(
        request, to: endpoint, addressing)
      repeatable = addressed.flatMap { hasServed && mayRepeat(request) ? $0 : nil }
      perform(state.on(.requestSent(addressed ?? request)))
    }
    return exchange
  }

  fileprivate var progress: ExchangeProgress {
    ExchangeProgress(stage: transport.stage, answer: state.progress)
  }

  /// The request that has no answer yet.
  var pendingOperation: PendingOperation? { exchange == nil ? nil : sent }

  fileprivate func cancel() {
    if exchange != nil {
      connections.endpoints.remotes(of: endpoint)?.notifyCancelled(endpoint, on: transport)
    }
    exchange = nil
    perform(state.on(.cancelled))
  }

  func invalidate() {
    exchange?.invalidate()
    exchange = nil
  }

  /// Closes the connection without any event. A server that works on an answer sees a reset.
  func leave() {
    let isBusy = exchange != nil
    invalidate()
    transport.onEvent = nil
    if isBusy { transport.abort() } else { transport.close() }
  }

  private func receive(_ event: TransportEvent) {
    connections.causes.received(on: transport.connection) { take(event) }
  }

  private func take(_ event: TransportEvent) {
    switch event {
    case .connected, .writable: break
    case .received(let bytes):
      repeatable = nil
      // A mock speaks HTTP.
      if connections.endpoints.remotes(of: endpoint) != nil { exchange?.receive(bytes) }
      perform(state.on(.bytesReceived(bytes)))
    case .ended: if !askAgain() { perform(state.on(.closed)) }
    case .failed(let failure): if failure != .reset || !askAgain() { lose(failure) }
    }
  }

  /// Returns whether a request may be sent again. A server may close a kept connection at the very
  /// moment of the next request. That is no answer to the request, unless the request changes
  /// something or the scenario harms the line.
  private func mayRepeat(_ request: HTTPRequest) -> Bool {
    request.mayArriveTwice && connections.conditions.isUnharmed(endpoint)
  }

  /// Sends the request on a new connection, where it may be sent again.
  private func askAgain() -> Bool {
    guard let request = repeatable, let exchange, connections.conditions.isUnharmed(endpoint) else {
      return false
    }
    repeatable = nil
    self.exchange = nil
    _ = state.on(.reset)
    connections.remove(self, of: endpoint)
    transport.close()
    let link = connections.makeLink(to: endpoint)
    link.takeOver(exchange, request, shadow)
    shadow = nil
    return true
  }

  private func takeOver(_ exchange: HTTPExchange, _ request: HTTPRequest, _ shadow: ShadowCall?) {
    self.exchange = exchange
    self.shadow = shadow
    exchange.link = self
    perform(state.on(.requestSent(request)))
  }

  /// The request gets lost on its way, and the connection with it.
  private func abort() {
    connections.loop.after(connections.conditions.latency(of: endpoint), phase: .source) { [self] in
      transport.abort()
      lose(.reset)
    }
  }

  private func lose(_ failure: TransportFailure) {
    let lost = exchange
    exchange = nil
    _ = state.on(.reset)
    connections.remove(self, of: endpoint)
    lost?.complete(.failure(.connection(failure)))
  }

  private func perform(_ actions: [HTTPClientConnection.Action]) {
    for action in actions {
      switch action {
      case .send(let bytes):
        connections.causes.setCause(on: transport)
        transport.send(bytes)
      case .deliver(let response), .upgrade(let response):
        shadow?.answered(response)
        finish(.success(response))
      case .fail(let problem), .refuse(let problem): finish(.failure(.protocolProblem(problem)))
      case .passOn, .headArrived, .bodyArrived, .bodyEnded: break
      case .close: endConnection { $0.close() }
      case .abort: endConnection { $0.abort() }
      }
    }
  }

  private func endConnection(_ how: (any Transport) -> Void) {
    connections.causes.setCause(on: transport)
    connections.remove(self, of: endpoint)
    how(transport)
  }

  private func finish(_ result: Result<HTTPResponse, ExchangeFailure>) {
    let finished = exchange
    exchange = nil
    shadow = nil
    hasServed = true
    if state.isIdle { connections.keep(self, of: endpoint) }
    finished?.complete(result)
  }
}
