import Events
import Protocols
import ScenarioPlan
import Values
import World

/// Why there was no answer.
enum ExchangeFailure: Error {
  case protocolProblem(HTTPProblem)
  case connection(TransportFailure)
}

/// One request of a client and what becomes of it.
final class HTTPExchange {
  fileprivate var link: ClientLink
  /// How the answer begins, for those who have to find out who answers.
  fileprivate(set) var beginning: [UInt8] = []
  private static let longestBeginning = 40
  private var completion: ((Result<HTTPResponse, ExchangeFailure>) -> Void)?

  fileprivate init(
    _ link: ClientLink, _ completion: @escaping (Result<HTTPResponse, ExchangeFailure>) -> Void
  ) {
    self.link = link
    self.completion = completion
  }

  /// Leaves without waiting for the answer; the server sees that the client has gone.
  func cancel() {
    completion = nil
    link.cancel()
  }

  fileprivate func heard(_ bytes: [UInt8]) {
    beginning += bytes.prefix(HTTPExchange.longestBeginning - beginning.count)
  }

  /// Nobody waits any more: the run is over.
  fileprivate func forget() { completion = nil }

  fileprivate func complete(_ result: Result<HTTPResponse, ExchangeFailure>) {
    let told = completion
    completion = nil
    told?(result)
  }
}

/// A client's end of a connection; it serves one exchange after the other.
final class ClientLink {
  private unowned let run: ScenarioRun
  private let endpoint: EndpointID
  private let transport: any Transport
  private var state = HTTPClientConnection()
  private var exchange: HTTPExchange?
  /// What the exchange is about, for who asks what is still open.
  private var sent: PendingOperation?
  /// What the mock says of the request under way, where the endpoint is real.
  private var mirror: ShadowCall?
  private var hasServed = false
  /// What may be sent again on another connection, as long as nothing came in answer to it.
  private var repeatable: HTTPRequest?

  fileprivate init(_ run: ScenarioRun, _ endpoint: EndpointID) {
    self.run = run
    self.endpoint = endpoint
    transport = run.connect(to: endpoint)
    transport.onEvent = { [unowned self] event in receive(event) }
  }

  fileprivate func start(
    _ request: HTTPRequest, isComplete: Bool, isLost: Bool,
    _ completion: @escaping (Result<HTTPResponse, ExchangeFailure>) -> Void
  ) -> HTTPExchange {
    let exchange = HTTPExchange(self, completion)
    self.exchange = exchange
    sent = run.pendingOperation(of: request, to: endpoint, .unanswered)
    mirror = run.remotes?.tell(of: request, to: endpoint, on: transport, isLost: isLost)
    if isLost {
      abort()
    } else {
      let addressed = run.remotes?.addressed(request, to: endpoint, isComplete: isComplete)
      repeatable = addressed.flatMap { hasServed && mayRepeat(request) ? $0 : nil }
      perform(state.on(.requestSent(addressed ?? request)))
    }
    return exchange
  }

  /// The request that has no answer yet.
  fileprivate var pendingOperation: PendingOperation? { exchange == nil ? nil : sent }

  fileprivate func cancel() {
    if exchange != nil { run.remotes?.tellCancelled(endpoint, on: transport) }
    exchange = nil
    perform(state.on(.cancelled))
  }

  fileprivate func invalidate() {
    exchange?.forget()
    exchange = nil
  }

  private func receive(_ event: TransportEvent) {
    run.takeUpCause(of: transport)
    switch event {
    case .connected, .writable: break
    case .received(let bytes):
      repeatable = nil
      // A mock speaks HTTP.
      if run.remotes != nil { exchange?.heard(bytes) }
      perform(state.on(.bytesReceived(bytes)))
    case .ended: if !askAgain() { perform(state.on(.closed)) }
    case .failed(let failure): if failure != .reset || !askAgain() { lose(failure) }
    }
  }

  /// A server may end a connection that has served at the very moment the next request is sent:
  /// that says nothing of the request, unless it changes something or the scenario harms the line.
  private func mayRepeat(_ request: HTTPRequest) -> Bool {
    ["GET", "HEAD", "OPTIONS", "PUT", "DELETE"].contains(request.method)
      && run.conditions.isUnharmed(endpoint)
  }

  /// Sends the request on a new connection, where it may be sent again.
  private func askAgain() -> Bool {
    guard let request = repeatable, let exchange, run.conditions.isUnharmed(endpoint) else {
      return false
    }
    repeatable = nil
    self.exchange = nil
    _ = state.on(.reset)
    run.forget(self, of: endpoint)
    transport.close()
    let link = ClientLink(run, endpoint)
    run.connections.all.append(link)
    link.takeOver(exchange, request, mirror)
    mirror = nil
    return true
  }

  private func takeOver(_ exchange: HTTPExchange, _ request: HTTPRequest, _ mirror: ShadowCall?) {
    self.exchange = exchange
    self.mirror = mirror
    exchange.link = self
    perform(state.on(.requestSent(request)))
  }

  /// The request gets lost on its way, and the connection with it.
  private func abort() {
    run.after(run.conditions.latency(of: endpoint), phase: .source) { [self] in
      transport.abort()
      lose(.reset)
    }
  }

  private func lose(_ failure: TransportFailure) {
    let lost = exchange
    exchange = nil
    _ = state.on(.reset)
    run.forget(self, of: endpoint)
    lost?.complete(.failure(.connection(failure)))
  }

  private func perform(_ actions: [HTTPClientConnection.Action]) {
    for action in actions {
      switch action {
      case .send(let bytes):
        run.leaveCause(on: transport)
        transport.send(bytes)
      case .deliver(let response), .upgrade(let response):
        mirror?.answered(response)
        finish(.success(response))
      case .fail(let problem), .refuse(let problem): finish(.failure(.protocolProblem(problem)))
      case .passOn, .headArrived, .bodyArrived, .bodyEnded: break
      case .close: leave { $0.close() }
      case .abort: leave { $0.abort() }
      }
    }
  }

  private func leave(_ how: (any Transport) -> Void) {
    run.leaveCause(on: transport)
    run.forget(self, of: endpoint)
    how(transport)
  }

  private func finish(_ result: Result<HTTPResponse, ExchangeFailure>) {
    let finished = exchange
    exchange = nil
    mirror = nil
    hasServed = true
    if state.isIdle { run.keep(self, of: endpoint) }
    finished?.complete(result)
  }
}

/// Who waits for an answer, and holds others that hold it as long as none has come.
protocol OutstandingRequest: AnyObject {
  /// Where it stands among those that wait; nil where it does not.
  var waitingPlace: Int? { get set }
  /// Lets go of all of them: the run is over.
  func forget()
}

/// Connections between clients and endpoints.
final class Connections {
  var idle: [[ClientLink]]
  var all: [ClientLink] = []
  /// By number of the connection: the event that led to what was sent on it last.
  var causes: [Int?] = []
  /// Calls that failed and are about to be tried again.
  var pausing: [ProviderCall] = []
  /// In no order; it is never asked for one.
  private var unanswered: [any OutstandingRequest] = []
  private var open: [OpenTransport] = []
  private var sweepAt = 16

  private struct OpenTransport {
    weak var transport: FaultyTransport?
  }

  init(_ plan: ScenarioPlan) {
    idle = [[ClientLink]](repeating: [], count: plan.endpoints.count)
  }

  /// Those that are gone are forgotten once they may be the majority.
  func remember(_ transport: FaultyTransport) {
    if open.count >= sweepAt {
      open.removeAll { $0.transport == nil }
      sweepAt = max(16, 2 * open.count)
    }
    open.append(OpenTransport(transport: transport))
  }

  /// What is told of a connection may hold the connection, and this ends that.
  func forgetLines() {
    for line in open { line.transport?.invalidate() }
    open = []
  }

  func began(_ waiting: any OutstandingRequest) {
    waiting.waitingPlace = unanswered.count
    unanswered.append(waiting)
  }

  /// The last one takes the place that becomes free.
  func ended(_ waiting: any OutstandingRequest) {
    guard let place = waiting.waitingPlace, let last = unanswered.popLast() else { return }
    waiting.waitingPlace = nil
    guard last !== waiting else { return }
    last.waitingPlace = place
    unanswered[place] = last
  }

  /// Requests without an answer, in the order their connections were made.
  var pendingOperations: [PendingOperation] {
    all.compactMap(\.pendingOperation) + pausing.compactMap(\.pendingOperation)
  }

  func invalidate() {
    for link in all { link.invalidate() }
    idle = []
    all = []
    pausing = []
    for waiting in unanswered {
      waiting.waitingPlace = nil
      waiting.forget()
    }
    unanswered = []
  }
}

extension ScenarioRun {
  func pendingOperation(
    of request: HTTPRequest, to endpoint: EndpointID, _ state: PendingOperation.RequestState
  ) -> PendingOperation {
    let kind = PendingOperation.Kind.request(
      endpoint, method: request.method, target: request.target, state)
    return PendingOperation(kind, since: scheduler.now)
  }

  /// Sends a request on a connection that is free, or on a new one.
  func startExchange(
    _ endpoint: EndpointID, _ request: HTTPRequest, isComplete: Bool = false,
    _ completion: @escaping (Result<HTTPResponse, ExchangeFailure>) -> Void
  ) -> HTTPExchange {
    let isNew = connections.idle[endpoint].isEmpty
    let link = connections.idle[endpoint].popLast() ?? ClientLink(self, endpoint)
    if isNew { connections.all.append(link) }
    let isLost = conditions.losesRequest(to: endpoint)
    return link.start(request, isComplete: isComplete, isLost: isLost, completion)
  }

  fileprivate func keep(_ link: ClientLink, of endpoint: EndpointID) {
    connections.idle[endpoint].append(link)
  }

  fileprivate func forget(_ link: ClientLink, of endpoint: EndpointID) {
    connections.idle[endpoint].removeAll { $0 === link }
    // The link may be in the middle of a call; it goes when that is over.
    after(0, phase: .completion) { [unowned self] in connections.all.removeAll { $0 === link } }
  }

  /// Bytes carry no cause with them, so the connection remembers it for them.
  func leaveCause(on transport: any Transport) { leaveCause(on: transport.connection) }

  func leaveCause(on connection: Int) {
    // One that a fault refused has no number, and what led to its end is known.
    guard connection > 0 else { return }
    while connections.causes.count <= connection { connections.causes.append(nil) }
    connections.causes[connection] = cause
  }

  func takeUpCause(of transport: any Transport) { takeUpCause(of: transport.connection) }

  func takeUpCause(of connection: Int) {
    guard connection > 0, connections.causes.indices.contains(connection) else {
      // Why a client that is not ours does something, nobody knows.
      if isServing { cause = nil }
      return
    }
    cause = connections.causes[connection]
  }
}
