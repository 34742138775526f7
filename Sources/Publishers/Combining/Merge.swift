/// Passes the values of many as they come; finishes when all have, fails with the first.
@frozen
public struct MergeMany<Source: Publisher>: Publisher {
  /// The values of the publishers.
  public typealias Output = Source.Output
  /// The failure of the publishers.
  public typealias Failure = Source.Failure

  /// The publishers, in the order in which they are subscribed to.
  public let publishers: [Source]

  /// Creates a publisher of the values of several publishers.
  @inlinable public init(_ publishers: Source...) { self.publishers = publishers }

  /// Creates a publisher of the values of any number of publishers; of none it completes at once.
  @inlinable public init<S: Sequence<Source>>(_ publishers: S) {
    self.publishers = Array(publishers)
  }

  /// Attaches a subscriber, which receives its subscription first.
  @inlinable public func attach<S: Subscriber<Output, Failure>>(_ subscriber: S) {
    FlatMap(
      upstream: SequencePublisher<[Source], Failure>(sequence: publishers),
      maxPublishers: .unlimited, transform: { $0 }
    ).attach(subscriber)
  }
}

extension MergeMany: Equatable where Source: Equatable {}

/// Passes the values of two as they come.
@frozen
public struct Merge<A: Publisher, B: Publisher<A.Output, A.Failure>>: Publisher {
  /// The values of both publishers.
  public typealias Output = A.Output
  /// The failure of both publishers.
  public typealias Failure = A.Failure

  /// The publisher that is subscribed to first.
  public let a: A
  /// The publisher that is subscribed to second.
  public let b: B

  /// Creates the publisher that `merge(with:)` returns.
  @inlinable public init(_ a: A, _ b: B) {
    self.a = a
    self.b = b
  }

  /// Attaches a subscriber, which receives its subscription first.
  @inlinable public func attach<S: Subscriber<Output, Failure>>(_ subscriber: S) {
    MergeMany(Either.first(a), .second(b)).attach(subscriber)
  }

  /// One of both publishers.
  @usableFromInline enum Either: Publisher {
    @usableFromInline typealias Output = A.Output
    @usableFromInline typealias Failure = A.Failure

    case first(A)
    case second(B)

    @inlinable func attach<S: Subscriber<Output, Failure>>(_ subscriber: S) {
      switch self {
      case .first(let publisher): publisher.attach(subscriber)
      case .second(let publisher): publisher.attach(subscriber)
      }
    }
  }
}

extension Merge: Equatable where A: Equatable, B: Equatable {}

extension Publisher {
  /// Emits the values of both publishers as they come. Completes when both have; fails with the
  /// first failure. While the demand has a bound, each keeps at most one value that waits.
  @inlinable public func merge<P>(with other: P) -> Merge<Self, P> { Merge(self, other) }

  /// Emits the values of two publishers of one type as they come; see `merge(with:)`.
  @inlinable public func merge(with other: Self) -> MergeMany<Self> { MergeMany(self, other) }
}
