/// A publisher that begins only with `connect()`.
public protocol ConnectablePublisher<Output, Failure>: Publisher {
  /// Begins, until the result is cancelled.
  func connect() -> any Cancellable
}

extension ConnectablePublisher {
  /// Connects with the first subscriber and ends with the last. After the end of what it connects
  /// to it does not connect again.
  @inlinable public func autoconnect() -> Autoconnect<Self> { Autoconnect(upstream: self) }
}

/// Connects a publisher as long as it has subscribers.
public final class Autoconnect<Upstream: ConnectablePublisher>: Publisher {
  /// The values of upstream.
  public typealias Output = Upstream.Output
  /// The failure of upstream.
  public typealias Failure = Upstream.Failure

  /// The publisher whose events come in.
  public let upstream: Upstream
  @usableFromInline var subscriberCount = 0
  @usableFromInline var isConnecting = false
  @usableFromInline var connection: (any Cancellable)?

  /// Creates the publisher that `autoconnect()` returns.
  @inlinable public init(upstream: Upstream) { self.upstream = upstream }

  /// Attaches a subscriber, which receives its subscription first.
  @inlinable public func attach<S: Subscriber<Output, Failure>>(_ subscriber: S) {
    subscriberCount += 1
    upstream.attach(Inner(subscriber, self))
    connectIfWanted()
  }

  @inlinable func connectIfWanted() {
    guard subscriberCount > 0, connection == nil, !isConnecting else { return }
    isConnecting = true
    let made = upstream.connect()
    isConnecting = false
    // The last subscriber may have left while what is connected sent at once.
    if subscriberCount > 0 { connection = made } else { made.cancel() }
  }

  @inlinable func didLeave() {
    subscriberCount -= 1
    guard subscriberCount == 0 else { return }
    let ended = connection
    connection = nil
    ended?.cancel()
  }

  // An end from upstream does not count as leaving: it connects only once.
  @usableFromInline final class Inner<S: Subscriber<Output, Failure>>: Passage<S>, Subscriber {
    @usableFromInline let autoconnect: Autoconnect

    @inlinable init(_ downstream: S, _ autoconnect: Autoconnect) {
      self.autoconnect = autoconnect
      super.init(downstream)
    }

    @inlinable func receive(_ input: Output) -> Demand { downstream.receive(input) }

    @inlinable override func cancel() {
      guard let upstream = link.take() else { return }
      upstream.cancel()
      autoconnect.didLeave()
    }
  }
}
