/// Lets many subscribers share one subscription upstream, through a subject.
public final class Multicast<Upstream: Publisher, SubjectType: Subject>: ConnectablePublisher
where SubjectType.Output == Upstream.Output, SubjectType.Failure == Upstream.Failure {
  /// The values of upstream.
  public typealias Output = Upstream.Output
  /// The failure of upstream.
  public typealias Failure = Upstream.Failure

  /// The publisher whose events come in.
  public let upstream: Upstream
  /// Makes the subject, once, when it is first needed.
  public let createSubject: () -> SubjectType
  @usableFromInline lazy var subject = createSubject()

  /// Creates the publisher that `multicast(_:)` returns.
  @inlinable public init(upstream: Upstream, createSubject: @escaping () -> SubjectType) {
    self.upstream = upstream
    self.createSubject = createSubject
  }

  /// Attaches a subscriber, which receives its subscription first.
  @inlinable public func attach<S: Subscriber<Output, Failure>>(_ subscriber: S) {
    subject.attach(subscriber)
  }

  /// Subscribes the subject to upstream; each call makes one more subscription.
  @inlinable public func connect() -> any Cancellable { upstream.subscribe(subject) }
}

/// Lets many subscribers share one subscription upstream, from the first to the last of them.
public final class Share<Upstream: Publisher>: Publisher {
  /// The values of upstream.
  public typealias Output = Upstream.Output
  /// The failure of upstream.
  public typealias Failure = Upstream.Failure

  @usableFromInline let shared:
    Autoconnect<Multicast<Upstream, PassthroughSubject<Output, Failure>>>

  /// Creates the publisher that `share()` returns.
  @inlinable public init(upstream: Upstream) {
    shared = Multicast(upstream: upstream) { PassthroughSubject() }.autoconnect()
  }

  /// The publisher that is shared.
  public var upstream: Upstream { shared.upstream.upstream }

  /// Attaches a subscriber, which receives its subscription first.
  @inlinable public func attach<S: Subscriber<Output, Failure>>(_ subscriber: S) {
    shared.attach(subscriber)
  }
}

extension Publisher {
  /// Lets many subscribers share one subscription through a subject that the closure makes once.
  /// Nothing comes before `connect()`.
  @inlinable public func multicast<S: Subject>(
    _ createSubject: @escaping () -> S
  ) -> Multicast<Self, S> where S.Output == Output, S.Failure == Failure {
    Multicast(upstream: self, createSubject: createSubject)
  }

  /// Lets many subscribers share one subscription through a subject that the closure makes once.
  /// Nothing comes before `connect()`.
  @inlinable public func multicast<S: Subject>(
    subject: S
  ) -> Multicast<Self, S> where S.Output == Output, S.Failure == Failure {
    Multicast(upstream: self) { subject }
  }

  /// One subscription upstream for all; after the end, later subscribers get the end alone.
  @inlinable public func share() -> Share<Self> { Share(upstream: self) }
}

extension Publisher where Failure == Never {
  /// Lets many subscribers share one subscription. Nothing comes before `connect()`.
  @inlinable public func makeConnectable() -> Multicast<Self, PassthroughSubject<Output, Never>> {
    multicast { PassthroughSubject() }
  }
}
