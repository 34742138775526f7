/// Decides what a list shows and what to do; acts on nothing itself.
///
/// Every load has a number. The output of a load counts only while it is the last one and has
/// neither ended nor been cancelled. So an overtaken load never changes the list, not even with a
/// value that was already on its way.
public struct ListModelState<Item: Equatable, Failure: Error> {
  /// An event: a call of the owner, or the output of a load.
  public enum Input {
    case refreshed
    case sourceChanged
    case cancelled
    case received(generation: Int, items: [Item])
    case failed(generation: Int, error: Failure)
    case finished(generation: Int)
  }

  /// The actions to perform, in this order.
  public enum Action {
    /// End the running load.
    case cancel
    case report(ListViewState<Item, Failure>)
    case subscribe(generation: Int)
  }

  /// The present view state.
  public private(set) var view: ListViewState<Item, Failure>
  /// The number of the last load; zero before the first.
  public private(set) var generation = 0
  private var isListening = false
  private var hasSource = false
  private var hasLoaded = false

  /// Makes the state of a list that shows these items and loads none.
  public init(items: [Item] = []) {
    view = ListViewState(.idle, items: items)
  }

  /// Returns whether the output of this load still counts.
  public func isListening(to generation: Int) -> Bool {
    isListening && generation == self.generation
  }

  /// Decides about an input, and returns the actions to perform.
  public mutating func on(_ input: Input) -> [Action] {
    switch input {
    case .refreshed: return hasSource ? load() : []
    case .sourceChanged:
      hasSource = true
      return load()
    case .cancelled: return stop()
    case .received(let generation, let items): return receive(items, from: generation)
    case .failed(let generation, let error): return fail(error, from: generation)
    case .finished(let generation): return finish(generation)
    }
  }
}

extension ListModelState {
  private mutating func load() -> [Action] {
    let ending: [Action] = isListening ? [.cancel] : []
    generation += 1
    isListening = true
    return ending + show(.loading, view.items) + [.subscribe(generation: generation)]
  }

  private mutating func stop() -> [Action] {
    guard isListening else { return [] }
    isListening = false
    return [.cancel] + settle()
  }

  private mutating func receive(_ items: [Item], from generation: Int) -> [Action] {
    guard isListening(to: generation) else { return [] }
    hasLoaded = true
    return show(.loaded, items)
  }

  private mutating func fail(_ error: Failure, from generation: Int) -> [Action] {
    guard isListening(to: generation) else { return [] }
    isListening = false
    return show(.error(error), view.items)
  }

  private mutating func finish(_ generation: Int) -> [Action] {
    guard isListening(to: generation) else { return [] }
    isListening = false
    return settle()
  }

  /// Ends a load. One that gave nothing leaves the list as it was before; others leave their items.
  private mutating func settle() -> [Action] {
    view.isLoading ? show(hasLoaded ? .loaded : .idle, view.items) : []
  }

  /// Reports a state only if it differs. Errors need no comparison, because there is a load between
  /// two of them.
  private mutating func show(
    _ loadingState: LoadingState<Failure>, _ items: [Item]
  ) -> [Action] {
    let isSame = view.loadingState.isSame(as: loadingState) { _, _ in false }
    if isSame, view.items == items { return [] }
    view = ListViewState(loadingState, items: items)
    return [.report(view)]
  }
}

extension ListModelState.Input: Equatable where Failure: Equatable {}
extension ListModelState.Action: Equatable where Failure: Equatable {}
extension ListModelState.Input: Sendable where Item: Sendable {}
extension ListModelState.Action: Sendable where Item: Sendable {}
