import Events
import ScenarioPlan
import World

extension ScenarioRun {
  /// Connects to an endpoint, over its line and whatever is wrong with it.
  func connect(to endpoint: EndpointID, isWebSocket: Bool = false) -> any Transport {
    let line = conditions.lines[endpoint]
    let (number, isRefused) = line.attempt()
    if isRefused { return refused(endpoint, number) }
    let name = plan.endpoints[endpoint].name
    let inner =
      isWebSocket ? network.connectForWebSocket(to: name) : network.connect(to: name)
    let connection = inner.connection
    let transport = FaultyTransport(inner, over: line, on: scheduler) {
      [unowned self] fault, direction in
      let before = cause
      takeUpCause(of: connection)
      cause = note(.faulted(Fault(endpoint, connection: number, fault, direction)))
      leaveCause(on: connection)
      cause = before
    }
    connections.remember(transport)
    return transport
  }

  private func refused(_ endpoint: EndpointID, _ number: Int) -> any Transport {
    let before = cause
    defer { cause = before }
    cause = note(.faulted(Fault(endpoint, connection: number, .refused, nil)))
    return RefusedTransport { [unowned self] job in after(0, phase: .source, job) }
  }
}

extension Fault {
  fileprivate init(
    _ endpoint: EndpointID, connection: Int, _ fault: LineFault, _ direction: LineDirection?
  ) {
    let kind: Kind =
      switch fault {
      case .refused: .refused
      case .dropped: .dropped
      case .reset: .reset
      case .stalled: .stalled
      case .corrupted: .corrupted
      case .duplicated: .duplicated
      case .delayed(let length): .delayed(length)
      }
    let isToServer = direction.map { $0 == .toServer }
    self.init(endpoint: endpoint, connection: connection, isToServer: isToServer, kind: kind)
  }
}
