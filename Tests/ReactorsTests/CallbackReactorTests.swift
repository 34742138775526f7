import Reactors
import StateGraph
import Testing

private final class Search: CallbackReactor {
  struct State: Equatable {
    var query = ""
    var hidesPrivate = false
    var result = AsyncLoad<String>.none
    var log: [String] = []
  }

  enum Action {
    case work(String, ticks: Int)
    case enterQuery(String)
    case outer
  }

  enum SyncAction {
    case toggle
  }

  let context: ReactorContext<State>
  let jobs: Jobs

  init(_ jobs: Jobs, first: Action? = nil) {
    self.jobs = jobs
    context = ReactorContext(State(), in: Graph()) { jobs.add($0) }
    if let first { send(first) }
  }

  func action(_ action: Action, in run: ActionRun) {
    switch action {
    case .work(let name, let ticks):
      state.log.append("start \(name)")
      run.effect({ jobs.wait(ticks, $0) }, then: { _ in self.state.log.append("end \(name)") })
    case .enterQuery(let query):
      state.query = query
      run.effect({ jobs.wait(50, $0) }, then: { _ in self.load(query, in: run) })
    case .outer:
      self.action(.work("inner", ticks: 10), in: run)
    }
  }

  func action(_ action: SyncAction) {
    switch action {
    case .toggle: state.hidesPrivate.toggle()
    }
  }

  private func load(_ query: String, in run: ActionRun) {
    state.result = .loading
    run.effect({ jobs.wait(10, $0) }, then: { _ in self.state.result = .loaded(query) })
  }
}

/// Reactors whose actions continue by callbacks.
@Suite struct CallbackReactorTests {
  private let jobs = Jobs()
  private let search: Search

  init() {
    search = Search(jobs)
  }

  @Test func `an action that is sent starts in a later job`() {
    search.send(.work("a", ticks: 1))
    #expect(search.log.isEmpty)
    jobs.drain()
    #expect(search.log == ["start a"])
  }

  @Test func `actions start in the order they were sent and end as they do`() {
    search.send(.work("a", ticks: 30))
    search.send(.work("b", ticks: 10), id: CancelID("b"))
    search.send(.work("c", ticks: 20))
    jobs.advance(to: 100)
    #expect(search.log == ["start a", "start b", "start c", "end b", "end c", "end a"])
  }

  @Test func `an action performed directly has begun when the call returns`() {
    let run = search.action(.work("a", ticks: 5))
    #expect(search.log == ["start a"])
    #expect(!run.isOver)
    jobs.advance(to: 5)
    #expect(run.isOver)
    #expect(!run.isCancelled)
  }

  @Test func `a synchronous action has changed the state when the call returns`() {
    search.action(.toggle)
    #expect(search.state.hidesPrivate)
    #expect(search.hidesPrivate == search.state.hidesPrivate)
  }

  @Test func `an action sent while the reactor is made runs after it is made`() {
    let other = Search(jobs, first: .enterQuery("first"))
    #expect(other.query == "")
    jobs.drain()
    #expect(other.query == "first")
  }

  @Test func `in flight, typing on cancels the load before`() {
    let id = CancelID("search", mode: .inFlight)
    var results: [AsyncLoad<String>] = []
    let token = search.context.node.onChange {
      if $0.result != results.last { results.append($0.result) }
    }
    for (index, query) in ["a", "ab", "abc"].enumerated() {
      jobs.advance(to: index * 10)
      search.send(.enterQuery(query), id: id)
    }
    jobs.advance(to: 200)
    #expect(search.query == "abc")
    #expect(results == [.none, .loading, .loaded("abc")])
    token.cancel()
  }

  @Test func `the same id on two reactors is two ids`() {
    let other = Search(jobs)
    let id = CancelID("work")
    search.send(.work("a", ticks: 10), id: id)
    other.send(.work("b", ticks: 10), id: id)
    jobs.advance(to: 10)
    #expect(search.log == ["start a", "end a"])
    #expect(other.log == ["start b", "end b"])
  }

  @Test func `ids of another mode are other ids, and no mode cancels nothing`() {
    #expect(CancelID("a", mode: .inFlight) != CancelID("a", mode: .lifecycle))
    let id = CancelID("a", mode: [])
    search.send(.work("a", ticks: 10), id: id)
    search.send(.work("b", ticks: 10), id: id)
    search.send(.work("c", ticks: 10), id: CancelID("a", mode: .inFlight))
    search.cancelLifecycleTasks()
    jobs.advance(to: 10)
    #expect(search.log.filter { $0.hasPrefix("end") } == ["end a", "end b", "end c"])
  }

  @Test func `the end of the lifecycle cancels what belongs to it and nothing else`() {
    let lifecycle = CancelID("l", mode: .lifecycle)
    search.send(.work("l1", ticks: 10), id: lifecycle)
    search.send(.work("l2", ticks: 20), id: lifecycle)
    search.send(.work("plain", ticks: 10))
    search.send(.work("flight", ticks: 10), id: CancelID("f", mode: .inFlight))
    let task = search.lifecycleTask { run in
      run.effect(
        { self.jobs.wait(10, $0) }, then: { _ in Issue.record("cancelled, but went on") })
    }
    jobs.advance(to: 5)
    search.cancelLifecycleTasks()
    #expect(!task.isCancelled)
    jobs.advance(to: 100)
    #expect(task.isCancelled)
    #expect(search.log.filter { $0.hasPrefix("end") } == ["end plain", "end flight"])
    search.cancelLifecycleTasks()
    jobs.drain()
  }

  @Test func `joining, the second is over when the first is, and never starts`() {
    let id = CancelID("load")
    let first = search.send(.work("a", ticks: 10), joining: id)
    let second = search.send(.work("b", ticks: 50), joining: id)
    jobs.advance(to: 9)
    #expect(!first.isOver)
    #expect(!second.isOver)
    jobs.advance(to: 10)
    #expect(first.isOver)
    #expect(second.isOver)
    search.send(.work("c", ticks: 1), joining: id)
    jobs.advance(to: 20)
    #expect(search.log == ["start a", "end a", "start c", "end c"])
  }

  @Test func `an action performed within another is cancelled with it`() {
    let run = search.action(.outer)
    run.cancel()
    jobs.advance(to: 20)
    #expect(search.log == ["start inner"])
    #expect(run.isCancelled)
  }

  @Test func `cancelling a run ends what it awaits, and notifies once`() {
    var log: [String] = []
    let run = search.lifecycleTask { run in
      run.onEnd { log.append("over") }
      run.effect(
        { (_: @escaping (Int) -> Void) in AnyCancellable { log.append("effect ended") } },
        then: { _ in })
    }
    jobs.drain()
    run.cancel()
    run.cancel()
    #expect(log == ["over", "effect ended"])
  }

  @Test func `a run that is cancelled before its job never starts`() {
    let run = search.send(.work("a", ticks: 1))
    run.cancel()
    jobs.advance(to: 10)
    #expect(search.log.isEmpty)
  }

  @Test func `a load that succeeds and one that fails are seen step by step`() {
    struct Refused: Error, Equatable { var status = 503 }
    let outcomes: [AsyncLoad<String>] = [.error(Refused()), .loaded("purr")]
    var seen: [AsyncLoad<String>] = []
    let token = withGraphTrackingMap(
      in: search.context.node.graph, { self.search.result }, onChange: { seen.append($0) })
    for outcome in outcomes {
      search.lifecycleTask { run in
        self.search.state.result = .loading
        run.effect({ self.jobs.wait(10, $0) }, then: { _ in self.search.state.result = outcome })
      }
      jobs.advance(to: jobs.time + 10)
    }
    #expect(seen == [.none, .loading, .error(Refused()), .loading, .loaded("purr")])
    token.cancel()
  }

  @Test func `a binding reads the live state and answers a write with an action`() {
    let query = search.bind(\.query, action: { .enterQuery($0) })
    query.wrappedValue = "hello"
    #expect(query.wrappedValue == "")
    jobs.drain()
    #expect(query.wrappedValue == "hello")
    search.state.query = "elsewhere"
    #expect(query.wrappedValue == "elsewhere")
  }

  @Test func `a binding to a synchronous action is immediate`() {
    let hides = search.bind(\.hidesPrivate, action: { _ in Search.SyncAction.toggle })
    hides.wrappedValue = false
    #expect(hides.wrappedValue)
  }
}
