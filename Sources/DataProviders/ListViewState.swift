/// The complete view state of a list: its progress, and its present items.
///
/// Items stay while others are loaded, and when that fails.
public struct ListViewState<Item, Failure: Error> {
  /// The progress of the last load.
  public var loadingState: LoadingState<Failure>
  /// The present items.
  public var items: [Item]

  /// Makes a view state.
  public init(_ loadingState: LoadingState<Failure> = .idle, items: [Item] = []) {
    self.loadingState = loadingState
    self.items = items
  }

  /// True while a load has given no value yet.
  public var isLoading: Bool {
    if case .loading = loadingState { true } else { false }
  }

  /// True if the last load has given a value.
  public var isLoaded: Bool {
    if case .loaded = loadingState { true } else { false }
  }

  /// The error of the last load, if it failed.
  public var error: Failure? { loadingState.error }
}

extension ListViewState: Sendable where Item: Sendable {}
extension ListViewState: Equatable where Item: Equatable, Failure: Equatable {}

/// The appearance of a list.
public enum VisualState: String, CaseIterable, Sendable {
  case spinner
  case errorScreen
  case list
}

extension ListViewState {
  /// The appearance: items are always shown. Without items, an error takes precedence over a
  /// spinner; an empty list is shown if there is neither.
  public var visual: VisualState {
    if !items.isEmpty { return .list }
    return switch loadingState {
    case .error: .errorScreen
    case .loading: .spinner
    case .idle, .loaded: .list
    }
  }

  /// True if a spinner is shown.
  public var shouldShowLoading: Bool { visual == .spinner }
  /// True if an error screen is shown.
  public var shouldShowError: Bool { visual == .errorScreen }
  /// True if the list is shown, perhaps without items.
  public var shouldShowList: Bool { visual == .list }

  /// True if the shown rows are old ones that a load is about to replace.
  public var hasPlaceholderRows: Bool { visual == .list && isLoading }
}
