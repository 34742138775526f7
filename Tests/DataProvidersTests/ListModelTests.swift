import DataProviders
import Publishers
import Testing

@Suite struct ListModelTests {
  @Test func `a list with a provider asks it once, and loads`() {
    let lab = SourceLab()
    let model = Words(dataProvider: lab.provider)
    #expect(lab.sources.count == 1)
    #expect(lab.last.demand == .unlimited)
    #expect(model.viewState.text == "loading[]")
    #expect(model.visual == .spinner)
  }

  @Test func `initial items are on show while the list loads`() {
    let lab = SourceLab()
    let model = Words(dataProvider: lab.provider, initialItems: ["x"])
    #expect(model.viewState.text == "loading[x]")
    #expect(model.visual == .list)
    #expect(model.viewState.hasPlaceholderRows)
  }

  @Test func `a provider that answers at once has loaded the list when it is made`() {
    let model = ListModel { Just(["a"]).setFailureType(to: ServiceError.self) }
    #expect(model.viewState.text == "loaded[a]")
    let failed = Words(dataProvider: { Fail(error: .fileNotFound) }, initialItems: [])
    #expect(failed.viewState.text == "error(File not found)[]")
    #expect(failed.visual == .errorScreen)
  }

  @Test func `every part of the view state can be read by itself`() {
    let lab = SourceLab()
    let model = Words(dataProvider: lab.provider, initialItems: ["x"])
    #expect(model.isLoading)
    #expect(model.items == ["x"])
    #expect(model.error == nil)
    lab.last.end(.failure(.networkError))
    #expect(!model.isLoading)
    #expect(model.items == ["x"])
    #expect(model.error == .networkError)
    #expect(model.viewState == WordsView(.error(.networkError), items: ["x"]))
  }

  @Test func `each refresh asks the provider at once, and only the last one answers`() {
    let lab = SourceLab()
    let model = Words(dataProvider: lab.provider)
    let diary = Diary()
    diary.watch(model)
    for _ in 1...3 { model.refresh() }
    #expect(lab.sources.count == 4)
    for (number, source) in lab.sources.enumerated() { source.give(["\(number)"]) }
    #expect(diary.text == "loading[] loaded[3]")
    #expect(lab.cancelCounts == [1, 1, 1, 0])
  }

  @Test func `what is refreshed is the provider that was given last`() {
    let (first, second) = (SourceLab(), SourceLab())
    let model = Words(dataProvider: first.provider)
    model.loadItems(from: second.provider)
    model.refresh()
    #expect(first.cancelCounts == [1])
    #expect(second.cancelCounts == [1, 0])
  }

  @Test func `a static list can be given a provider, and is refreshed from it`() {
    let lab = SourceLab()
    let model = Words(items: ["s"])
    model.loadItems(from: lab.provider)
    #expect(model.viewState.text == "loading[s]")
    lab.last.give(["a"])
    model.refresh()
    #expect(lab.sources.count == 2)
    #expect(model.viewState.text == "loading[a]")
  }

  @Test func `what a provider captures counts as it is when it is asked`() {
    final class Filter { var word = "all" }
    let filter = Filter()
    let model = ListModel { Just([filter.word]).setFailureType(to: ServiceError.self) }
    #expect(model.items == ["all"])
    filter.word = "done"
    #expect(model.items == ["all"])
    model.refresh()
    #expect(model.items == ["done"])
  }

  @Test func `a load that has ended is not cancelled`() {
    let lab = SourceLab()
    let model = Words(dataProvider: lab.provider)
    lab.last.end(.finished)
    model.refresh()
    lab.last.end(.failure(.networkError))
    model.cancel()
    model.refresh()
    model.cancel()
    model.cancel()
    #expect(lab.cancelCounts == [0, 0, 1])
  }

  @Test func `an overtaken load is cancelled before the provider is asked again`() {
    let lab = SourceLab()
    var liveWhenCalled: [Bool] = []
    lab.whenCalled = { [unowned lab] in
      liveWhenCalled.append(lab.sources.contains { $0.isLive })
    }
    let model = Words(dataProvider: lab.provider)
    model.refresh()
    model.loadItems(from: lab.provider)
    #expect(liveWhenCalled == [false, false, false])
    lab.whenCalled = {}
  }

  @Test func `who listens late begins with the present state`() {
    let lab = SourceLab()
    let model = Words(dataProvider: lab.provider)
    lab.last.give(["a"])
    let diary = Diary()
    diary.watch(model)
    lab.last.give(["b"])
    diary.stop()
    lab.last.give(["c"])
    #expect(diary.text == "loaded[a] loaded[b]")
    #expect(diary.changes == ["loaded[b]", "loaded[c]"])
  }

  @Test func `values arrive where the provider delivers them`() {
    let scheduler = VirtualScheduler()
    let lab = SourceLab()
    let model = ListModel { lab.provider.makePublisher().receive(on: scheduler) }
    lab.last.give(["a"])
    #expect(model.viewState.text == "loading[]")
    #expect(scheduler.run())
    #expect(model.viewState.text == "loaded[a]")
  }

  @Test func `a value of an overtaken load that is on its way already is not seen`() {
    let scheduler = VirtualScheduler()
    let lab = SourceLab()
    let model = ListModel { lab.provider.makePublisher().receive(on: scheduler) }
    lab.last.give(["old"])
    model.refresh()
    #expect(scheduler.run())
    #expect(model.viewState.text == "loading[]")
    lab.last.give(["new"])
    #expect(scheduler.run())
    #expect(model.viewState.text == "loaded[new]")
  }

  @Test func `a fast load wins over the slow one it has overtaken`() {
    let scheduler = VirtualScheduler()
    func provider(_ word: String, after delay: Duration) -> DataProvider<String, ServiceError> {
      DataProvider {
        Just([word]).delay(for: delay, scheduler: scheduler)
          .setFailureType(to: ServiceError.self)
      }
    }
    let model = Words(dataProvider: provider("slow", after: .seconds(2)))
    let diary = Diary()
    diary.watch(model)
    model.loadItems(from: provider("fast", after: .seconds(1)))
    #expect(scheduler.run())
    #expect(diary.text == "loading[] loaded[fast]")
  }
}
