import Protocols
import ScenarioPlan
import Values

/// Whose turn it is among an endpoint's routes, and among its entries for connections that stay.
struct MockTurns {
  private let plan: EndpointPlan
  /// The number of calls of each route.
  private var calls: [Int]
  /// The number of opened connections by kind of conversation.
  private var conversations: [ConversationKind: Int] = [:]

  init(_ plan: EndpointPlan) {
    self.plan = plan
    calls = [Int](repeating: 0, count: plan.routes.count)
  }

  /// Returns the kind of conversation that a request opens and the entry that serves it; nil for
  /// other requests.
  mutating func conversation(
    for request: HTTPRequest
  ) -> (kind: ConversationKind, entry: ConversationPlan)? {
    guard let kind = plan.conversationKind(of: request) else { return nil }
    let entries = plan.conversations(kind)
    let turn = conversations[kind] ?? 0
    conversations[kind] = turn + 1
    return (kind, entries[min(turn, entries.count - 1)])
  }

  /// The number of requests that a route has answered.
  func calls(of route: Int) -> Int { calls[route] }

  /// The number of conversations of a kind that were opened.
  func opened(_ kind: ConversationKind) -> Int { conversations[kind] ?? 0 }

  /// Counts a call of a route and returns the number of earlier ones.
  mutating func take(_ route: Int) -> Int {
    calls[route] += 1
    return calls[route] - 1
  }
}

extension EndpointPlan {
  /// A request that asks for a WebSocket or a stream opens one where the endpoint has any; other
  /// requests do where it has no routes, but a stream is no answer to who asks for a WebSocket.
  fileprivate func conversationKind(of request: HTTPRequest) -> ConversationKind? {
    let kinds: [ConversationKind] = [.webSocket, .eventStream, .lines]
    let known = kinds.filter { !conversations($0).isEmpty }
    if let asked = known.first(where: { $0.isAsked(by: request) }) { return asked }
    guard routes.isEmpty, !WebSocketOffer.isMeant(by: request) else { return nil }
    return known.last
  }
}

extension ConversationKind {
  fileprivate func isAsked(by request: HTTPRequest) -> Bool {
    switch self {
    case .webSocket: WebSocketOffer.isMeant(by: request)
    case .eventStream: request.headers.lists("text/event-stream", under: "Accept")
    case .lines: request.headers.lists("application/x-ndjson", under: "Accept")
    }
  }
}

extension RoutePlan {
  /// The locals of a call: the request, with what the path's parameters stand for.
  func locals(for request: Value, _ parameters: ValueMap) -> [Value] {
    var locals = [Value](repeating: .null, count: localCount)
    var value = request
    if case .map(var map) = value, !parameters.isEmpty {
      map["params"] = .map(parameters)
      value = .map(map)
    }
    locals[self.request.index] = value
    return locals
  }
}
