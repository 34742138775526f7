import Publishers
import Reactors
import ScenarioTesting
import VirtualTime

/// A counter whose states are published.
final class CounterReactor: AsyncReactor {
  enum Action: Decodable {
    case increment
    case add(amount: Int)
    case countDown
  }

  struct State {
    var count = 0
    var isCounting = false
  }

  @Published private(set) var state = State()
  private let clock: any Clock<Duration>

  init(clock: any Clock<Duration>) { self.clock = clock }

  func action(_ action: Action) async {
    switch action {
    case .increment: state.count += 1
    case .add(let amount): state.count += amount
    case .countDown:
      state.isCounting = true
      guard (try? await clock.sleep(for: .seconds(1))) != nil else { return }
      state.count -= 1
      state.isCounting = false
    }
  }
}
