/// The progress of a list: idle, loading, loaded, or failed.
public enum LoadingState<Failure: Error> {
  case idle
  case loading
  case loaded
  case error(Failure)

  /// The error, if the load failed.
  public var error: Failure? {
    if case .error(let error) = self { error } else { nil }
  }
}

extension LoadingState: Sendable {}
extension LoadingState: Equatable where Failure: Equatable {}

extension LoadingState {
  /// Returns whether both are equal; `areSame` compares errors.
  public func isSame(
    as other: LoadingState, comparingErrors areSame: (Failure, Failure) -> Bool = areSameErrors
  ) -> Bool {
    switch (self, other) {
    case (.idle, .idle), (.loading, .loading), (.loaded, .loaded): true
    case (.error(let left), .error(let right)): areSame(left, right)
    case (.idle, _), (.loading, _), (.loaded, _), (.error, _): false
    }
  }

  /// Returns whether two errors are equal: by value if their type allows it, else by text.
  public static func areSameErrors(_ left: Failure, _ right: Failure) -> Bool {
    if let left = left as? any Equatable { return isEqual(left, to: right) }
    return haveSameText(left, right)
  }

  /// Returns whether two errors have the same text.
  public static func haveSameText(_ left: Failure, _ right: Failure) -> Bool {
    "\(left)" == "\(right)"
  }
}

private func isEqual<Left: Equatable>(_ left: Left, to right: any Error) -> Bool {
  right as? Left == left
}
