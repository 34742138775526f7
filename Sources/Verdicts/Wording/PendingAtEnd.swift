import Events
import ScenarioPlan
import Values

/// An operation that was pending when a run ended, in a report's words.
package struct PendingAtEnd: Sendable, Equatable {
  /// `sse`, `ndjson`, `websocket`, `client` or `request`.
  package var kind: String
  /// Of a connection: its name. Of a client: the part whose object has it. Of a request: its method
  /// and target.
  package var name: String
  package var endpoint: String
  /// `connecting`, `connected`, `unanswered`, or `pausing`: about to be tried again.
  package var state: String
  package var since: Microseconds

  package init(
    kind: String, name: String, endpoint: String, state: String, since: Microseconds
  ) {
    self.kind = kind
    self.name = name
    self.endpoint = endpoint
    self.state = state
    self.since = since
  }

  init(_ end: PendingOperation, in plan: ScenarioPlan) {
    switch end.kind {
    case .connection(let connection, let state):
      let connection = plan.connections[ifPresent: connection]
      self.init(
        kind: connection?.kind.word ?? "?", name: connection?.name ?? "?",
        endpoint: plan.nameOfEndpoint(connection?.request?.endpoint), state: state.rawValue,
        since: end.since)
    case .client(let part, let endpoint, let state):
      self.init(
        kind: "client", name: part, endpoint: plan.nameOfEndpoint(endpoint), state: state.rawValue,
        since: end.since)
    case .request(let endpoint, let method, let target, let state):
      self.init(
        kind: "request", name: "\(method) \(target)", endpoint: plan.nameOfEndpoint(endpoint),
        state: state.rawValue, since: end.since)
    }
  }
}

extension ScenarioPlan {
  fileprivate func nameOfEndpoint(_ endpoint: EndpointID?) -> String {
    endpoint.flatMap { endpoints[ifPresent: $0]?.name } ?? "?"
  }
}

extension ConnectionPlan.Kind {
  /// The word under which a scenario makes one.
  fileprivate var word: String {
    switch self {
    case .eventStream: "sse"
    case .lines: "ndjson"
    case .webSocket: "websocket"
    }
  }
}
