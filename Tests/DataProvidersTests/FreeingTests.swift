import DataProviders
import Publishers
import Testing

@Suite struct FreeingTests {
  @Test func `a list that is dropped cancels its load and is not held by it`() {
    let lab = SourceLab()
    weak var freed: Words?
    do {
      let model = Words(dataProvider: lab.provider)
      freed = model
      model.refresh()
    }
    #expect(freed == nil)
    #expect(lab.cancelCounts == [1, 1])
    lab.last.give(["late"])
    lab.last.end(.finished)
  }

  @Test func `a list that is dropped after its load has ended cancels nothing`() {
    let lab = SourceLab()
    do {
      let model = Words(dataProvider: lab.provider)
      lab.last.end(.finished)
      withExtendedLifetime(model) {}
    }
    #expect(lab.cancelCounts == [0])
  }

  @Test func `who listens does not hold the list, and hears no more`() {
    let subject = PassthroughSubject<[String], ServiceError>()
    weak var freed: Words?
    var texts: [String] = []
    var token: AnyCancellable?
    do {
      let model = ListModel { subject }
      freed = model
      token = model.viewStates.sink { texts.append($0.text) }
      subject.send(["a"])
    }
    #expect(freed == nil)
    subject.send(["b"])
    #expect(texts == ["loading[]", "loaded[a]"])
    token?.cancel()
  }

  @Test func `a list may be dropped by who hears of its change`() {
    let lab = SourceLab()
    var model: Words? = Words(dataProvider: lab.provider)
    weak let freed = model
    model?.onChange = { _ in model = nil }
    lab.last.give(["a"])
    #expect(freed == nil)
    #expect(lab.cancelCounts == [1])
    lab.last.give(["b"])
  }

  @Test func `a list may be dropped by the provider it asks`() {
    let lab = SourceLab()
    var model: Words? = Words()
    weak let freed = model
    lab.whenMade = { _ in model = nil }
    model?.loadItems(from: lab.provider)
    #expect(freed == nil)
    #expect(lab.cancelCounts == [1])
    lab.whenMade = { _ in }
  }

  @Test func `an overtaken provider and what it captured are freed`() {
    weak var freed: SourceLab?
    let model = Words()
    do {
      let lab = SourceLab()
      freed = lab
      model.loadItems(from: lab.provider)
    }
    #expect(freed != nil)
    model.loadItems { Just(["a"]).setFailureType(to: ServiceError.self) }
    #expect(freed == nil)
    #expect(model.items == ["a"])
  }
}
