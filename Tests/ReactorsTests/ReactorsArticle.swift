import Observation
import Reactors
import Testing

// The code of the page.

@Observable
final class TapCounter: Reactor {
  enum Action { case add(Int) }
  struct State { var count = 0 }
  private(set) var state = State()

  func action(_ action: Action) async {
    switch action {
    case .add(let number): state.count += number
    }
  }
}

@MainActor @Suite struct ReactorsArticle {
  @Test func `the counter of the page counts`() async {
    let counter = TapCounter()
    counter.send(.add(1))
    await counter.send(.add(2)).value
    #expect(counter.count == 3)
  }
}
