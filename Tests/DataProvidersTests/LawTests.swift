import DataProviders
import Publishers
import Testing

/// The contract of a list, also if its providers, sources and listeners act on it while it calls
/// them.
@Suite struct LawTests {
  @Test(arguments: [Play.Manners.calm, .wild])
  func `an overtaken load never wins, and one is live at most`(_ manners: Play.Manners) {
    var (loadCount, stateCount) = (0, 0)
    for seed in 1...1000 {
      let play = Play(seed: seed, manners)
      weak var freed: Words?
      do {
        freed = play.model
        play.run()
      }
      #expect(play.faults == [], "seed \(seed)")
      #expect(freed == nil, "still held after the end, seed \(seed)")
      loadCount += play.sources.count
      stateCount += play.states.count
    }
    // A law that nothing puts to the test is none.
    #expect(loadCount > 3_000)
    #expect(stateCount > 6_000)
  }
}

/// A seeded generator of random numbers.
private struct Dice {
  var state: UInt64

  mutating func roll(_ sides: Int) -> Int {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int((state >> 33) % UInt64(sides))
  }
}

/// A list and its sources that act at random. Each item names its source.
final class Play {
  enum Manners {
    /// Everything happens one after the other.
    case calm
    /// Providers, sources and listeners act on the list while it calls them.
    case wild
  }

  private(set) var faults: [String] = []
  private(set) var states: [WordsView] = []
  private(set) var model: Words? = Words(items: ["s"])
  private let lab = SourceLab()
  private let manners: Manners
  private var dice: Dice
  private var changes: [WordsView] = []
  private var token: AnyCancellable?
  /// The items of sources while they were live. No other item may ever be visible.
  private var given: Set<String> = ["s"]
  private var giveCount = 0
  /// The number of actions from inside that are left. Without a bound they would never end.
  private var remaining = 12

  var sources: [StubbornSource] { lab.sources }

  init(seed: Int, _ manners: Manners) {
    self.manners = manners
    dice = Dice(state: UInt64(seed))
    lab.whenCalled = { [unowned self] in beCalled() }
    lab.whenMade = { [unowned self] source in
      source.whenAsked = { [unowned self] _ in actInside() }
      source.whenCancelled = { [unowned self] in actInside() }
    }
    model?.onChange = { [unowned self] view in
      changes.append(view)
      actInside()
    }
    token = model?.viewStates.sink { [unowned self] view in
      hear(view)
      actInside()
    }
  }

  /// Runs the actions, drops the list, and checks the contract.
  func run() {
    for _ in 0..<16 { act() }
    note(changes != Array(states.dropFirst()), "two listeners heard different things")
    note(model?.viewState != states.last, "what was told last is not what is")
    let overtaken = sources.filter(\.wasSubscribed).dropLast()
    note(overtaken.contains(where: \.isLive), "a load that was overtaken is live")
    remaining = 0
    model = nil
    for source in sources {
      note(source.isLive, "a load is live after the list is gone")
      note(source.cancelCount > 1, "cancelled more than once")
    }
    token = nil
  }

  private func note(_ isFault: Bool, _ fault: String) {
    if isFault { faults.append(fault) }
  }

  private func beCalled() {
    note(sources.contains(where: \.isLive), "asked while another load is live")
    actInside()
  }

  private func hear(_ view: WordsView) {
    note(view == states.last, "told the same twice")
    note(!given.isSuperset(of: view.items), "\(view.items) were given too late")
    let isKept = view.items == states.last?.items
    note(!isKept && !view.isLoaded && !states.isEmpty, "items changed without an answer")
    states.append(view)
  }

  private func actInside() {
    guard manners == .wild, remaining > 0, dice.roll(3) == 0 else { return }
    remaining -= 1
    act()
  }

  private func act() {
    switch dice.roll(16) {
    case 0...1: model?.loadItems(from: lab.provider)
    case 2...3: model?.refresh()
    case 4: model?.cancel()
    case 5...12: source.map(give)
    case 13: source.map { end($0, .finished) }
    default: source.map { end($0, .failure(.networkError)) }
    }
  }

  /// Returns a source, the last one more often than any other.
  private var source: StubbornSource? {
    if sources.isEmpty || dice.roll(2) == 0 { return sources.last }
    return sources[dice.roll(sources.count)]
  }

  private func give(_ source: StubbornSource) {
    giveCount += 1
    let item = "\(giveCount)"
    let isLive = source.isLive
    if isLive { given.insert(item) }
    let before = model?.viewState
    source.give([item])
    guard manners == .calm else { return }
    let expected = isLive ? WordsView(.loaded, items: [item]) : before
    note(model?.viewState != expected, "an answer was not taken as it should")
  }

  private func end(_ source: StubbornSource, _ completion: Completion<ServiceError>) {
    let isLive = source.isLive
    let before = model?.viewState
    source.end(completion)
    note(!isLive && manners == .calm && model?.viewState != before, "a late end was heard")
  }
}
