import Observation
import Publishers
import StateGraph
import Testing

@testable import Reactors

@MainActor
private final class Gate {
  var isOpen = false
}

/// A reactor of the main actor that is followed property by property.
@MainActor @Observable
private final class Lamp: Reactor {
  enum Action {
    case toggle
    case rename(String)
    case wait(for: Gate)
  }
  enum SyncAction { case reset }
  struct State: Sendable {
    var isOn = false
    var name = "lamp"
  }

  private(set) var state = State()
  @ObservationIgnored var kept: [AnyCancellable] = []

  func action(_ action: Action) async {
    switch action {
    case .toggle: state.isOn.toggle()
    case .rename(let name): state.name = name
    case .wait(let gate): while !gate.isOpen { await Task.yield() }
    }
  }

  func action(_ action: SyncAction) { state = State() }
}

/// A reactor that publishes its state as a whole.
private final class ClassicLamp: AsyncReactor {
  struct State: Sendable { var isOn = false }
  @Published private(set) var state = State()
  var kept: [AnyCancellable] = []
}

/// A reactor that continues by callbacks.
private final class CallbackLamp: CallbackReactor {
  enum Action { case turnOn }
  struct State: Equatable { var isOn = false }
  let context: ReactorContext<State>
  private let jobs: Jobs

  init(_ jobs: Jobs) {
    self.jobs = jobs
    context = ReactorContext(State(), in: Graph()) { [unowned jobs] in jobs.add($0) }
  }

  func action(_ action: Action, in run: ActionRun) {
    run.effect { [jobs] answer in
      jobs.wait(5, answer)
    } then: { [weak self] _ in
      self?.state.isOn = true
    }
  }
}

/// Whatever a reactor has under way, it is released when nobody uses it.
@MainActor @Suite struct ReactorLifetimeTests {
  private func turns(_ count: Int = 30) async {
    for _ in 0..<count { await Task.yield() }
  }

  /// Returns whether a reactor is released after it was used.
  private func isReleased<R: AnyObject>(
    _ make: @autoclosure () -> R, _ use: (R) async -> Void
  ) async -> Bool {
    weak var left: R?
    do {
      let reactor = make()
      left = reactor
      await use(reactor)
    }
    await turns()
    return left == nil
  }

  private func count<Element: Sendable>(_ values: AsyncStream<Element>) async -> Int {
    var count = 0
    for await _ in values { count += 1 }
    return count
  }

  private func sleepForever() async {
    while !Task.isCancelled { try? await Task.sleep(for: .milliseconds(1)) }
  }

  @Test func `a lifecycle task that does not use its reactor does not keep it`() async {
    var task: Task<Void, Never>?
    let isReleased = await isReleased(Lamp()) { lamp in
      task = lamp.lifecycleTask { await sleepForever() }
      await turns()
      #expect(ReactorRuns.hasRuns(of: lamp))
    }
    #expect(isReleased)
    task?.cancel()
    await task?.value
  }

  @Test func `a lifecycle task that has not begun does not keep its reactor`() async {
    var ran = false
    let isReleased = await isReleased(Lamp()) { lamp in
      lamp.lifecycleTask { [weak lamp] in ran = lamp == nil }
    }
    #expect(isReleased)
    #expect(ran)
  }

  @Test func `a body that captured its reactor keeps it while it runs, and no longer`() async {
    weak var left: Lamp?
    let (stream, end) = AsyncStream.makeStream(of: Void.self)
    do {
      let lamp = Lamp()
      left = lamp
      lamp.lifecycleTask {
        for await _ in stream {}
        await lamp.action(.toggle)
      }
    }
    await turns()
    #expect(left != nil)
    end.finish()
    await turns()
    #expect(left == nil)
  }

  @Test func `a lifecycle task of a view without a lifecycle does not keep the reactor`() async {
    let isReleased = await isReleased(Lamp()) { lamp in
      let view = ReactorView(lamp, definesLifecycle: false) { 1 }
      view.reactor.lifecycleTask { await sleepForever() }
      await turns()
    }
    #expect(isReleased)
  }

  @Test func `a reactor at the address of an old one has none of its runs`() async {
    for _ in 0..<1_000 {
      let lamp = Lamp()
      #expect(!ReactorRuns.hasRuns(of: lamp))
      let task = lamp.lifecycleTask { await sleepForever() }
      #expect(ReactorRuns.hasRuns(of: lamp))
      task.cancel()
    }
    await turns()
  }

  @Test(arguments: [true, false])
  func `actions keep their reactor until they end`(_ endsWithLifecycle: Bool) async {
    let id = endsWithLifecycle ? CancelID("a", mode: .lifecycle) : CancelID("a")
    weak var left: Lamp?
    let gate = Gate()
    do {
      let lamp = Lamp()
      left = lamp
      lamp.send(.wait(for: gate))
      lamp.send(.wait(for: gate), id: id)
      lamp.send(.rename("b"), joining: id)
      lamp.action(.reset)
      Task { await lamp.action(.wait(for: gate), id: id) }
      lamp.cancelLifecycleTasks()
    }
    await turns()
    #expect(left != nil)
    gate.isOpen = true
    await turns()
    #expect(left == nil)
  }

  @Test func `a reactor that keeps subscriptions to itself is released, and they finish`() async {
    var ends = 0
    let isReleased = await isReleased(Lamp()) { lamp in
      lamp.statePublisher.sink(receiveCompletion: { _ in ends += 1 }, receiveValue: { _ in })
        .store(in: &lamp.kept)
      await lamp.action(.toggle)
      await turns()
    }
    #expect(isReleased)
    let publisher = Lamp().statePublisher
    let token = publisher.sink(receiveCompletion: { _ in ends += 1 }, receiveValue: { _ in })
    await turns()
    #expect(ends == 1)
    token.cancel()
  }

  @Test func `the sequences of a reactor do not keep it, and end with it`() async {
    var readers: [Task<Int, Never>] = []
    let isReleased = await isReleased(Lamp()) { lamp in
      let (states, names) = (lamp.states, lamp.values(of: \.name))
      readers = [
        Task { await count(states) },
        Task { await count(names) },
      ]
      await turns()
      await lamp.action(.toggle)
      await turns()
      await lamp.action(.rename("b"))
      await turns()
    }
    #expect(isReleased)
    #expect(await readers[0].value == 3)
    #expect(await readers[1].value == 2)
  }

  @Test func `what follows a classic reactor does not keep it`() async {
    var reader: Task<Void, Never>?
    let isReleased = await isReleased(ClassicLamp()) { lamp in
      lamp.statePublisher.sink { _ in }.store(in: &lamp.kept)
      lamp.objectWillChange.sink { _ in }.store(in: &lamp.kept)
      let states = lamp.states
      reader = Task { for await _ in states {} }
      lamp.lifecycleTask { await sleepForever() }
      await turns()
    }
    #expect(isReleased)
    reader?.cancel()
  }

  @Test func `what a callback reactor has under way does not keep it`() async {
    let jobs = Jobs()
    let isReleased = await isReleased(CallbackLamp(jobs)) { lamp in
      lamp.send(.turnOn)
      lamp.action(.turnOn, id: CancelID("a", mode: [.inFlight, .lifecycle]))
      lamp.lifecycleTask { run in
        run.effect {
          jobs.wait(9, $0)
        } then: { _ in
        }
      }
      jobs.advance(to: 1)
    }
    #expect(isReleased)
    jobs.advance(to: 10)
  }

  @Test func `a binding to an action without a value`() async {
    let lamp = Lamp()
    let isOn = lamp.bind(\.isOn, action: .toggle)
    let reset = lamp.bind(\.isOn, action: .reset)
    isOn.wrappedValue = true
    await turns()
    #expect(lamp.isOn)
    reset.wrappedValue = false
    #expect(!lamp.isOn)
    let callback = CallbackLamp(Jobs())
    callback.bind(\.isOn, action: .turnOn, id: CancelID("a")).wrappedValue = true
    #expect(!callback.isOn)
  }

  @Test func `a change of another member is no value of this one`() async {
    let lamp = Lamp()
    let values = lamp.values(of: \.isOn)
    var seen: [Bool] = []
    let reading = Task { for await isOn in values { seen.append(isOn) } }
    for action in [Lamp.Action.rename("a"), .toggle, .rename("b"), .toggle] {
      await turns()
      await lamp.action(action)
    }
    await turns()
    #expect(seen == [false, true, false])
    reading.cancel()
  }
}
