/// Lets many subscribers share one subscription upstream, through a subject.
public final class Multicast<Upstream: Publisher, SubjectType: Subject>: ConnectablePublisher
where SubjectType.Output == Upstream.Output, SubjectType.Failure == Upstream.Failure {
  public typealias Output = Upstream.Output
  public typealias Failure = Upstream.Failure

  public let upstream: Upstream
  public let createSubject: () -> SubjectType
  @usableFromInline lazy var subject = createSubject()

  @inlinable
  public init(upstream: Upstream, createSubject: @escaping () -> SubjectType) {
    self.upstream = upstream
    self.createSubject = createSubject
  }

  @inlinable
  public func receive<S: Subscriber>(subscriber: S)
  where S.Input == Output, S.Failure == Failure {
    subject.receive(subscriber: subscriber)
  }

  /// Subscribes the subject to upstream, once more each time it is called.
  @inlinable
  public func connect() -> any Cancellable { upstream.subscribe(subject) }
}

/// Lets many subscribers share one subscription upstream, from the first to the last of them.
public final class Share<Upstream: Publisher>: Publisher {
  public typealias Output = Upstream.Output
  public typealias Failure = Upstream.Failure

  @usableFromInline let shared:
    Autoconnect<Multicast<Upstream, PassthroughSubject<Output, Failure>>>

  @inlinable
  public init(upstream: Upstream) {
    shared = Multicast(upstream: upstream) { PassthroughSubject() }.autoconnect()
  }

  public var upstream: Upstream { shared.upstream.upstream }

  @inlinable
  public func receive<S: Subscriber>(subscriber: S)
  where S.Input == Output, S.Failure == Failure {
    shared.receive(subscriber: subscriber)
  }
}

extension Publisher {
  @inlinable
  public func multicast<S: Subject>(
    _ createSubject: @escaping () -> S
  ) -> Multicast<Self, S> where S.Output == Output, S.Failure == Failure {
    Multicast(upstream: self, createSubject: createSubject)
  }

  @inlinable
  public func multicast<S: Subject>(
    subject: S
  ) -> Multicast<Self, S> where S.Output == Output, S.Failure == Failure {
    Multicast(upstream: self) { subject }
  }

  /// One subscription upstream for all; after the end, later subscribers get the end alone.
  @inlinable
  public func share() -> Share<Self> { Share(upstream: self) }
}

extension Publisher where Failure == Never {
  /// Waits with its one subscription upstream until told to connect.
  @inlinable
  public func makeConnectable() -> Multicast<Self, PassthroughSubject<Output, Never>> {
    multicast { PassthroughSubject() }
  }
}
