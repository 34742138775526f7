/// The state of a load: none, loading, loaded, or failed.
///
/// Errors are equal if their values are. Errors that cannot be compared are equal if they have one
/// type.
public enum AsyncLoad<Item> {
  /// Nothing was loaded.
  case none
  /// The load runs.
  case loading
  /// The load has brought an item.
  case loaded(Item)
  /// The load has failed.
  case error(any Error)

  /// True while the load runs.
  public var isLoading: Bool {
    if case .loading = self { true } else { false }
  }

  /// The item, if it was loaded.
  public var item: Item? {
    if case .loaded(let item) = self { item } else { nil }
  }

  /// The error, if the load has failed.
  public var error: (any Error)? {
    if case .error(let error) = self { error } else { nil }
  }
}

extension AsyncLoad: Equatable where Item: Equatable {
  /// Returns whether both are at the same stage, with equal items and errors.
  public static func == (left: AsyncLoad, right: AsyncLoad) -> Bool {
    switch (left, right) {
    case (.none, .none), (.loading, .loading): true
    case (.loaded(let a), .loaded(let b)): a == b
    case (.error(let a), .error(let b)): areEqual(a, b)
    case (.none, _), (.loading, _), (.loaded, _), (.error, _): false
    }
  }
}

extension AsyncLoad: Sendable where Item: Sendable {}

/// The state of a load that keeps its item while it loads again, and when that fails.
public enum CachedAsyncLoad<Item> {
  /// Nothing was loaded.
  case none
  /// The load runs. It keeps the item of the load before.
  case loading(Item?)
  /// The load has brought an item.
  case loaded(Item)
  /// The load has failed. It keeps the item of the load before.
  case error(Item?, any Error)

  /// True while the load runs.
  public var isLoading: Bool {
    if case .loading = self { true } else { false }
  }

  /// The item of the last load that succeeded.
  public var item: Item? {
    switch self {
    case .none: nil
    case .loading(let item), .error(let item, _): item
    case .loaded(let item): item
    }
  }

  /// The error, if the last load has failed.
  public var error: (any Error)? {
    if case .error(_, let error) = self { error } else { nil }
  }

  /// The state after a load began, keeping the item.
  public var reloading: CachedAsyncLoad { .loading(item) }

  /// The state after a load failed, keeping the item.
  public func failed(_ error: any Error) -> CachedAsyncLoad { .error(item, error) }
}

extension CachedAsyncLoad: Equatable where Item: Equatable {
  /// Returns whether both are at the same stage, with equal items and errors.
  public static func == (left: CachedAsyncLoad, right: CachedAsyncLoad) -> Bool {
    switch (left, right) {
    case (.none, .none): true
    case (.loading(let a), .loading(let b)): a == b
    case (.loaded(let a), .loaded(let b)): a == b
    case (.error(let a, let first), .error(let b, let second)): a == b && areEqual(first, second)
    case (.none, _), (.loading, _), (.loaded, _), (.error, _): false
    }
  }
}

extension CachedAsyncLoad: Sendable where Item: Sendable {}

/// The state of an operation without a result: a load without an item.
public enum AsyncLoadNoContent {
  /// The operation was not started.
  case none
  /// The operation runs.
  case loading
  /// The operation has succeeded.
  case loaded
  /// The operation has failed.
  case error(any Error)

  /// True while the operation runs.
  public var isLoading: Bool {
    if case .loading = self { true } else { false }
  }

  /// The error, if the operation has failed.
  public var error: (any Error)? {
    if case .error(let error) = self { error } else { nil }
  }
}

extension AsyncLoadNoContent: Equatable, Sendable {
  /// Returns whether both are at the same stage, with equal errors.
  public static func == (left: AsyncLoadNoContent, right: AsyncLoadNoContent) -> Bool {
    switch (left, right) {
    case (.none, .none), (.loading, .loading), (.loaded, .loaded): true
    case (.error(let a), .error(let b)): areEqual(a, b)
    case (.none, _), (.loading, _), (.loaded, _), (.error, _): false
    }
  }
}

private func areEqual(_ left: any Error, _ right: any Error) -> Bool {
  if let left = left as? any Equatable { return isEqual(left, to: right) }
  return type(of: left) == type(of: right)
}

private func isEqual<Left: Equatable>(_ left: Left, to right: any Error) -> Bool {
  right as? Left == left
}
