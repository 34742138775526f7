import Publishers

/// A list whose items are given, or loaded from a provider.
///
/// ```swift
/// struct Chore: Equatable { var title: String }
/// enum ServiceError: Error { case networkError }
///
/// final class ChoreService {
///   func loadChores() -> AnyPublisher<[Chore], ServiceError> {
///     Just([Chore(title: "Water the plants")])
///       .setFailureType(to: ServiceError.self).eraseToAnyPublisher()
///   }
/// }
///
/// let service = ChoreService()
/// let chores = ListModel { service.loadChores() }
/// let token = chores.viewStates.sink { print($0.visual, $0.items.count) }
/// chores.refresh()
/// ```
///
/// One load runs at a time. A new one first ends the one before, whose values are ignored from then
/// on. Items stay while a load runs, and when it fails. A load that ends without a value leaves the
/// list as it was before: loaded if it ever was, else idle. The list uses no queue: a change is
/// made and reported inside the delivery of the value that caused it.
public final class ListModel<Item: Equatable, Failure: Error> {
  /// A callback for each change, after the receivers of `viewStates`.
  ///
  /// Calls to the list in here act at once, but their changes are reported after all receivers have
  /// this one. So all see the same changes in the same order.
  public var onChange: ((ListViewState<Item, Failure>) -> Void)?

  private var state: ListModelState<Item, Failure>
  private var provider: DataProvider<Item, Failure>?
  private var load: ListLoad<Item, Failure>?
  /// The last reported state. It keeps the old items until the new ones are sent. So none are freed
  /// while the state changes; freeing them may run code that reads the list.
  private let reported: CurrentValueSubject<ListViewState<Item, Failure>, Never>
  private var unreported: [ListViewState<Item, Failure>] = []
  private var isReporting = false

  /// Makes a list of given items. Refreshing it does nothing until it has a provider.
  public init(items: [Item] = []) {
    state = ListModelState(items: items)
    reported = CurrentValueSubject(state.view)
  }

  /// Makes a list that begins to load at once, and shows the initial items meanwhile. If the
  /// provider answers at once, the list has its items when it is made.
  public convenience init(
    dataProvider: DataProvider<Item, Failure>, initialItems: [Item] = []
  ) {
    self.init(items: initialItems)
    loadItems(from: dataProvider)
  }

  /// Makes a list that begins to load at once, from a function that is called for each load.
  public convenience init<Source: Publisher>(
    dataProvider: @escaping () -> Source, initialItems: [Item] = []
  ) where Source.Output == [Item], Source.Failure == Failure {
    self.init(dataProvider: DataProvider(dataProvider), initialItems: initialItems)
  }

  /// Makes a list that begins to load at once, from a publisher. A refresh subscribes to it again.
  public convenience init<Source: Publisher>(publisher: Source, initialItems: [Item] = [])
  where Source.Output == [Item], Source.Failure == Failure {
    self.init(dataProvider: { publisher }, initialItems: initialItems)
  }

  deinit {
    load?.cancel()
  }

  /// Asks the provider again.
  public func refresh() {
    take(.refreshed)
  }

  /// Changes the provider, and asks it.
  public func loadItems(from provider: DataProvider<Item, Failure>) {
    self.provider = provider
    take(.sourceChanged)
  }

  /// Changes the provider to a function that is called for each load, and asks it.
  public func loadItems<Source: Publisher>(from provider: @escaping () -> Source)
  where Source.Output == [Item], Source.Failure == Failure {
    loadItems(from: DataProvider(provider))
  }

  /// Ends the load, even if it has given values and could give more; a refresh begins another.
  public func cancel() {
    take(.cancelled)
  }

  func take(_ input: ListModelState<Item, Failure>.Input) {
    let actions = state.on(input)
    // A cancelled subscriber may act on the list as well; the resulting changes are reported after
    // this one.
    for case .report(let view) in actions { unreported.append(view) }
    for action in actions { carryOut(action) }
  }
}

extension ListModel {
  /// The present view state: the progress and the items.
  public var viewState: ListViewState<Item, Failure> { state.view }
  /// The present items.
  public var items: [Item] { state.view.items }
  /// True while a load has given no value yet.
  public var isLoading: Bool { state.view.isLoading }
  /// The error of the last load, until the next one begins.
  public var error: Failure? { state.view.error }
  /// The present appearance.
  public var visual: VisualState { state.view.visual }

  /// The present view state, then each one that differs from the one before.
  public var viewStates: AnyPublisher<ListViewState<Item, Failure>, Never> {
    reported.eraseToAnyPublisher()
  }
}

extension ListModel {
  private func carryOut(_ action: ListModelState<Item, Failure>.Action) {
    switch action {
    case .cancel: endLoad()
    case .report: reportChanges()
    case .subscribe(let generation): subscribe(generation)
    }
  }

  private func endLoad() {
    let ended = load
    load = nil
    ended?.cancel()
  }

  /// Calls the provider, unless a receiver of the loading state has begun another load or ended
  /// this one. The load is stored before the call, because the provider may do the same.
  private func subscribe(_ generation: Int) {
    guard state.isListening(to: generation), let provider else { return }
    let load = ListLoad(generation, of: self)
    self.load = load
    let publisher = provider.makePublisher()
    if state.isListening(to: generation) { publisher.attach(load) }
  }

  private func reportChanges() {
    if isReporting { return }
    isReporting = true
    while !unreported.isEmpty {
      let next = unreported.removeFirst()
      reported.send(next)
      onChange?(next)
    }
    isReporting = false
  }
}
