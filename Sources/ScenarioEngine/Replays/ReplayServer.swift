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
  let run: RunParts
  private var links: [ReplayLink] = []
  private var connectionCount = 0

  init(_ run: RunParts, _ director: ReplayDirector, _ endpoint: EndpointID) {
    self.run = run
    self.endpoint = endpoint
    self.director = director
    plan = run.plan.endpoints[endpoint]
    (run.loop.network as? MemoryNetwork)?.unannounced.insert(plan.name)
    let isListening = run.loop.network.listen(at: plan.name) { [unowned self] transport in
      accept(transport)
    }
    if !isListening { run.supervisor.fail(.cannotListen(plan)) }
    run.loop.network.ask(before: plan.name) { [unowned run] in
      run.suppliers.conditions.answer(at: endpoint)
    }
  }

  /// Takes a connection. Programs of the scenario have no taps at their ends.
  private func accept(_ accepted: any Transport) {
    guard run.loop.network.isForeign(accepted.connection) else {
      return links.append(ReplayLink(self, accepted))
    }
    guard let line = run.suppliers.conditions.accept(accepted, at: endpoint) else { return }
    let number = takeConnectionNumber()
    let taps = run.isServing ? run.taps : nil
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
    let number = run.taps?.number(of: transport.connection) ?? 0
    let request = Exchange.Request(request)
    switch director.guide.choose(for: request, at: endpoint, connection: number) {
    case .exchange(let exchange):
      if exchange.beginsAgain, !run.inputs.options.disturbances.isEmpty {
        run.recorder.record(.network(.answeredAgain(plan.source)))
      }
      return .exchange(exchange)
    case .unanswered: return .unanswered
    case .unknown(let traced): return .unknown(traced)
    }
  }

  /// Fails the scenario because of a request that the trace does not hold.
  func fail(_ request: Value, _ traced: TracedRequest) {
    var problem = UnmatchedRequest(
      endpoint: endpoint, request: request, closest: nil, differences: [])
    problem.traced = traced
    problem.traced?.step = run.supervisor.main?.lastReference
    run.supervisor.fail(.unmatchedRequest(problem))
  }

  /// Fails the scenario because of a request that no entry of the mock matched in the recording.
  func refuse(_ request: Value, _ closest: String?, _ differences: [String]) {
    var problem = UnmatchedRequest(
      endpoint: endpoint, request: request, closest: nil, differences: differences)
    problem.recordedClosest = closest
    run.supervisor.fail(.unmatchedRequest(problem))
  }

  /// Emits what a client sent, and makes it the cause of what comes back.
  func emit(_ value: Value, on transport: any Transport) {
    let cause = run.causes.cause(on: transport.connection)
    run.recorder.caused(by: cause) {
      let event = run.emitter.emit(plan.source, value)
      run.causes.setCause(event, on: transport.connection)
    }
  }

  /// Sets or emits what the mock did in the trace.
  func perform(_ effect: ReplayedTrace.Effect, on transport: any Transport) {
    run.recorder.caused(by: run.causes.cause(on: transport.connection)) {
      run.recorder.byMock {
        if case .node(let node) = run.plan.sources[effect.target].kind {
          run.emitter.write([(node, effect.value)])
        } else {
          run.emitter.emit(effect.target, effect.value)
        }
      }
    }
  }

  func remove(_ link: ReplayLink) {
    director.remove(link)
    run.loop.after(0, phase: .completion) { [unowned self] in links.removeAll { $0 === link } }
  }
}
