import Publishers
import Reactors
import Testing

/// A text on a screen.
private struct Text: Equatable {
  var text: String
  init(_ text: String) { self.text = text }
}

/// A switch on a screen.
@MainActor
private struct Toggle {
  let isOn: ReactorBinding<Bool>
  init(_ title: String, isOn: ReactorBinding<Bool>) { self.isOn = isOn }
  func tap() { isOn.wrappedValue.toggle() }
}

private final class ListReactor: AsyncReactor {
  enum Action {
    case toggleHidden
    case setHidden(Bool)
  }
  enum SyncAction { case rename(String) }
  struct State: Equatable {
    var name = "first"
    var hidesPrivate = false
  }

  @Published private(set) var state: State

  init() { state = State() }

  func action(_ action: Action) async {
    switch action {
    case .toggleHidden: state.hidesPrivate.toggle()
    case .setHidden(let isHidden): state.hidesPrivate = isHidden
    }
  }

  func action(_ action: SyncAction) {
    switch action {
    case .rename(let name): state.name = name
    }
  }
}

@MainActor
private struct SearchView {
  @ActionBinding(ListReactor.self, keyPath: \.hidesPrivate, action: .toggleHidden)
  private var hidesPrivate: Bool

  @ActionBinding(
    ListReactor.self, keyPath: \.hidesPrivate, action: { .setHidden($0) },
    cancelId: CancelID("hidden"))
  private var hidden: Bool

  @ActionBinding(ListReactor.self, keyPath: \.name, action: { .rename($0) })
  var name: String

  var body: Toggle { Toggle("Hide private ones", isOn: $hidesPrivate) }
  var second: Toggle { Toggle("Hide private ones", isOn: $hidden) }
}

@MainActor @Observable
private final class Counter: Reactor {
  enum SyncAction { case add }
  struct State: Sendable, Equatable { var count = 0 }
  private(set) var state = State()
  func action(_ action: SyncAction) { state.count += 1 }
}

@MainActor @Suite struct ReactorStateTests {
  private func turns(_ count: Int = 20) async {
    for _ in 0..<count { await Task.yield() }
  }

  @Test func `a view binds a member to an action, with or without the value`() async {
    let view = ReactorView(ListReactor()) { SearchView() }
    view.content.body.tap()
    #expect(!view.reactor.hidesPrivate)
    await turns()
    #expect(view.reactor.hidesPrivate)
    view.content.second.tap()
    await turns()
    #expect(!view.reactor.hidesPrivate)
    view.content.name = "second"
    #expect(view.reactor.name == "second")
  }

  @Test func `the innermost reactor of a type is found, and none outside`() {
    let outer = ListReactor()
    let inner = ListReactor()
    let found = ReactorEnvironment.with(outer) {
      ReactorEnvironment.with(inner) { ReactorEnvironment.current(ListReactor.self) }
    }
    #expect(found === inner)
    #expect(ReactorEnvironment.current(ListReactor.self) == nil)
  }

  @Test(arguments: [true, false])
  func `the end of a view ends the lifecycle only if the view defines it`(_ defines: Bool) async {
    let reactor = ListReactor()
    var view: ReactorView<ListReactor, Int>? = ReactorView(
      reactor, definesLifecycle: defines, content: { 1 })
    let (gate, key) = AsyncStream.makeStream(of: Void.self)
    let task = reactor.lifecycleTask { for await _ in gate {} }
    await turns()
    withExtendedLifetime(view) {}
    view = nil
    await turns()
    #expect(task.isCancelled == defines)
    key.finish()
  }

  @Test func `the states of a classic reactor are published as a whole`() async {
    let reactor = ListReactor()
    var names: [String] = []
    var changes = 0
    let token = reactor.statePublisher.sink { names.append($0.name) }
    let second = reactor.objectWillChange.sink { changes += 1 }
    reactor.action(.rename("second"))
    reactor.action(.rename("third"))
    #expect(names == ["first", "second", "third"])
    #expect(changes == 2)
    token.cancel()
    second.cancel()
  }

  @Test func `the states of a classic reactor can be awaited, all of them`() async {
    let reactor = ListReactor()
    let states = reactor.states
    reactor.action(.rename("second"))
    reactor.action(.rename("third"))
    var names: [String] = []
    for await state in states {
      names.append(state.name)
      if names.count == 3 { break }
    }
    #expect(names == ["first", "second", "third"])
  }

  @Test func `an observable reactor is followed by the toolchain's observation`() async {
    let counter = Counter()
    let heard = Heard()
    withObservationTracking {
      _ = counter.count
    } onChange: {
      heard.note()
    }
    counter.action(.add)
    #expect(heard.count == 1)
    var counts: [Int] = []
    for await state in counter.states {
      counts.append(state.count)
      if state.count == 3 { break }
      counter.action(.add)
      counter.action(.add)
    }
    #expect(counts == [1, 3])
  }

  @Test func `the states of an observable reactor are published once per turn`() async {
    let counter = Counter()
    var counts: [Int] = []
    let token = counter.statePublisher.sink { counts.append($0.count) }
    counter.action(.add)
    counter.action(.add)
    await turns()
    #expect(counts == [0, 2])
    token.cancel()
    counter.action(.add)
    await turns()
    #expect(counts == [0, 2])
  }
}

/// A count that any thread may raise.
private final class Heard: Sendable {
  @MainActor private(set) var count = 0
  nonisolated func note() { MainActor.assumeIsolated { count += 1 } }
}
