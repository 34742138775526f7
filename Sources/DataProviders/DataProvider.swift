import Publishers

/// The source of a list's items: makes a new publisher for every load.
///
/// The closure runs when a load begins and sees its captures at that time. It may return any
/// publisher of items: one that answers once, or one that continues with every change. Values
/// arrive on the thread of that publisher; a provider that works elsewhere ends in `receive(on:)`.
public struct DataProvider<Item, Failure: Error> {
  private let make: () -> AnyPublisher<[Item], Failure>

  /// Makes a provider that calls the function for each load.
  public init<Source: Publisher>(_ make: @escaping () -> Source)
  where Source.Output == [Item], Source.Failure == Failure {
    self.make = { make().eraseToAnyPublisher() }
  }

  /// Returns the publisher of a new load.
  public func makePublisher() -> AnyPublisher<[Item], Failure> { make() }
}
