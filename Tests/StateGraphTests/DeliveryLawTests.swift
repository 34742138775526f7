import StateGraph
import Testing

/// The laws of deliveries on an actor: the main actor, and one of its own.
@Suite struct DeliveryLawTests {
  private actor Room {}

  /// Where the laws are tried.
  enum Place: CaseIterable {
    case mainActor, otherActor

    var actor: any Actor {
      switch self {
      case .mainActor: MainActor.shared
      case .otherActor: Room()
      }
    }
  }

  private static let repeats = 1_000

  /// Waits until all that waits for the actor has run: a task of the lowest priority is last.
  private func turns(of actor: isolated any Actor) async {
    for _ in 0..<3 {
      await Task(priority: .background) { _ = actor }.value
    }
  }

  @Test(arguments: Place.allCases)
  func `observers are called in the order of registration, whichever scopes they are in`(
    _ place: Place
  ) async {
    #expect(await orders(on: place.actor) == [[0, 1, 2, 3, 4]])
  }

  private func orders(on actor: isolated any Actor) async -> Set<[Int]> {
    let count = Stored(0)
    let other = Computed { _ in count.value * 2 }
    var seen: [Int] = []
    let kept = [
      withGraphTracking { count.onChange { _ in seen.append(0) } },
      other.onChange { _ in seen.append(1) },
      withGraphTracking {
        withGraphTrackingGroup {
          _ = other.value
          seen.append(2)
        }
      },
      withGraphTrackingMap {
        count.value
      } onChange: { _ in
        seen.append(3)
      },
      withGraphTracking { count.onChange { _ in seen.append(4) } },
    ]
    var orders: Set<[Int]> = []
    for _ in 0..<Self.repeats {
      seen = []
      count.wrappedValue += 1
      let written = seen
      await Task { _ = actor }.value
      orders.insert(written + seen)
    }
    withExtendedLifetime(kept) {}
    return orders
  }

  @Test(arguments: Place.allCases, [TaskPriority.high, .medium, .low])
  func `a delivery comes before the tasks that its turn starts after the change`(
    _ place: Place, priority: TaskPriority
  ) async {
    let actor = place.actor
    let firsts = await Task(priority: priority) { await firstOfEach(on: actor) }.value
    #expect(firsts == ["delivery"])
  }

  private func firstOfEach(on actor: isolated any Actor) async -> Set<String> {
    let count = Stored(0)
    var seen: [String] = []
    let token = count.onChange(initial: false) { _ in seen.append("delivery") }
    var firsts: Set<String> = []
    for index in 0..<Self.repeats {
      seen = []
      count.wrappedValue += 1
      let equal = Task {
        _ = actor
        seen.append("task")
      }
      let lower = Task(priority: .background) {
        _ = actor
        seen.append("lower task")
      }
      if index.isMultiple(of: 2) { await Task.yield() }
      await equal.value
      await lower.value
      firsts.insert(seen.first ?? "nothing")
    }
    token.cancel()
    return firsts
  }

  @Test func `a turn of a higher priority does not wait for the delivery of a lower one`() async {
    #expect(await afterLowerTurn(on: Room()) == "delivery")
  }

  private func afterLowerTurn(on actor: isolated any Actor) async -> String? {
    let (one, other) = (Stored(0), Stored(0))
    var seen: [String] = []
    let token = withGraphTracking {
      one.onChange(initial: false) { _ in }
      other.onChange(initial: false) { _ in seen.append("delivery") }
    }
    let low = Task(priority: .background) {
      _ = actor
      one.wrappedValue = 1
    }
    await low.value
    let high = Task(priority: .high) {
      _ = actor
      one.wrappedValue = 2
      other.wrappedValue = 1
      return Task {
        _ = actor
        seen.append("task")
      }
    }
    await high.value.value
    await turns(of: actor)
    token.cancel()
    return seen.first
  }

  @Test(arguments: Place.allCases)
  func `an observer is never called after its cancellation`(_ place: Place) async {
    #expect(await callsAfterCancellation(on: place.actor) == 0)
  }

  private func callsAfterCancellation(on actor: isolated any Actor) async -> Int {
    var calls = 0
    for index in 0..<Self.repeats {
      let count = Stored(0)
      var later: AnyCancellable?
      var unwritten: AnyCancellable?
      let first = withGraphTracking {
        count.onChange(initial: false) { _ in later?.cancel() }
      }
      later = withGraphTracking { count.onChange(initial: false) { _ in calls += 1 } }
      unwritten = withGraphTracking { count.onChange(initial: false) { _ in calls += 1 } }
      count.wrappedValue = 1
      if index.isMultiple(of: 2) { unwritten = nil } else { unwritten?.cancel() }
      await Task { _ = actor }.value
      first.cancel()
    }
    return calls
  }

  @Test(arguments: Place.allCases, [true, false])
  func `observers that write each other's node are cut off, and the nodes are named`(
    _ place: Place, inOneGraph: Bool
  ) async {
    let found = await circle(on: place.actor, inOneGraph: inOneGraph)
    #expect(found.diagnostics == [.pingPong(nodes: ["ping", "pong"], turns: Graph.turnLimit)])
    #expect(found.rounds == Graph.turnLimit / 2)
    #expect(found.later == found.rounds + Graph.turnLimit / 2)
  }

  private func circle(
    on actor: isolated any Actor, inOneGraph: Bool
  ) async -> (diagnostics: [GraphDiagnostic], rounds: Int, later: Int) {
    let graph = Graph()
    let ping = graph.stored(0, name: "ping")
    let pong = (inOneGraph ? graph : Graph()).stored(0, name: "pong")
    var diagnostics: Set<String> = []
    var found: [GraphDiagnostic] = []
    for graph in [ping.graph, pong.graph] {
      graph.onDiagnostic = { problem in
        if diagnostics.insert("\(problem)").inserted { found.append(problem) }
      }
    }
    var rounds = 0
    let first = withGraphTracking {
      ping.onChange(initial: false) { value in
        rounds += 1
        pong.set(value)
      }
    }
    let second = withGraphTracking { pong.onChange(initial: false) { ping.set($0 + 1) } }
    ping.set(1)
    await turns(of: actor)
    let cutOff = rounds
    // They are not dead: the next change from outside is delivered.
    ping.set(-1)
    await turns(of: actor)
    withExtendedLifetime((first, second)) {}
    return (found, cutOff, rounds)
  }

  @Test(arguments: Place.allCases)
  func `a bare observer waits for the end of the turn, an immediate one does not`(
    _ place: Place
  ) async {
    let expected = ["immediate 1", "immediate 2", "written", "bare 2", "scope 2"]
    #expect(await kinds(on: place.actor) == expected)
  }

  private func kinds(on actor: isolated any Actor) async -> [String] {
    let count = Stored(0)
    var seen: [String] = []
    let kept = [
      count.onChange { seen.append("bare \($0)") },
      count.onChange(.immediate) { seen.append("immediate \($0)") },
      withGraphTracking {
        count.onChange { seen.append("scope \($0)") }
      },
    ]
    seen = []
    count.wrappedValue = 1
    count.wrappedValue = 2
    seen.append("written")
    await turns(of: actor)
    withExtendedLifetime(kept) {}
    return seen
  }

  @Test(arguments: Place.allCases)
  func `what a handler makes or writes waits as the handler does`(_ place: Place) async {
    #expect(await nested(on: place.actor) == ["written", "inner 1", "outer done", "inner 3"])
  }

  private func nested(on actor: isolated any Actor) async -> [String] {
    let (outer, inner) = (Stored(0), Stored(0))
    var seen: [String] = []
    var made: AnyCancellable?
    let token = outer.onChange(initial: false) { _ in
      inner.wrappedValue = 1
      made = observe(inner) { seen.append("inner \($0)") }
      inner.wrappedValue = 2
      inner.wrappedValue = 3
      seen.append("outer done")
    }
    outer.wrappedValue = 1
    seen.append("written")
    await turns(of: actor)
    withExtendedLifetime((token, made)) {}
    return seen
  }

  /// Code that does not know on which actor it runs.
  private func observe(
    _ node: Stored<Int>, _ handler: @escaping (Int) -> Void
  ) -> AnyCancellable {
    node.onChange(handler)
  }

  @Test func `in async code without an actor a change is delivered before the write returns`() async
  {
    for _ in 0..<Self.repeats {
      let count = Stored(0)
      var seen: [Int] = []
      let first = withGraphTracking { count.onChange(initial: false) { seen.append($0) } }
      let second = withGraphTracking { count.onChange(initial: false) { seen.append($0 + 100) } }
      await Task.yield()
      count.wrappedValue = 1
      #expect(seen == [1, 101])
      first.cancel()
      await Task.yield()
      count.wrappedValue = 2
      #expect(seen == [1, 101, 102])
      second.cancel()
    }
  }

  @Test func `an async function of its caller's actor delivers as the actor does`() async {
    #expect(await inheriting(isolation: MainActor.shared) == ["written", "delivery"])
    #expect(await inheriting(isolation: nil) == ["delivery", "written"])
  }

  private func inheriting(isolation: isolated (any Actor)?) async -> [String] {
    let count = Stored(0)
    var seen: [String] = []
    let token = count.onChange(initial: false) { _ in seen.append("delivery") }
    count.wrappedValue = 1
    seen.append("written")
    await Task { _ = isolation }.value
    token.cancel()
    return seen
  }

  @Test func `actors that use the shared graph at a time keep their own orders`() async {
    let found = await withTaskGroup(of: Set<[Int]>.self) { group in
      for _ in 0..<8 { group.addTask { await orders(on: Room()) } }
      return await group.reduce(into: Set()) { $0.formUnion($1) }
    }
    #expect(found == [[0, 1, 2, 3, 4]])
  }

  private actor Keeper {
    let count = Stored(0)
    private var token: AnyCancellable?

    func follow() {
      token = withGraphTracking { count.onChange { [weak self] _ in _ = self } }
    }

    func change() { count.wrappedValue += 1 }
  }

  @Test func `observers and their deliveries do not keep an actor alive`() async {
    weak var left: Keeper?
    do {
      let keeper = Keeper()
      left = keeper
      await keeper.follow()
      await keeper.change()
    }
    for _ in 0..<Self.repeats where left != nil { try? await Task.sleep(for: .milliseconds(1)) }
    #expect(left == nil)
  }
}
