import Publishers

/// Where a list's items come from: makes a fresh publisher for every load.
///
/// The closure runs when a load begins, so that what it captures counts as it is then. It may give
/// any publisher of items: one that answers once, or one that goes on and tells every change.
/// Values arrive where and when that publisher delivers them; a provider that works elsewhere ends
/// in `receive(on:)`.
public struct DataProvider<Item, Failure: Error> {
  private let make: () -> AnyPublisher<[Item], Failure>

  public init<Source: Publisher>(_ make: @escaping () -> Source)
  where Source.Output == [Item], Source.Failure == Failure {
    self.make = { make().eraseToAnyPublisher() }
  }

  /// The publisher of a new load.
  public func makePublisher() -> AnyPublisher<[Item], Failure> { make() }
}
