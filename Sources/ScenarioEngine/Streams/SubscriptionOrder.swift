import ScenarioPlan
import TextSearch

/// The order in which streams begin.
///
/// Streams begin in the order of the document; one that is written before a stream it follows comes
/// right after that one. But subscriptions go depth first, as in Combine: where a stream subscribes
/// to a diagram before it subscribes to a named stream, it begins before the named one, so that a
/// name for the middle of a chain changes no order.
///
/// The order of a stream and of those before it does not depend on who else follows them: watching
/// streams does not change their order.
struct SubscriptionOrder {
  private enum State { case waiting, opened, begun }

  /// By stream: its rank in the order of the document; the inputs of a stream come before it.
  let ranks: PerID<StreamPlan, Int>
  /// Those that start for each subscriber; first those that follow no shared stream.
  let coldStreams: [StreamID]
  /// Those whose subscribers share them.
  let sharedStreams: [StreamID]
  /// By stream: the followers that begin before it, in their order.
  private let earlyFollowers: PerID<StreamPlan, [StreamID]>
  /// By stream: the shared streams that it subscribes to when it begins.
  private let inputs: PerID<StreamPlan, [StreamID]>
  private var states: PerID<StreamPlan, State>
  /// By stream: the stream that begins after it, and for which it was opened.
  private var openedFor: PerID<StreamPlan, StreamID?>
  /// By stream: the number of its early followers that were examined.
  private var followersSeen: PerID<StreamPlan, Int>
  /// The number of shared streams that have begun, counted from the first.
  private var begunCount = 0

  init(_ plan: ScenarioPlan) {
    let graph = StreamGraph(plan)
    let inOrder = graph.inOrder()
    var ranks = PerID(repeating: 0, for: plan.streams)
    for (rank, id) in inOrder.enumerated() { ranks[id] = rank }
    self.ranks = ranks
    let cold = inOrder.filter { plan.streams[$0].isCold }
    let joining = Set(cold.filter { graph.steps(of: $0).contains { $0 != .timer } })
    coldStreams = cold.filter { !joining.contains($0) } + cold.filter(joining.contains)
    sharedStreams = inOrder.filter { !plan.streams[$0].isCold }
    earlyFollowers = graph.earlyFollowers(sharedStreams)
    inputs = graph.sharedInputs()
    states = plan.streams.mapValues { $0.isCold ? .begun : .waiting }
    openedFor = PerID(repeating: nil, for: plan.streams)
    followersSeen = PerID(repeating: 0, for: plan.streams)
  }

  /// Notes that a stream begins as soon as its early followers have begun; false if that was noted.
  mutating func open(_ id: StreamID) -> Bool {
    guard case .waiting = states[id] else { return false }
    states[id] = .opened
    return true
  }

  /// Opens the next early follower of a stream; nil when all are open.
  mutating func openNextFollower(of id: StreamID) -> StreamID? {
    while followersSeen[id] < earlyFollowers[id].count {
      let follower = earlyFollowers[id][followersSeen[id]]
      followersSeen[id] += 1
      guard open(follower) else { continue }
      openedFor[follower] = id
      return follower
    }
    return nil
  }

  /// Notes that a stream begins; false if it has begun.
  mutating func begin(_ id: StreamID) -> Bool {
    if case .begun = states[id] { return false }
    states[id] = .begun
    return true
  }

  /// The first stream before another one that has not begun, and does not wait for that one: what
  /// it follows and begins after it has its turn when it subscribes to that. What follows a waiting
  /// stream waits too. It would make that one begin before the rest of its early followers.
  mutating func nextStream(before id: StreamID) -> StreamID? {
    while begunCount < sharedStreams.count, hasBegun(sharedStreams[begunCount]) { begunCount += 1 }
    var waiting = Set(waitingStreams(for: id))
    for next in sharedStreams[begunCount...] {
      guard ranks[next] < ranks[id] else { return nil }
      if hasBegun(next) || waiting.contains(next) { continue }
      if !waiting.isDisjoint(with: inputs[next]) {
        waiting.insert(next)
        continue
      }
      _ = open(next)
      return next
    }
    return nil
  }

  private func hasBegun(_ id: StreamID) -> Bool {
    if case .begun = states[id] { true } else { false }
  }

  /// The streams that begin after a stream that is open, since it follows them.
  private func waitingStreams(for id: StreamID) -> [StreamID] {
    var waiting: [StreamID] = []
    var last = id
    while let next = openedFor[last] {
      waiting.append(next)
      last = next
    }
    return waiting
  }
}

/// The followers of each stream, and the subscriptions that it makes when it begins.
private struct StreamGraph {
  /// A step of a stream when it begins.
  enum Step: Equatable {
    /// Schedules the values that the document lists.
    case timer
    /// Subscribes to a shared stream.
    case shared(StreamID)
  }

  private let plan: ScenarioPlan
  private let sources: PerID<StreamPlan, [StreamID]>

  init(_ plan: ScenarioPlan) {
    self.plan = plan
    sources = plan.streams.mapValues { stream in
      stream.sources.compactMap { source in
        if case .stream(let id) = plan.sources[source].kind { id } else { nil }
      }
    }
  }

  /// All streams in the order of the document, each after those that it follows.
  func inOrder() -> [StreamID] {
    var places = PerID<StreamPlan, Place?>(repeating: nil, for: plan.streams)
    func place(_ id: StreamID) -> Place {
      if let known = places[id] { return known }
      var found = Place(written: id, height: 0, id: id)
      for source in sources[id] {
        let before = place(source)
        found.written = max(found.written, before.written)
        found.height = max(found.height, before.height + 1)
      }
      places[id] = found
      return found
    }
    return sources.indices.map(place).sorted().map(\.id)
  }

  private struct Place: Comparable {
    /// The last of it and those it follows, directly or not.
    var written: StreamID
    var height: Int
    var id: StreamID

    static func < (a: Place, b: Place) -> Bool {
      (a.written, a.height, a.id) < (b.written, b.height, b.id)
    }
  }

  /// Returns, by stream, the followers that begin before it: they, or streams that follow them,
  /// schedule something before they subscribe to it. If the stream schedules nothing, no order
  /// depends on it.
  func earlyFollowers(_ inOrder: [StreamID]) -> PerID<StreamPlan, [StreamID]> {
    let isQuiet = quietStreams(inOrder)
    var early = PerID<StreamPlan, [StreamID]>(repeating: [], for: plan.streams)
    for id in inOrder.reversed() {
      var isEarly = !early[id].isEmpty
      for step in steps(of: id) {
        switch step {
        case .timer: isEarly = true
        case .shared(let source):
          if isEarly, !isQuiet[source], early[source].last != id { early[source].append(id) }
        }
      }
    }
    return early.mapValues { $0.reversed() }
  }

  /// Returns, by stream, whether neither it nor any of its inputs schedules something.
  private func quietStreams(_ inOrder: [StreamID]) -> PerID<StreamPlan, Bool> {
    var isQuiet = PerID<StreamPlan, Bool>(repeating: false, for: plan.streams)
    for id in inOrder {
      isQuiet[id] = steps(of: id).allSatisfy { step in
        if case .shared(let source) = step { isQuiet[source] } else { false }
      }
    }
    return isQuiet
  }

  /// Returns, by stream, the shared streams that it subscribes to when it begins.
  func sharedInputs() -> PerID<StreamPlan, [StreamID]> {
    var inputs = PerID<StreamPlan, [StreamID]>(repeating: [], for: plan.streams)
    for id in inputs.indices {
      inputs[id] = steps(of: id).compactMap { step in
        if case .shared(let source) = step { source } else { nil }
      }
    }
    return inputs
  }

  /// Returns the steps of a stream when it begins, in order, and of streams that start for it.
  func steps(of id: StreamID) -> [Step] {
    var steps: [Step] = []
    var seen: Set<StreamID> = []
    func visit(_ id: StreamID) {
      for subscription in plan.streams[id].subscriptionsAtStart {
        switch subscription {
        case .timer: steps.append(.timer)
        case .source(let source):
          guard case .stream(let next) = plan.sources[source].kind else { continue }
          if !plan.streams[next].isCold {
            steps.append(.shared(next))
          } else if seen.insert(next).inserted {
            visit(next)
          }
        }
      }
    }
    visit(id)
    return steps
  }
}
