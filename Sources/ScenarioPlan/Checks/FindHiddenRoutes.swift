import Diagnostics
import ScenarioSpec

/// A route that no request ever selects, and the one before it that answers all of its requests.
struct HiddenRoute {
  var route: RoutePlan
  var earlier: RoutePlan
}

/// Returns the routes of an endpoint that another one before them hides entirely.
func findHiddenRoutes(_ routes: [RoutePlan]) -> [HiddenRoute] {
  guard routes.count > fewRoutes else { return findHiddenRoutes(amongFew: routes) }
  var earlier = EarlierRoutes()
  return routes.enumerated().compactMap { index, route in
    defer { earlier.append(route, at: index) }
    let hiding = earlier.candidates(for: route).lazy.filter { routes[$0].hides(route) }.min()
    return hiding.map { HiddenRoute(route: route, earlier: routes[$0]) }
  }
}

/// Returns the routes without a condition that requests for a stream reached before 0.2, whatever
/// stood before them in the list. Conditions of two routes nearly always exclude each other, and a
/// route that is hidden has a warning of its own.
func findRoutesBehindOthers(_ routes: [RoutePlan]) -> [RoutePlan] {
  guard routes.contains(where: \.opensStream) else { return [] }
  return routes.enumerated().compactMap { index, route in
    route.opensStream && route.when == nil && route.match == nil
      && routes[..<index].contains { $0.isTakenSince02(before: route) }
      ? route : nil
  }
}

/// So many routes are compared each with each.
private let fewRoutes = 12

private func findHiddenRoutes(amongFew routes: [RoutePlan]) -> [HiddenRoute] {
  routes.indices.compactMap { index in
    let hiding = routes[..<index].indices.first { routes[$0].hides(routes[index]) }
    return hiding.map { HiddenRoute(route: routes[index], earlier: routes[$0]) }
  }
}

/// The routes so far, found by the literal segments that a later route has to share with them.
///
/// The paths of an endpoint have their literals at a few combinations of places. So thousands of
/// routes are not compared each with each.
private struct EarlierRoutes {
  private struct Key: Hashable {
    /// The places of the literals, and what they are.
    var places: [Int]
    var literals: [String]
    var condition: String?
  }

  private var places: Set<[Int]> = []
  private var routes: [Key: [Int]] = [:]

  /// Adds a route; one that a matcher selects hides no other.
  mutating func append(_ route: RoutePlan, at index: Int) {
    guard route.match == nil else { return }
    let literals = route.segments.indices.filter { route.literal(at: $0) != nil }
    let key = Key(
      places: literals, literals: literals.compactMap(route.literal(at:)),
      condition: route.when?.origin.text)
    places.insert(literals)
    routes[key, default: []].append(index)
  }

  /// Returns the routes of which one may hide a later route, in no certain order.
  func candidates(for later: RoutePlan) -> [Int] {
    let conditions = later.when == nil ? [nil] : [nil, later.when?.origin.text]
    return places.flatMap { places -> [Int] in
      let literals = places.compactMap(later.literal(at:))
      return conditions.flatMap {
        routes[Key(places: places, literals: literals, condition: $0)] ?? []
      }
    }
  }
}

extension RoutePlan {
  /// Returns whether the route answers all requests of a later one. A condition or matcher may let
  /// some of them pass, unless the later route has the same condition.
  fileprivate func hides(_ later: RoutePlan) -> Bool {
    (method == nil || method == later.method) && covers(later.segments) && match == nil
      && (when == nil || when?.origin.text == later.when?.origin.text)
      && isTakenBefore(later)
  }

  /// The literal segment at a place; nil if there is none.
  fileprivate func literal(at place: Int) -> String? {
    guard place < segments.count, case .literal(let text) = segments[place] else { return nil }
    return text
  }

  private func covers(_ others: [Segment]) -> Bool {
    for (index, segment) in segments.enumerated() {
      guard index < others.count else { return false }
      switch (segment, others[index]) {
      case (.rest, _): return true
      case (.literal, .rest), (.parameter, .rest), (.literal, .parameter): return false
      case (.literal(let text), .literal(let other)): if text != other { return false }
      case (.parameter(let parameter), .literal(let text)):
        if parameter.value(in: text) == nil { return false }
      case (.parameter(let parameter), .parameter(let other)):
        if !parameter.covers(other) { return false }
      }
    }
    return segments.count == others.count
  }

  /// Returns whether the kind of its answers does not let requests pass to a later route: only an
  /// upgrade asks for a WebSocket.
  private func isTakenBefore(_ later: RoutePlan) -> Bool {
    let (kinds, others) = (conversations, later.conversations)
    let hasWebSockets = kinds.contains(.webSocket) || others.contains(.webSocket)
    return hasWebSockets ? kinds.count == 1 && kinds == others : true
  }

  /// Returns whether a request for a stream went to a later route before 0.2, and goes to this one
  /// now if it fits.
  fileprivate func isTakenSince02(before later: RoutePlan) -> Bool {
    let (kinds, others) = (conversations, later.conversations)
    let streams: Set<ConversationKind?> = [.eventStream, .lines]
    return (method == nil || later.method == nil || method == later.method)
      && covers(later.segments) && !kinds.contains(.webSocket)
      && !others.isDisjoint(with: streams.subtracting(kinds))
  }

  /// The kinds of connection that its turns open; nil stands for an answer.
  private var conversations: Set<ConversationKind?> {
    switch answers {
    case .script: [nil]
    case .inTurn(let turns): Set(turns.map(\.conversation))
    }
  }
}

extension RoutePlan {
  fileprivate var opensStream: Bool { opens(.eventStream) || opens(.lines) }
}

extension Diagnostic {
  static func routeBehindOthers(_ route: RoutePlan) -> Diagnostic {
    changedReading(
      of: "a route of a stream behind others for its path",
      now: "answers what they leave, whatever `Accept` says",
      before: "a request that asked for a stream went to it first", toKeepWrite: nil,
      at: route.range)
  }

  static func hiddenRoute(_ hidden: HiddenRoute) -> Diagnostic {
    Diagnostic(
      "hidden-route", severity: .warning, "no request ever selects this route",
      labels: [
        .init(hidden.route.range, "never selected"),
        .init(hidden.earlier.range, "this one before it answers the same requests"),
      ],
      help: "put the narrower route first, or tell them apart with `when` or `match`")
  }

  static func captureInMatch(_ range: SourceRange) -> Diagnostic {
    Diagnostic(
      "capture-in-match", "`match` selects a route and captures nothing",
      labels: [.init(range, "has an `$as`")],
      help: "read the part of the `request` where it is used: `${request.json.id}`")
  }

  static func bodyUnreadable(_ path: Located<String>, _ message: String) -> Diagnostic {
    Diagnostic(
      "body-unreadable", "the file `\(path.value)` cannot be read: \(message)",
      labels: [.init(path.range)], help: "paths are seen from the folder of this file")
  }
}
