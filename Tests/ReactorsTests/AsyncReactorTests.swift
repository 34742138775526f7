import Publishers
import Synchronization
import Testing

@testable import Reactors

/// What is not there when an address refuses.
private struct Refused: Error, Equatable {}

/// A service that answers when the test lets it.
@MainActor
private final class CatFactService {
  private var waiting: [CheckedContinuation<String, any Error>] = []

  func randomFact() async throws -> String {
    try await withCheckedThrowingContinuation { waiting.append($0) }
  }

  func answer(_ result: Result<String, any Error>) async {
    while waiting.isEmpty { await Task.yield() }
    waiting.removeFirst().resume(with: result)
  }
}

/// A reactor as an application writes it: observed property by property.
@MainActor @Observable
private final class CatFactsReactor: Reactor {
  enum Action {
    case loadCatFact
  }

  @Observable
  final class State {
    var fact: AsyncLoad<String> = .none
    var loads = 0
  }

  private(set) var state = State()

  @ObservationIgnored
  private let service: CatFactService

  init(_ service: CatFactService) {
    self.service = service
    send(.loadCatFact)
  }

  func action(_ action: Action) async {
    switch action {
    case .loadCatFact:
      state.loads += 1
      state.fact = .loading
      do {
        state.fact = .loaded(try await service.randomFact())
      } catch {
        state.fact = .error(error)
      }
    }
  }
}

/// The names of cancelled actions, in the order in which they were cancelled.
private final class Cancellations: Sendable {
  private let state = Mutex<[String]>([])

  var names: [String] { state.withLock { $0 } }

  func add(_ name: String) { state.withLock { $0.append(name) } }
}

/// A reactor of the classic flavour: its state is a value and is published as a whole.
private final class RepositorySearchReactor: AsyncReactor {
  enum Action: Equatable {
    case enterQuery(String)
    case hidePrivateToggled
    case sleep(String)
    case nested(String)
  }

  enum SyncAction {
    case reset
  }

  struct State: Equatable {
    var query = ""
    var hidesPrivate = false
    var log: [String] = []
  }

  @Published private(set) var state = State()
  private var keys: [String: AsyncStream<Void>.Continuation] = [:]
  let cancellations = Cancellations()

  func action(_ action: Action) async {
    switch action {
    case .enterQuery(let query): state.query = query
    case .hidePrivateToggled: state.hidesPrivate.toggle()
    case .sleep(let name):
      state.log.append("start \(name)")
      let (gate, key) = AsyncStream.makeStream(of: Void.self)
      keys[name] = key
      await withTaskCancellationHandler {
        for await _ in gate {}
      } onCancel: { [cancellations] in
        cancellations.add(name)
      }
      state.log.append(Task.isCancelled ? "cancelled \(name)" : "end \(name)")
    case .nested(let name): await self.action(.sleep(name))
    }
  }

  func action(_ action: SyncAction) {
    switch action {
    case .reset: state = State()
    }
  }

  func letEnd(_ name: String) { keys[name]?.finish() }
}

/// A reactor without actions that wait.
private final class Switch: Reactor {
  enum SyncAction { case flip }
  struct State { var isOn = false }
  private(set) var state = State()

  func action(_ action: SyncAction) { state.isOn.toggle() }
}

@MainActor @Suite struct AsyncReactorTests {
  private let search = RepositorySearchReactor()

  private func turns(_ count: Int = 20) async {
    for _ in 0..<count { await Task.yield() }
  }

  @Test func `an action sent by init runs after init, and its load is seen step by step`() async {
    let service = CatFactService()
    let reactor = CatFactsReactor(service)
    #expect(reactor.fact == .none)
    await turns()
    #expect(reactor.state.fact == .loading)
    await service.answer(.success("purr"))
    await turns()
    #expect(reactor.fact == .loaded("purr"))
    let second = reactor.send(.loadCatFact)
    await service.answer(.failure(Refused()))
    await second.value
    #expect(reactor.fact == .error(Refused()))
  }

  @Test func `an action that is sent starts in a later turn, and its task ends with it`() async {
    let task = search.send(.enterQuery("a"))
    #expect(search.query == "")
    await task.value
    #expect(search.state.query == "a")
  }

  @Test func `an action that is awaited has ended when the call returns`() async {
    await search.action(.enterQuery("b"))
    #expect(search.query == "b")
  }

  @Test func `a synchronous action has changed the state when the call returns`() async {
    await search.action(.enterQuery("c"))
    search.action(.reset)
    #expect(search.query == "")
    let only = Switch()
    only.action(.flip)
    #expect(only.isOn)
  }

  @Test func `actions start in the order of sending, with or without an id`() async {
    let id = CancelID("f", mode: .lifecycle)
    for name in ["a", "b", "c", "d"] {
      if name == "b" { search.send(.sleep(name), id: id) } else { search.send(.sleep(name)) }
    }
    await turns()
    #expect(search.log == ["start a", "start b", "start c", "start d"])
    for name in ["a", "b", "c", "d"] { search.letEnd(name) }
    await turns()
  }

  @Test func `in flight, a new action cancels the one before, and a third the second`() async {
    let id = CancelID("search", mode: .inFlight)
    search.send(.sleep("a"), id: id)
    search.send(.sleep("b"), id: id)
    await turns()
    let last = search.send(.sleep("c"), id: id)
    await turns()
    search.letEnd("c")
    await last.value
    #expect(
      search.log == [
        "start a", "start b", "cancelled a", "start c", "cancelled b", "end c",
      ])
    await turns()
    #expect(!ReactorRuns.hasRuns(of: search))
  }

  @Test func `the same id on two reactors, and in two modes, is two ids`() async {
    let other = RepositorySearchReactor()
    search.send(.sleep("a"), id: CancelID("x"))
    search.send(.sleep("b"), id: CancelID("x", mode: [.inFlight, .lifecycle]))
    other.send(.sleep("c"), id: CancelID("x"))
    await turns()
    #expect(search.log + other.log == ["start a", "start b", "start c"])
    await search.cancelLifecycleTasks().value
    search.letEnd("a")
    other.letEnd("c")
    await turns()
    #expect(search.log.contains("cancelled b"))
    #expect(search.log.contains("end a"))
    #expect(other.log.contains("end c"))
  }

  @Test func `the end of the lifecycle cancels what belongs to it and nothing else`() async {
    let lifecycle = CancelID("l", mode: .lifecycle)
    search.send(.sleep("l1"), id: lifecycle)
    search.send(.sleep("l2"), id: lifecycle)
    search.send(.sleep("plain"))
    let task = search.lifecycleTask { [search] in await search.action(.sleep("task")) }
    await turns()
    search.cancelLifecycleTasks()
    #expect(!task.isCancelled)
    await turns()
    search.letEnd("plain")
    await turns()
    #expect(task.isCancelled)
    // Their ends come through threads of the pool, in any order.
    #expect(search.cancellations.names == ["l1", "l2", "task"])
    let ends = search.log.filter { !$0.hasPrefix("start") }
    #expect(ends.sorted() == ["cancelled l1", "cancelled l2", "cancelled task", "end plain"])
    #expect(ends.last == "end plain")
    await search.cancelLifecycleTasks().value
  }

  @Test func `joining, the second ends with the first and never starts`() async {
    let id = CancelID("load")
    let first = search.send(.sleep("a"), joining: id)
    let second = search.send(.sleep("b"), joining: id)
    await turns()
    search.letEnd("a")
    await first.value
    await second.value
    #expect(search.log == ["start a", "end a"])
  }

  @Test func `a cancelled caller reaches the action it awaits, also inside another`() async {
    let caller = Task { await search.action(.nested("a")) }
    await turns()
    caller.cancel()
    await caller.value
    #expect(search.log == ["start a", "cancelled a"])
  }

  @Test func `a cancelled caller leaves an action with an id alone`() async {
    let caller = Task { await search.action(.sleep("a"), id: CancelID("a")) }
    await turns()
    caller.cancel()
    await turns()
    #expect(search.log == ["start a"])
    search.letEnd("a")
    await caller.value
    #expect(search.log.last == "end a")
  }

  @Test func `a reactor lives as long as its actions`() async {
    weak var released: RepositorySearchReactor?
    do {
      let reactor = RepositorySearchReactor()
      released = reactor
      reactor.send(.sleep("a"), id: CancelID("a"))
    }
    await turns()
    #expect(released?.log == ["start a"])
    released?.letEnd("a")
    await turns()
    #expect(released == nil)
  }

  @Test func `a binding reads the live state and writes by an action`() async {
    let query = search.bind(\.query, action: { .enterQuery($0) })
    query.wrappedValue = "hello"
    #expect(query.wrappedValue == "")
    await turns()
    #expect(query.wrappedValue == "hello")
  }
}
