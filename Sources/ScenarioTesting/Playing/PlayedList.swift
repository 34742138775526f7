import DataProviders
import Publishers
import Values

/// A Swift list model, whatever its items are.
@MainActor
protocol PlayedList: AnyObject {
  /// Shows each state of the list, the present one first.
  func follow(_ show: @escaping @MainActor (ListValues) -> Void) -> AnyCancellable
  func refresh()
  func cancel()
}

/// The values that a scenario reads from a list.
struct ListValues {
  var items: Value
  var isLoading: Value
  var error: Value
  var state: Value
  var visual: Value
}

@MainActor
final class PlayedListOf<Item: Equatable, Failure: Error>: PlayedList {
  private let list: ListModel<Item, Failure>

  init(_ list: ListModel<Item, Failure>) { self.list = list }

  func follow(_ show: @escaping @MainActor (ListValues) -> Void) -> AnyCancellable {
    list.viewStates.sink { show(ListValues($0)) }
  }

  func refresh() { list.refresh() }
  func cancel() { list.cancel() }
}

extension ListValues {
  fileprivate init<Item, Failure>(_ view: ListViewState<Item, Failure>) {
    items = .list(view.items.map { Value(reflecting: $0) })
    isLoading = .bool(view.isLoading)
    error = view.error.map { Value(reflecting: $0) } ?? .null
    state = Value(reflecting: view.loadingState)
    visual = Value(reflecting: view.visual)
  }
}
