import DataProviders
import Testing

@Suite struct ListModelStateTests {
  typealias State = ListModelState<String, ServiceError>
  private typealias View = ListViewState<String, ServiceError>

  @Test func `a load shows that it loads before it subscribes`() {
    var state = State(items: ["a"])
    #expect(
      state.on(.sourceChanged) == [
        .report(View(.loading, items: ["a"])), .subscribe(generation: 1),
      ])
  }

  @Test func `a load that runs is cancelled before anything else`() {
    var state = State()
    _ = state.on(.sourceChanged)
    #expect(state.on(.refreshed) == [.cancel, .subscribe(generation: 2)])
    _ = state.on(.received(generation: 2, items: ["a"]))
    #expect(
      state.on(.sourceChanged) == [
        .cancel, .report(View(.loading, items: ["a"])), .subscribe(generation: 3),
      ])
  }

  @Test func `a load that has ended is not cancelled`() {
    for end in [State.Input.finished(generation: 1), .failed(generation: 1, error: .networkError)] {
      var state = State()
      _ = state.on(.sourceChanged)
      _ = state.on(end)
      #expect(state.on(.cancelled) == [])
      #expect(
        state.on(.refreshed) == [.report(View(.loading)), .subscribe(generation: 2)])
    }
  }

  @Test func `without a source there is nothing to refresh and nothing to cancel`() {
    var state = State(items: ["a"])
    #expect(state.on(.refreshed) == [])
    #expect(state.on(.cancelled) == [])
    #expect(state.generation == 0)
  }

  @Test(arguments: [
    State.Input.received(generation: 1, items: ["late"]),
    .failed(generation: 1, error: .networkError), .finished(generation: 1),
  ])
  func `what an overtaken, a cancelled or an ended load says is nothing`(_ late: State.Input) {
    let ends: [State.Input] = [.refreshed, .sourceChanged, .cancelled, .finished(generation: 1)]
    for overtaking in ends {
      var state = State(items: ["a"])
      _ = state.on(.sourceChanged)
      _ = state.on(overtaking)
      let view = state.view
      #expect(state.on(late) == [])
      #expect(state.view == view)
    }
  }

  @Test func `only the last load is listened to, until it ends`() {
    var state = State()
    #expect(!state.isListening(to: 0))
    _ = state.on(.sourceChanged)
    _ = state.on(.refreshed)
    #expect(!state.isListening(to: 1))
    #expect(state.isListening(to: 2))
    _ = state.on(.finished(generation: 2))
    #expect(!state.isListening(to: 2))
  }
}
