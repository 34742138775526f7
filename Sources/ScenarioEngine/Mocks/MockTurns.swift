import ScenarioPlan
import TextSearch
import Values

/// The turns of an endpoint's routes and of its stream entries: the calls that each route has
/// answered, and the entries that have served.
struct MockTurns {
  /// The number of calls of each route, by what it counts them by.
  private var calls: [[Value: Int]]
  /// The entries that have served a connection, by kind of connection.
  private var used: [ConversationKind: Set<Int>] = [:]

  init(_ plan: EndpointPlan) {
    calls = [[Value: Int]](filledWith: [:], count: plan.routes.count)
  }

  /// Returns the first of these entries that has not served yet; after all have, the last repeats.
  func turn(of kind: ConversationKind, among entries: [Int]) -> Int? {
    let used = used[kind] ?? []
    return entries.first { !used.contains($0) } ?? entries.last
  }

  mutating func take(_ kind: ConversationKind, _ entry: Int) {
    used[kind, default: []].insert(entry)
  }

  /// The number of requests of a session that a route has answered.
  func calls(of route: Int, in session: Value) -> Int { calls[route][session] ?? 0 }

  /// Returns whether a route has answered a request.
  func hasAnswered(_ route: Int) -> Bool { !calls[route].isEmpty }

  /// Returns whether an entry has served a connection.
  func hasServed(_ kind: ConversationKind, _ entry: Int) -> Bool {
    used[kind]?.contains(entry) ?? false
  }

  /// Counts a call of a route and returns the number of earlier ones.
  mutating func take(_ route: Int, in session: Value) -> Int {
    defer { calls[route][session, default: 0] += 1 }
    return calls(of: route, in: session)
  }
}
