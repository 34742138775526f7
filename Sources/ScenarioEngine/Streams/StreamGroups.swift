import Publishers
import ScenarioPlan
import Values

/// The operators that run for each key by itself.
extension LiveStreams {
  /// Parts a stream by a key, and merges what the operators make of each group.
  ///
  /// The operators of a group are made when its first value comes. They keep the place and the
  /// parameters of their stream, and the key of the group is one value more.
  func grouped(
    _ chain: ValuePublisher, by key: ExpressionPlan, _ operators: [StreamOperatorPlan]
  ) -> ValuePublisher {
    let rule = self.rule(key)
    let (place, arguments) = (holdingPlace, arguments)
    return Deferred { [unowned self] in
      let open = OpenGroups(groupCount)
      return chain.tryMap { value throws(StreamFailure) in (key: try rule(value), value: value) }
        .grouped { $0.key }
        .flatMap { [unowned self] group -> ValuePublisher in
          guard mayOpenGroup(open) else { return nothingEver }
          let values = group.map(\.value).eraseToAnyPublisher()
          return made(at: place, with: arguments + [group.key]) {
            operators.reduce(values) { apply($1, to: $0) }
          }
        }
    }.eraseToAnyPublisher()
  }

  private func mayOpenGroup(_ open: OpenGroups) -> Bool {
    guard run.mayWork(1) else { return false }
    if open.add() { return true }
    run.supervisor.fail(.tooManyGroups)
    return false
  }

  private func made(
    at place: BarrierRank, with arguments: [Value], _ body: () -> ValuePublisher
  ) -> ValuePublisher {
    let outer = (holdingPlace, self.arguments)
    (holdingPlace, self.arguments) = (place, arguments)
    defer { (holdingPlace, self.arguments) = outer }
    return body()
  }
}

/// The number of groups of all streams of a run that are open.
final class GroupCount {
  fileprivate var open = 0
}

/// The groups of one subscription to `groupBy`. They are open until the subscription ends.
private final class OpenGroups {
  private let total: GroupCount
  private var count = 0

  init(_ total: GroupCount) { self.total = total }

  deinit { total.open -= count }

  /// Adds a group; false if there are too many.
  func add() -> Bool {
    guard total.open < Limits.groupsAtOnce else { return false }
    total.open += 1
    count += 1
    return true
  }
}
