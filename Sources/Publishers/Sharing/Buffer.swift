/// The demand of a buffer.
@frozen
public enum PrefetchStrategy: Sendable {
  /// It asks for as many as it holds, and for one more with each that leaves it.
  case keepFull
  /// It asks for everything.
  case byRequest
}

/// The treatment of a value for which a buffer has no room.
@frozen
public enum BufferingStrategy<Failure: Error> {
  /// It is dropped.
  case dropNewest
  /// The oldest value that is kept is dropped instead.
  case dropOldest
  /// The buffer takes no more values. What it keeps can still be asked for; then it fails.
  case customError(() -> Failure)
}

/// Keeps values until they are asked for.
@frozen
public struct Buffer<Upstream: Publisher>: PassingOperator {
  /// The publisher whose events come in.
  public let upstream: Upstream
  /// The number of values that are kept.
  public let size: Int
  /// The demand that is sent upstream.
  public let prefetch: PrefetchStrategy
  /// The treatment of a value for which there is no room.
  public let whenFull: BufferingStrategy<Failure>

  /// Creates the publisher that `buffer(size:prefetch:whenFull:)` returns.
  @inlinable public init(
    upstream: Upstream, size: Int, prefetch: PrefetchStrategy, whenFull: BufferingStrategy<Failure>
  ) {
    self.upstream = upstream
    self.size = size
    self.prefetch = prefetch
    self.whenFull = whenFull
  }

  /// Attaches a subscriber, which receives its subscription first.
  @inlinable public func attach<S: Subscriber<Output, Failure>>(_ subscriber: S) {
    upstream.attach(Inner(subscriber, self))
  }

  @usableFromInline final class Inner<S: Subscriber<Output, Failure>>: Passage<S>, Subscriber {
    @usableFromInline let publisher: Buffer
    @usableFromInline var values = Fifo<Output>()
    /// The end that waits until the values are gone.
    @usableFromInline var completion: Completion<Failure>?
    /// Upstream is asked, and may have ended, before downstream has its subscription.
    @usableFromInline var isAttached = false
    @usableFromInline var isDraining = false
    /// Drains from within `request`, which is called through a protocol: the body is made where the
    /// types are known.
    @usableFromInline let drainOnRequest: (Inner) -> Void

    @inlinable init(_ downstream: S, _ publisher: Buffer) {
      self.publisher = publisher
      drainOnRequest = { $0.drain() }
      super.init(downstream)
    }

    @inlinable override func receive(subscription: any Subscription) {
      guard link.accept(subscription) else { return subscription.cancel() }
      switch publisher.prefetch {
      case .keepFull where publisher.size > 0: subscription.request(.max(publisher.size))
      case .keepFull: break
      case .byRequest: subscription.request(.unlimited)
      }
      isAttached = true
      downstream.receive(subscription: self)
      drain()
    }

    @inlinable func receive(_ input: Output) -> Demand {
      guard !isOver, link.isLive else { return .none }
      if values.count < publisher.size || (demand > .none && values.isEmpty && !isDraining) {
        values.append(input)
        drain()
      } else {
        overflow(input)
      }
      return .none
    }

    @inlinable func overflow(_ input: Output) {
      switch publisher.whenFull {
      case .dropNewest: break
      case .dropOldest:
        if values.popFirst() != nil { values.append(input) }
      case .customError(let makeError):
        completion = .failure(makeError())
        link.take()?.cancel()
      }
    }

    @inlinable func drain() {
      if isDraining { return }
      isDraining = true
      while !isOver, demand > .none, let value = values.popFirst() {
        deliver(value)
        if case .keepFull = publisher.prefetch { link.subscription?.request(.max(1)) }
      }
      isDraining = false
      finishIfDone()
    }

    @inlinable func finishIfDone() {
      guard isAttached, let completion, values.isEmpty else { return }
      finish(completion)
    }

    // A failure of upstream does not wait for values that were not taken yet.
    @inlinable override func receive(completion: Completion<Failure>) {
      guard link.close() else { return }
      self.completion = completion
      switch completion {
      case .finished: if !isDraining { finishIfDone() }
      case .failure:
        values.removeAll()
        finishIfDone()
      }
    }

    @inlinable override func request(_ demand: Demand) {
      self.demand += demand
      drainOnRequest(self)
    }

    @inlinable override func cancel() {
      isOver = true
      values.removeAll()
      link.take()?.cancel()
    }
  }
}

extension Publisher {
  /// Keeps up to `size` values until they are asked for. A failure passes at once and drops what is
  /// kept. The end, and the failure of `customError`, wait until everything has been taken; the end
  /// of an empty buffer passes at once.
  @inlinable public func buffer(
    size: Int, prefetch: PrefetchStrategy, whenFull: BufferingStrategy<Failure>
  ) -> Buffer<Self> {
    Buffer(upstream: self, size: size, prefetch: prefetch, whenFull: whenFull)
  }
}
