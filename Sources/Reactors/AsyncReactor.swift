import Publishers

/// A reactor whose state is one value that is published as a whole: `@Published private(set) var
/// state`.
@MainActor
public protocol AsyncReactor: Reactor, ObservableObject {}

extension AsyncReactor {
  /// The publisher of the states: the present one first, then each that is set. A subscriber is
  /// called before the new state can be read from the reactor.
  ///
  /// It finds the property `state` by its wrapper. A reactor without `@Published` for its state
  /// stops the program here and names what is missing.
  public var statePublisher: AnyPublisher<State, Never> {
    for child in Mirror(reflecting: self).children where child.label == "_state" {
      if let published = child.value as? Published<State> {
        return published.projectedValue.eraseToAnyPublisher()
      }
    }
    preconditionFailure("\(Self.self) declares its state without `@Published`.")
  }
}

extension AsyncReactor where State: Sendable {
  /// The states for `for await`: the present one first, then each that is set. A slow reader gets
  /// them all. It does not keep the reactor alive.
  public var states: AsyncStream<State> {
    AsyncStream(statePublisher, buffering: .unbounded)
  }
}

extension AsyncStream where Element: Sendable {
  /// The values of a publisher of the main actor.
  @MainActor
  init(
    _ publisher: some Publisher<Element, Never>,
    buffering policy: Continuation.BufferingPolicy
  ) {
    self.init(bufferingPolicy: policy) { continuation in
      let token = publisher.sink(
        receiveCompletion: { _ in continuation.finish() },
        receiveValue: { continuation.yield($0) })
      let end = ReactorToken(token)
      continuation.onTermination = { _ in end.cancel() }
    }
  }
}

/// A subscription of the main actor that any thread may end.
final class ReactorToken: Sendable {
  @MainActor private var token: AnyCancellable?

  @MainActor
  init(_ token: AnyCancellable) { self.token = token }

  func cancel() {
    Task { @MainActor in self.token = nil }
  }
}
