import Reactors
import Testing

@Suite struct AsyncLoadTests {
  private enum Failure: Error, Equatable {
    case status(Int)
    case offline
  }
  private struct Opaque: Error { var reason = "" }

  @Test func `only what is loaded has an item, only what failed an error`() {
    let states: [AsyncLoad<Int>] = [.none, .loading, .loaded(1), .error(Failure.offline)]
    #expect(states.map(\.item) == [nil, nil, 1, nil])
    #expect(states.map(\.isLoading) == [false, true, false, false])
    #expect(states.map { $0.error != nil } == [false, false, false, true])
  }

  @Test func `states are equal when kind and content are`() {
    #expect(AsyncLoad.loaded(1) == .loaded(1))
    #expect(AsyncLoad.loaded(1) != .loaded(2))
    #expect(AsyncLoad<Int>.none == .none)
    #expect(AsyncLoad<Int>.none != .loading)
    #expect(AsyncLoad.loaded(1) != .loading)
  }

  @Test func `errors are equal when their values are`() {
    let error = AsyncLoad<Int>.error(Failure.status(503))
    #expect(error == .error(Failure.status(503)))
    #expect(error != .error(Failure.status(500)))
    #expect(error != .error(Opaque()))
  }

  @Test func `errors that cannot be compared are equal by type`() {
    #expect(AsyncLoad<Int>.error(Opaque(reason: "a")) == .error(Opaque(reason: "b")))
    #expect(AsyncLoad<Int>.error(Opaque()) != .error(Failure.offline))
  }

  @Test func `a cached item survives reloads and errors`() {
    var state = CachedAsyncLoad<Int>.none.reloading
    #expect(state == .loading(nil))
    state = .loaded(5)
    #expect(state.reloading.item == 5)
    #expect(state.reloading.isLoading)
    let failed = state.reloading.failed(Failure.offline)
    #expect(failed == .error(5, Failure.offline))
    #expect(failed.item == 5)
    #expect(failed.error as? Failure == .offline)
  }

  @Test func `cached states compare item and error`() {
    #expect(CachedAsyncLoad<Int>.loading(nil) != .loading(1))
    #expect(CachedAsyncLoad.loading(1) != .loaded(1))
    #expect(CachedAsyncLoad.error(1, Failure.offline) != .error(1, Failure.status(1)))
    #expect(CachedAsyncLoad.error(1, Failure.offline) == .error(1, Failure.offline))
  }

  @Test func `a load without content compares by kind`() {
    #expect(AsyncLoadNoContent.loaded == .loaded)
    #expect(AsyncLoadNoContent.loaded != .loading)
    #expect(AsyncLoadNoContent.error(Failure.offline) != .error(Failure.status(1)))
    #expect(AsyncLoadNoContent.loading.isLoading)
  }
}
