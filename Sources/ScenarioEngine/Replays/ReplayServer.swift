import Events
import Protocols
import ScenarioPlan
import Values
import World

/// An endpoint whose side of conversations is played from a trace.
final class ReplayServer {
  let endpoint: EndpointID
  let plan: EndpointPlan
  let director: ReplayDirector
  let loop: RunLoop
  let causes: ConnectionCauses
  private let recorder: EventRecorder
  private let emitter: SourceEmitter
  private let taps: TrafficTaps?
  private let supervisor: ScriptSupervisor
  private var links: [ReplayLink] = []
  private var connectionCount = 0

  init(_ run: ScenarioRun, _ director: ReplayDirector, _ endpoint: EndpointID) {
    self.endpoint = endpoint
    self.director = director
    plan = run.plan.endpoints[endpoint]
    loop = run.loop
    causes = run.causes
    recorder = run.recorder
    emitter = run.emitter
    taps = run.taps
    supervisor = run.supervisor
    (loop.network as? MemoryNetwork)?.unannounced.insert(plan.name)
    let isListening = loop.network.listen(at: plan.name) { [unowned self, unowned run] transport in
      accept(transport, run.suppliers.conditions, run.isServing ? run.taps : nil)
    }
    if !isListening { supervisor.fail(.cannotListen(plan)) }
  }

  /// Takes a connection. Programs of the scenario have no taps at their ends.
  private func accept(
    _ accepted: any Transport, _ conditions: NetworkConditions, _ taps: TrafficTaps?
  ) {
    guard loop.network.isForeign(accepted.connection) else {
      return links.append(ReplayLink(self, accepted))
    }
    guard let line = conditions.accept(accepted, at: endpoint) else { return }
    let number = takeConnectionNumber()
    let tapped = taps?.tapped(line, acceptedAt: endpoint, number: number)
    links.append(ReplayLink(self, tapped ?? line, number: number))
  }

  /// True if nobody is connected, so that a `serve` step fails as it did when it was recorded. A
  /// trace as a world is asked by other scenarios, which may connect later.
  var servesNobody: Bool {
    director.trace.timing != .relative && !links.contains(where: \.hasExchange)
  }

  func takeConnectionNumber() -> Int {
    connectionCount += 1
    return connectionCount
  }

  /// The party that answers a request.
  enum Answer {
    case exchange(PlayedExchange)
    case unanswered
    case unknown(TracedRequest)
  }

  /// Chooses the recorded exchange of the request that arrived on a connection.
  func choose(for request: HTTPRequest, on transport: any Transport) -> Answer {
    let number = taps?.number(of: transport.connection) ?? 0
    let request = Exchange.Request(request)
    switch director.guide.choose(for: request, at: endpoint, connection: number) {
    case .exchange(let exchange): return .exchange(exchange)
    case .unanswered: return .unanswered
    case .unknown(let traced): return .unknown(traced)
    }
  }

  /// Fails the scenario because of a request that the trace does not hold.
  func fail(_ request: Value, _ traced: TracedRequest) {
    var problem = UnmatchedRequest(
      endpoint: endpoint, request: request, closest: nil, differences: [])
    problem.traced = traced
    problem.traced?.step = supervisor.main?.lastReference
    supervisor.fail(.unmatchedRequest(problem))
  }

  /// Fails the scenario because of a request that no entry of the mock matched in the recording.
  func refuse(_ request: Value, _ closest: String?, _ differences: [String]) {
    var problem = UnmatchedRequest(
      endpoint: endpoint, request: request, closest: nil, differences: differences)
    problem.recordedClosest = closest
    supervisor.fail(.unmatchedRequest(problem))
  }

  /// Emits what a client sent, and makes it the cause of what comes back.
  func emit(_ value: Value, on transport: any Transport) {
    let cause = causes.cause(on: transport.connection)
    recorder.caused(by: cause) {
      let event = emitter.emit(plan.source, value)
      causes.setCause(event, on: transport.connection)
    }
  }

  /// Sets or emits what the mock did in the trace.
  func perform(_ effect: ReplayedTrace.Effect, on transport: any Transport) {
    recorder.caused(by: causes.cause(on: transport.connection)) {
      switch effect.target {
      case .node(let node): emitter.write([(node, effect.value)])
      case .source(let source): emitter.emit(source, effect.value)
      }
    }
  }

  func remove(_ link: ReplayLink) {
    director.remove(link)
    loop.after(0, phase: .completion) { [unowned self] in links.removeAll { $0 === link } }
  }

  func invalidate() { links = [] }
}
