import Publishers
import Reactors
import ScenarioTesting
import TestKit
import Testing

/// A Swift object that plays a whole component of a scenario.
@Suite struct ComponentTests {
  private static let component = """
    component: A counter that asks a server how much to add
    params: { first: 1 }
    graph:
      total: 0
      limit: 10
      double: { computed: total * 2 }
      isBig: { computed: double > limit }
    streams:
      sums: { from: { source: events, where: name == 'added', map: payload } }
    endpoints:
      server: { http: [{ get: /amount, respond: { json: 5 } }] }
    reactors:
      adding:
        state: { last: 0 }
        follows: { server: note }
        actions:
          add:
            params: [amount]
            inFlight: add
            steps:
              - set: { total: "${total + amount}", last: "${amount}" }
              - emit: { added: "${total}" }
          note: [{ set: { total: -1 } }]
    """

  private static let scenario = """
    scenario: A counter
    use: [{ counter.component.yaml: { as: counter, with: { first: 3 } } }]
    steps:
    """

  @Observable
  final class Counter: Reactor {
    enum Action: Decodable { case add(Int) }
    enum SyncAction: Decodable { case setTotal(Int) }

    struct State {
      var total = 0
      var double = 0
      var last = 0
    }

    private(set) var state = State()
    private let context: SubjectContext
    private let server: EndpointClient
    private let first: Int

    init(_ context: SubjectContext) {
      self.context = context
      server = context.http("server")
      first = (try? context.parameter("first").decoded(as: Int.self)) ?? 0
    }

    func action(_ action: Action) async {
      guard case .add(let amount) = action else { return }
      let more = try? await server.get("/amount").decoded(as: Int.self)
      set(state.total + amount + first + (more ?? 0))
      state.last = amount
      context.emit("added", state.total)
    }

    func action(_ action: SyncAction) {
      if case .setTotal(let total) = action { set(total) }
    }

    private func set(_ total: Int) {
      state.total = total
      state.double = total * 2
    }
  }

  @Observable
  final class Partial: Reactor {
    enum SyncAction: CaseIterable { case reset }
    struct State { var double = 0 }
    let state = State()
    func action(_ action: SyncAction) {}
  }

  private func reports(
    _ steps: String, _ bind: (Stage) -> Void = { $0.bind(component: "counter") { Counter($0) } }
  ) async throws -> [String] {
    let folder = try TemporaryFolder()
    #expect(folder.write("counter.component.yaml", Self.component))
    #expect(folder.write("a.scenario.yaml", Self.scenario + steps))
    let stage = Stage()
    bind(stage)
    let outcome = await stage.outcome(of: try #require(Scenarios(in: folder.path).first))
    #expect(outcome.result == (outcome.failures.isEmpty ? .passed : .failed))
    return outcome.failures.map(\.report)
  }

  @Test func `neither its reactors nor their policies nor its rules run beside the object`()
    async throws
  {
    let found = try await reports(
      """

        - send: { counter.add: 2 }
        - send: { counter.add: 4 }
        - expect:
            counter.total: [10, 22]
            counter.double: [20, 44]
            counter.last: [2, 4]
        - check: counter.isBig
        - expect: { counter.server: [{ path: /amount }, { path: /amount }] }
      """)
    #expect(found == [])
  }

  @Test func `its streams follow the events of the object, and nodes that it lacks are the steps'`()
    async throws
  {
    let found = try await reports(
      """

        - set: { counter.limit: 100 }
        - send: { counter.add: 2 }
        - expect: { counter.sums: 10, counter.events: { name: added, payload: 10 } }
        - check: "!counter.isBig && counter.double == 20"
      """)
    #expect(found == [])
  }

  @Test func `what a step writes to a node of the object is an action of the object`() async throws
  {
    let steps = "\n  - set: { counter.total: 7 }\n  - expect: { counter.double: 14 }"
    #expect(try await reports(steps) == [])
    let found = try await reports(steps.replacing("7", with: "seven"))
    #expect(
      found.first?.contains("what is written to `counter.total` does not fit `Counter.Action`")
        == true, "\(found)")
  }

  @Test func `a publisher of the object feeds a stream of the component`() async throws {
    let steps = """

        - expect:
            - counter.sums: 1
              after: 2s
            - counter.sums: completed
      """
    let found = try await reports(steps) { stage in
      stage.bind(component: "counter") { context in
        let sums = PassthroughSubject<Int, Never>()
        context.feed("sums", from: sums)
        context.scheduler.schedule(after: .seconds(2)) {
          sums.send(1)
          sums.send(completion: .finished)
        }
        return Partial()
      }
    }
    #expect(found == [])
  }

  @Test func `a component that the scenario does not use`() async throws {
    let found = try await reports("\n  - check: counter.total == 0") { stage in
      stage.bind(component: "conuter") { _ in Partial() }
    }
    #expect(found.count == 1)
    #expect(found.first?.contains("binds the component `conuter`, which the scenario") == true)
    #expect(found.first?.contains("did you mean `counter`?") == true, "\(found)")
  }

  @Test func `actions, nodes and setters that the Swift types lack`() async throws {
    let found = try await reports("\n  - send: { counter.add: 2 }") { stage in
      stage.bind(component: "counter") { _ in Partial() }
    }
    #expect(found.contains { $0.contains("`Partial.Action` has no case `add`") }, "\(found)")
    let setter = try await reports("\n  - set: { counter.total: 2 }") { stage in
      stage.bind(component: "counter") { _ in Total() }
    }
    #expect(setter.first?.contains("`Total.Action` has no case `setTotal`") == true, "\(setter)")
    let unread = try await reports("\n  - check: counter.last == 0") { stage in
      stage.bind(component: "counter") { _ in Partial() }
    }
    #expect(
      unread.first?.contains(
        "the scenario reads `counter.adding.last`, and `Partial.State` has no member `last`")
        == true, "\(unread)")
  }

  @Observable
  final class Total: Reactor {
    enum SyncAction: CaseIterable { case reset }
    struct State { var total = 0 }
    let state = State()
    func action(_ action: SyncAction) {}
  }

  @Test func `parts that the object uses and the component lacks`() async throws {
    let found = try await reports("\n  - check: counter.limit == 10") { stage in
      stage.bind(component: "counter") { context in
        _ = (context.http("servr"), context.parameter("frist"), context.node("limt"))
        return Partial()
      }
    }
    #expect(found.count == 3)
    for name in ["server", "first", "limit"] {
      #expect(found.contains { $0.contains("did you mean `\(name)`?") }, "\(found)")
    }
  }
}
