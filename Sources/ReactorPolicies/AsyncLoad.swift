/// The state of a load: none, loading, loaded, or failed.
///
/// Errors are equal if their values are. Errors that cannot be compared are equal if they have one
/// type.
public enum AsyncLoad<Item> {
  case none
  case loading
  case loaded(Item)
  case error(any Error)

  public var isLoading: Bool {
    if case .loading = self { true } else { false }
  }

  public var item: Item? {
    if case .loaded(let item) = self { item } else { nil }
  }

  public var error: (any Error)? {
    if case .error(let error) = self { error } else { nil }
  }
}

extension AsyncLoad: Equatable where Item: Equatable {
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
  case none
  case loading(Item?)
  case loaded(Item)
  case error(Item?, any Error)

  public var isLoading: Bool {
    if case .loading = self { true } else { false }
  }

  public var item: Item? {
    switch self {
    case .none: nil
    case .loading(let item), .error(let item, _): item
    case .loaded(let item): item
    }
  }

  public var error: (any Error)? {
    if case .error(_, let error) = self { error } else { nil }
  }

  /// The state after a load began, keeping the item.
  public var reloading: CachedAsyncLoad { .loading(item) }

  /// The state after a load failed, keeping the item.
  public func failed(_ error: any Error) -> CachedAsyncLoad { .error(item, error) }
}

extension CachedAsyncLoad: Equatable where Item: Equatable {
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
  case none
  case loading
  case loaded
  case error(any Error)

  public var isLoading: Bool {
    if case .loading = self { true } else { false }
  }

  public var error: (any Error)? {
    if case .error(let error) = self { error } else { nil }
  }
}

extension AsyncLoadNoContent: Equatable, Sendable {
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
