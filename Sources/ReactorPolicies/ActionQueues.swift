/// Decides which of the actions with one key runs, and which wait; acts on nothing itself.
///
/// There is one per reactor. Actions start in the order in which they were sent.
package struct ActionQueues<Key: Hashable, Run: Hashable> {
  /// By key: the run under way, and then those that wait. Nothing iterates over the keys in a
  /// visible order.
  private var runs: [Key: [Run]] = [:]

  /// Makes the queues of a reactor in which nothing runs.
  package init() {}

  /// Notes an action that was sent. Returns whether it starts now.
  package mutating func actionSent(_ run: Run, _ key: Key) -> Bool {
    runs[key, default: []].append(run)
    return runs[key]?.count == 1
  }

  /// Notes that the action under way ended. Returns the one that starts now.
  package mutating func actionEnded(_ key: Key) -> Run? {
    runs[key]?.removeFirst()
    let next = runs[key]?.first
    if next == nil { runs[key] = nil }
    return next
  }

  /// Returns the actions that wait for one under way, in their order.
  package func waiting(behind run: Run, _ key: Key) -> [Run] {
    guard let all = runs[key], all.first == run else { return [] }
    return Array(all.dropFirst())
  }

  /// Removes the actions that wait and are meant.
  package mutating func removeWaiting(where isMeant: (Run) -> Bool) {
    for (key, all) in runs { runs[key] = all.prefix(1) + all.dropFirst().filter { !isMeant($0) } }
  }
}

extension ActionQueues: Sendable where Key: Sendable, Run: Sendable {}
