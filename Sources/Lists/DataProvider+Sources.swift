@_exported import DataProviders
import Publishers
import RealSchedulers

/// The scheduler of the main actor, on which providers deliver unless they are given another one.
public typealias MainScheduler = ClockScheduler<ContinuousClock>

extension DataProvider where Item: Sendable, Failure == ProviderError {
  /// Makes a provider of one answer: `async` work that runs for each load. Cancelling the load
  /// cancels it.
  public static func async<Scheduler: PublisherScheduler & Sendable>(
    on scheduler: Scheduler = MainScheduler.mainActor,
    _ load: @escaping @Sendable () async throws -> [Item]
  ) -> DataProvider {
    DataProvider { TaskPublisher(scheduler: scheduler) { emit in emit(try await load()) } }
  }

  /// Makes a provider of a sequence, which is made for each load. Each element takes the place of
  /// the items before. Cancelling the load cancels the task that reads.
  public static func sequence<
    Source: AsyncSequence & SendableMetatype, Scheduler: PublisherScheduler & Sendable
  >(
    on scheduler: Scheduler = MainScheduler.mainActor,
    _ make: @escaping @Sendable () async throws -> Source
  ) -> DataProvider where Source.Element == [Item], Source.AsyncIterator: SendableMetatype {
    DataProvider {
      TaskPublisher(scheduler: scheduler) { emit in
        for try await items in try await make() { emit(items) }
      }
    }
  }

  /// Makes a provider of a publisher, which is made for each load.
  public static func publisher<Source: Publisher, Scheduler: PublisherScheduler>(
    on scheduler: Scheduler = MainScheduler.mainActor, _ make: @escaping () -> Source
  ) -> DataProvider where Source.Output == [Item] {
    DataProvider { make().mapError { ProviderError($0) }.receive(on: scheduler) }
  }
}

/// A list model whose providers fail with any error, by the name of an older view model.
public typealias DynamicListViewModel<Item: Equatable> = ListModel<Item, any Error>
