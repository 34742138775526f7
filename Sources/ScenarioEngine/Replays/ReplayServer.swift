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
    _ = loop.network.listen(at: plan.name) { [unowned self] transport in
      links.append(ReplayLink(self, transport))
    }
  }

  func takeConnectionNumber() -> Int {
    connectionCount += 1
    return connectionCount
  }

  /// Returns the recorded exchange of the request that arrived on a connection.
  func takeExchange(on transport: any Transport) -> ReplayedTrace.Exchange? {
    let number = taps?.number(of: transport.connection) ?? 0
    return director.guide.takeExchange(at: endpoint, connection: number).map {
      director.trace.exchanges[$0]
    }
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
