/// How far a list is: nothing asked for, on its way, there, or failed.
public enum LoadingState<Failure: Error> {
  case idle
  case loading
  case loaded
  case error(Failure)

  public var error: Failure? {
    if case .error(let error) = self { error } else { nil }
  }
}

extension LoadingState: Sendable {}
extension LoadingState: Equatable where Failure: Equatable {}

extension LoadingState {
  /// Returns whether both are the same, where errors are compared as the caller says.
  public func isSame(
    as other: LoadingState, comparingErrors areSame: (Failure, Failure) -> Bool = areSameErrors
  ) -> Bool {
    switch (self, other) {
    case (.idle, .idle), (.loading, .loading), (.loaded, .loaded): true
    case (.error(let left), .error(let right)): areSame(left, right)
    case (.idle, _), (.loading, _), (.loaded, _), (.error, _): false
    }
  }

  /// Returns whether two errors are the same: by value where their type can tell, else by text.
  public static func areSameErrors(_ left: Failure, _ right: Failure) -> Bool {
    if let left = left as? any Equatable { return isEqual(left, to: right) }
    return haveSameText(left, right)
  }

  /// Returns whether two errors read the same.
  public static func haveSameText(_ left: Failure, _ right: Failure) -> Bool {
    "\(left)" == "\(right)"
  }
}

private func isEqual<Left: Equatable>(_ left: Left, to right: any Error) -> Bool {
  right as? Left == left
}
