import Diagnostics
import Events
import Protocols
import ScenarioPlan
import Values

/// The part of a mock that serves a request.
enum EntryChoice {
  case route(Int)
  case conversation(ConversationKind, Int)
  /// The request makes no opening handshake that follows the rules.
  case handshake(WebSocketHandshakeProblem)
  case none(NearestEntry)
}

/// The entry that comes closest to a request that no entry serves, and the differences.
struct NearestEntry {
  var range: SourceRange?
  var differences: [String]
}

/// The comparison of a request with what entries require, which takes the values of a run.
struct RequestComparison {
  let judge: any Judge
  let request: Value
  /// The request as it came, for a matcher that reads its body in another form.
  let message: HTTPRequest
  let slots: ([Value]) -> ValueReader
  /// Returns the reason why a route's condition does not hold; nil if it holds.
  let differenceOfRoute: (_ route: Int, _ parameters: ValueMap) -> String?
  /// Returns what a route counts the request by.
  let sessionOfRoute: (_ route: Int, _ parameters: ValueMap) -> Value

  func difference(
    from matcher: MatcherPlan, of acceptance: AcceptancePlan, in entry: ConversationPlan
  ) -> String? {
    let slots = slots(entry.locals(for: request))
    return judge.difference(
      of: request.withBody(of: message, askedBy: matcher), from: matcher, reads: acceptance.reads,
      values: acceptance.reads.map { slots.value(of: $0) })
  }

  func differenceOfWhen(_ acceptance: AcceptancePlan, in entry: ConversationPlan) -> String? {
    acceptance.when.flatMap { differenceOf($0, in: slots(entry.locals(for: request))) }
  }
}

/// The choice of an entry for one request.
///
/// Of the routes, the first that fits is taken. An entry of the short forms `sse` and `ndjson`
/// whose kind `Accept` names comes before a route of another kind, the other entries come after all
/// routes.
/// So one path may answer JSON or a stream. A request for a WebSocket is only for entries of
/// WebSockets.
struct EntryChooser {
  let plan: EndpointPlan
  let turns: MockTurns
  let request: HTTPRequest
  let comparison: RequestComparison

  func choose() -> EntryChoice {
    let target = RequestTarget(request)
    guard plan.hasConversations else {
      return findRoute(target).map { .route($0) } ?? .none(nearest(target))
    }
    let isUpgrade = WebSocketOffer.isMeant(by: request)
    if isUpgrade, !plan.webSockets.isEmpty { return chooseWebSocket(target) }
    let asked = isUpgrade ? [] : streams.filter { $0.isAsked(by: request) }
    let others = isUpgrade ? [] : streams.filter { !$0.isAsked(by: request) }
    let route = findRoute(target) { $0 != .webSocket }
    if let route, let kind = turn(ofRoute: route).conversation, kind.isAsked(by: request) {
      return .route(route)
    }
    return chooseStream(asked) { _ in true }
      ?? route.map { .route($0) }
      ?? chooseStream(others, where: mayTakeUnasked)
      ?? chooseNone(target)
  }

  private var streams: [ConversationKind] {
    [.lines, .eventStream].filter { !plan.conversations($0).isEmpty }
  }

  /// - Parameter mayTake: Returns whether a route may answer whose turn opens such a connection;
  ///   nil stands for a plain answer.
  private func findRoute(
    _ target: RequestTarget, where mayTake: (ConversationKind?) -> Bool = { _ in true }
  ) -> Int? {
    ScenarioEngine.findRoute(
      plan.routes, for: target, where: { mayTake(turn(ofRoute: $0).conversation) },
      when: comparison.differenceOfRoute)
  }

  private func turn(ofRoute number: Int) -> RoutePlan.Turn {
    let route = plan.routes[number]
    if route.turnsBy == nil { return route.turn(after: turns.calls(of: number, in: .null)) }
    let parameters = route.parameters(of: RequestTarget(request))
    return route.turn(
      after: turns.calls(of: number, in: comparison.sessionOfRoute(number, parameters)))
  }

  private func chooseStream(
    _ kinds: [ConversationKind], where mayTake: (ConversationPlan) -> Bool
  ) -> EntryChoice? {
    for kind in kinds {
      guard let turn = turn(of: kind), mayTake(plan.conversations(kind)[turn]), fits(turn, of: kind)
      else { continue }
      return .conversation(kind, turn)
    }
    return nil
  }

  /// An entry for any path would take whatever no route is for.
  private func mayTakeUnasked(_ entry: ConversationPlan) -> Bool {
    !request.isUnprompted && entry.hasPath
  }

  private func chooseWebSocket(_ target: RequestTarget) -> EntryChoice {
    if case .failure(let problem) = WebSocketOffer.check(request) { return .handshake(problem) }
    let route = ScenarioEngine.findRoute(
      plan.routes, for: target, where: { plan.routes[$0].opens(.webSocket) },
      when: comparison.differenceOfRoute)
    if let route { return .route(route) }
    guard let turn = turn(of: .webSocket), fits(turn, of: .webSocket) else {
      return .none(nearest(target))
    }
    return .conversation(.webSocket, turn)
  }

  /// A plain GET of a WebSocket is answered with what it lacks.
  private func chooseNone(_ target: RequestTarget) -> EntryChoice {
    let isPlain = ["GET", "HEAD"].contains(request.method) && !request.isUnprompted
    if isPlain, findRoute(target) != nil { return .handshake(.missingUpgrade) }
    if isPlain, let turn = turn(of: .webSocket) {
      let entry = plan.webSockets[turn]
      if entry.hasPath || plan.hasOnlyWebSockets { return .handshake(.missingUpgrade) }
    }
    return .none(nearest(target))
  }

  /// The entry whose turn it is among those for the path and method of the request.
  func turn(of kind: ConversationKind) -> Int? {
    let entries = plan.conversations(kind)
    return turns.turn(of: kind, among: entries.indices.filter { isFor(entries[$0]) })
  }

  /// Returns whether an entry is for the path and method of the request. What a route opens is for
  /// none: requests select the route.
  func isFor(_ entry: ConversationPlan) -> Bool {
    guard entry.route == nil else { return false }
    guard case .accept(let acceptance, _) = entry.kind, let target = acceptance.target else {
      return true
    }
    return comparison.difference(from: target, of: acceptance, in: entry) == nil
  }

  /// Returns whether the request carries all that an entry requires.
  func fits(_ number: Int, of kind: ConversationKind) -> Bool {
    let entry = plan.conversations(kind)[number]
    guard case .accept(let acceptance, _) = entry.kind else { return true }
    return comparison.difference(from: acceptance.request, of: acceptance, in: entry) == nil
      && comparison.differenceOfWhen(acceptance, in: entry) == nil
  }
}

extension EndpointPlan {
  fileprivate var hasConversations: Bool {
    !eventStreams.isEmpty || !lines.isEmpty || !webSockets.isEmpty
  }

  fileprivate var hasOnlyWebSockets: Bool {
    routes.isEmpty && eventStreams.isEmpty && lines.isEmpty
  }
}

extension ConversationPlan {
  /// True if the entry is not for all paths.
  var hasPath: Bool {
    guard case .accept(let acceptance, _) = kind else { return false }
    return acceptance.hasPath
  }

  /// The locals of a connection that a request opens.
  func locals(for request: Value) -> [Value] {
    var locals = [Value](filledWith: .null, count: localCount)
    locals[self.request.index] = request
    return locals
  }
}

extension ConversationKind {
  func isAsked(by request: HTTPRequest) -> Bool {
    switch self {
    case .webSocket: WebSocketOffer.isMeant(by: request)
    case .eventStream, .lines: request.headers.lists(mediaType, under: "Accept")
    }
  }

  /// The type of what is sent on a connection; of a WebSocket there is none.
  var mediaType: String {
    switch self {
    case .webSocket: ""
    case .eventStream: "text/event-stream"
    case .lines: "application/x-ndjson"
    }
  }

  /// The head of the answer that opens a stream.
  var head: HTTPResponse {
    HTTPResponse(status: 200, headers: ["Content-Type": mediaType, "Cache-Control": "no-cache"])
  }
}

extension HTTPRequest {
  /// True for requests that browsers make by themselves, before or beside those of a page.
  var isUnprompted: Bool {
    method == "OPTIONS" || HTTPTarget(target).path == "/favicon.ico"
  }
}
