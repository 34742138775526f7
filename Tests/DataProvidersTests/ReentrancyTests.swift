import DataProviders
import Publishers
import Testing

/// Actions on a list from within its calls.
@Suite struct ReentrancyTests {
  private let lab = SourceLab()
  private let diary = Diary()

  @Test func `a refresh inside a change is obeyed at once and reported after it`() {
    let model = Words(dataProvider: lab.provider)
    diary.watch(model)
    let remaining = Countdown(1)
    let token = model.viewStates.sink { view in
      guard view.isLoaded, remaining.next() else { return }
      model.refresh()
      #expect(model.isLoading)
    }
    let later = Diary()
    later.watch(model)
    lab.last.give(["a"])
    lab.last.give(["b"])
    #expect(diary.text == "loading[] loaded[a] loading[a] loaded[b]")
    #expect(later.states == diary.states)
    #expect(later.changes == Array(later.states.dropFirst()))
    #expect(lab.cancelCounts == [1, 0])
    token.cancel()
  }

  @Test
  func `a listener that begins another load when it is notified of loading gets only that one`() {
    let model = Words(items: ["s"])
    diary.watch(model)
    let other = SourceLab()
    let remaining = Countdown(1)
    let token = model.viewStates.sink { [lab] view in
      if view.isLoading, remaining.next() { model.loadItems(from: lab.provider) }
    }
    model.loadItems(from: other.provider)
    #expect(other.sources.isEmpty)
    lab.last.give(["a"])
    #expect(diary.text == "idle[s] loading[s] loaded[a]")
    #expect(lab.sources.count == 1)
    token.cancel()
  }

  @Test func `a listener that cancels when it is notified of loading spares the provider the call`()
  {
    let model = Words(items: ["s"])
    diary.watch(model)
    let token = model.viewStates.sink { if $0.isLoading { model.cancel() } }
    model.loadItems(from: lab.provider)
    #expect(lab.sources.isEmpty)
    #expect(diary.text == "idle[s] loading[s] idle[s]")
    token.cancel()
  }

  @Test func `cancelling inside a value stops a source that delivers all at once`() {
    let model = Words()
    diary.watch(model)
    let token = model.viewStates.sink { if $0.isLoaded { model.cancel() } }
    model.loadItems {
      [["a"], ["b"], ["c"]].publisher.setFailureType(to: ServiceError.self)
    }
    #expect(diary.text == "idle[] loading[] loaded[a]")
    token.cancel()
  }

  @Test func `refreshing inside a value stops a source that delivers all at once`() {
    let model = Words()
    diary.watch(model)
    let remaining = Countdown(1)
    let token = model.viewStates.sink {
      if $0.isLoaded, remaining.next() { model.refresh() }
    }
    var answers = [[["c"]], [["a"], ["b"]]]
    model.loadItems { answers.removeLast().publisher.setFailureType(to: ServiceError.self) }
    #expect(diary.text == "idle[] loading[] loaded[a] loading[a] loaded[c]")
    token.cancel()
  }

  @Test func `a provider that begins another load while it is asked is overtaken by it`() {
    let model = Words()
    diary.watch(model)
    let other = SourceLab()
    other.whenCalled = { [lab] in model.loadItems(from: lab.provider) }
    model.loadItems(from: other.provider)
    #expect(other.last.demand == .none)
    #expect(lab.sources.count == 1)
    lab.last.give(["a"])
    #expect(diary.text == "idle[] loading[] loaded[a]")
    other.whenCalled = {}
  }

  @Test func `a provider that cancels while it is asked is not subscribed to`() {
    let model = Words()
    lab.whenCalled = { model.cancel() }
    model.loadItems(from: lab.provider)
    #expect(lab.last.demand == .none)
    #expect(model.viewState.text == "idle[]")
    lab.whenCalled = {}
  }

  @Test
  func
    `a source that loads at once while being cancelled is not notified before the current change`()
  {
    let model = Words(items: ["s"])
    diary.watch(model)
    model.loadItems(from: lab.provider)
    lab.last.give(["a"])
    lab.last.whenCancelled = {
      model.loadItems { Just(["b"]).setFailureType(to: ServiceError.self) }
    }
    model.refresh()
    #expect(diary.text == "idle[s] loading[s] loaded[a] loading[a] loaded[b]")
    #expect(model.viewState.text == "loaded[b]")
    #expect(lab.sources.count == 1)
  }

  @Test func `a source that fails as soon as it is asked fails the list`() {
    lab.whenMade = { $0.whenAsked = { $0.end(.failure(.invalidURL)) } }
    let model = Words(dataProvider: lab.provider)
    #expect(model.viewState.text == "error(Invalid URL)[]")
    model.refresh()
    #expect(lab.cancelCounts == [0, 0])
  }

  @Test func `a source that subscribes twice is cut off the second time`() {
    lab.whenMade = { source in
      source.whenAsked = { source in
        source.whenAsked = { _ in Issue.record("asked a second time") }
        source.handOver()
      }
    }
    let model = Words(dataProvider: lab.provider)
    #expect(lab.cancelCounts == [1])
    withExtendedLifetime(model) {}
  }

  @Test func `a load that was overtaken before it had its subscription asks for nothing`() {
    lab.whenMade = { $0.isSlow = true }
    let model = Words(dataProvider: lab.provider)
    model.refresh()
    for source in lab.sources { source.handOver() }
    #expect(lab.sources.map(\.demand) == [.none, .unlimited])
    #expect(lab.cancelCounts == [1, 0])
    withExtendedLifetime(model) {}
  }

  @Test func `who hears of a change may stop listening`() {
    let model = Words(dataProvider: lab.provider)
    diary.watch(model)
    let before = model.onChange
    model.onChange = { view in
      before?(view)
      model.onChange = nil
      self.diary.stop()
    }
    lab.last.give(["a"])
    lab.last.give(["b"])
    #expect(diary.changes == ["loaded[a]"])
    #expect(diary.text == "loading[] loaded[a]")
    #expect(model.items == ["b"])
  }

  @Test func `items may look at the list while they are freed`() {
    final class Row: Equatable {
      let whenFreed: () -> Void
      init(_ whenFreed: @escaping () -> Void) { self.whenFreed = whenFreed }
      deinit { whenFreed() }
      static func == (left: Row, right: Row) -> Bool { left === right }
    }
    let model = ListModel<Row, ServiceError>()
    var counts: [Int] = []
    let subject = PassthroughSubject<[Row], ServiceError>()
    model.loadItems { subject }
    subject.send([Row { [unowned model] in counts.append(model.items.count) }])
    subject.send([])
    #expect(counts == [0])
  }
}

/// A condition that holds a number of times.
final class Countdown {
  private var remaining: Int
  init(_ remaining: Int) { self.remaining = remaining }

  func next() -> Bool {
    remaining -= 1
    return remaining >= 0
  }
}
