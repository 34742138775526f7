import ScenarioPlan
import TextSearch

/// The turns of an endpoint's routes and of its stream entries: the calls that each route has
/// answered, and the entries that have served.
struct MockTurns {
  /// The number of calls of each route.
  private var calls: [Int]
  /// The entries that have served a connection, by kind of connection.
  private var used: [ConversationKind: Set<Int>] = [:]

  init(_ plan: EndpointPlan) {
    calls = [Int](filledWith: 0, count: plan.routes.count)
  }

  /// Returns the first of these entries that has not served yet; after all have, the last repeats.
  func turn(of kind: ConversationKind, among entries: [Int]) -> Int? {
    let used = used[kind] ?? []
    return entries.first { !used.contains($0) } ?? entries.last
  }

  mutating func take(_ kind: ConversationKind, _ entry: Int) {
    used[kind, default: []].insert(entry)
  }

  /// The number of requests that a route has answered.
  func calls(of route: Int) -> Int { calls[route] }

  /// Returns whether an entry has served a connection.
  func hasServed(_ kind: ConversationKind, _ entry: Int) -> Bool {
    used[kind]?.contains(entry) ?? false
  }

  /// Counts a call of a route and returns the number of earlier ones.
  mutating func take(_ route: Int) -> Int {
    calls[route] += 1
    return calls[route] - 1
  }
}
