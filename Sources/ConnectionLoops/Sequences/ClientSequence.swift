import Synchronization

/// The values that a sequence keeps until they are read.
public enum SequenceBuffer: Sendable, Equatable {
  /// Keeps all. Nothing is lost, and the memory grows with a reader that lags.
  case unbounded
  /// Keeps this many. A value for which there is no room takes the place of the oldest one.
  case newest(Int)
  /// Keeps this many. A value for which there is no room is dropped.
  case oldest(Int)
}

/// The values of a client from the moment at which the sequence was made, for one reader.
///
/// Each sequence has all values: make one for each reader. It ends when the client is terminated or
/// released, and for a reader whose task is cancelled.
public struct ClientSequence<Element: Sendable>: AsyncSequence, Sendable {
  /// A sequence never fails; the states of the client have the reasons.
  public typealias Failure = Never

  private let subscription: SequenceSubscription<Element>

  init(_ subscription: SequenceSubscription<Element>) { self.subscription = subscription }

  /// The number of values that did not fit into the buffer.
  public var droppedCount: Int { subscription.values.droppedCount }

  /// Returns the reader's iterator. Several iterators share the values.
  public func makeAsyncIterator() -> Iterator { Iterator(subscription: subscription) }

  /// The reader of a sequence. It takes all values that wait at once.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate let subscription: SequenceSubscription<Element>
    /// The values that were taken and not read, the next one last: it leaves without a copy.
    @usableFromInline var batch: [Element] = []
    /// The values after those, in pieces as they came, the next piece last.
    private var later: [[Element]] = []

    fileprivate init(subscription: SequenceSubscription<Element>) {
      self.subscription = subscription
    }

    /// Returns the next value, or nil at the end.
    @inlinable public mutating func next() async -> Element? { await next(isolation: nil) }

    /// Returns the next value, or nil at the end, without a change of the actor.
    ///
    /// The reader's own module makes its code, since a value that has come already costs little
    /// there: a stream of them is read without a call.
    @inlinable
    public mutating func next(isolation actor: isolated (any Actor)?) async -> Element? {
      if batch.isEmpty {
        guard await nextBatch(isolation: actor) else { return nil }
        batch.reverse()
      }
      return batch.popLast()
    }

    /// Takes the values that have come, or waits for some; false at the end.
    @usableFromInline
    mutating func nextBatch(isolation actor: isolated (any Actor)?) async -> Bool {
      if later.isEmpty { later = subscription.values.takeAll() }
      while later.isEmpty {
        guard await subscription.values.wait(isolation: actor) else { return false }
        later = subscription.values.takeAll()
      }
      batch = later.removeLast()
      return true
    }
  }
}

/// The place of a sequence at its source. Releasing it ends the place.
final class SequenceSubscription<Element: Sendable>: Sendable {
  let values: WaitingValues<Element>
  private let end: @Sendable () -> Void

  init(_ values: WaitingValues<Element>, end: @escaping @Sendable () -> Void) {
    self.values = values
    self.end = end
  }

  deinit { end() }
}

/// The values that wait for one reader.
final class WaitingValues<Element: Sendable>: Sendable {
  private struct State {
    /// The values of a buffer without a limit, in pieces as they came. No piece is empty.
    var pieces: [[Element]] = []
    /// The values of a buffer with a limit, from `first` on; the ones before it were dropped.
    var values: [Element] = []
    var first = 0
    var dropped = 0
    var isFinished = false
    /// True if the loop has a job that wakes the reader.
    var isWaking = false
    var reader: UnsafeContinuation<Void, Never>?

    var hasValues: Bool { !pieces.isEmpty || first < values.count }

    mutating func takeReader() -> UnsafeContinuation<Void, Never>? {
      defer { reader = nil }
      return reader
    }

    /// Keeps what came at once as it is, since a copy of each value would cost more than reading
    /// it. Few values join those before them.
    mutating func add(_ values: [Element]) {
      if let last = pieces.last?.count, last + values.count <= State.longestJoinedPiece {
        pieces[pieces.count - 1].append(contentsOf: values)
      } else if !values.isEmpty {
        pieces.append(values)
      }
    }

    private static var longestJoinedPiece: Int { 64 }
  }

  private let state = Mutex(State())
  private let buffer: SequenceBuffer
  private let loop: (any ClientLoop)?

  init(_ buffer: SequenceBuffer, on loop: (any ClientLoop)? = nil) {
    self.buffer = buffer
    self.loop = loop
  }

  var droppedCount: Int { state.withLock { $0.dropped } }

  func put(_ values: [Element]) {
    let mustWake = state.withLock { state in
      guard !state.isFinished else { return false }
      if buffer == .unbounded {
        state.add(values)
      } else {
        for value in values { append(value, to: &state) }
      }
      guard state.reader != nil, !state.isWaking else { return false }
      state.isWaking = true
      return true
    }
    guard mustWake else { return }
    if let loop { loop.perform { [self] in wake() } } else { wake() }
  }

  private func wake() {
    let reader = state.withLock { state in
      state.isWaking = false
      return state.takeReader()
    }
    reader?.resume()
  }

  private func append(_ value: Element, to state: inout State) {
    let count = state.values.count - state.first
    switch buffer {
    case .unbounded: break
    case .oldest(let limit):
      if count >= max(limit, 0) {
        state.dropped += 1
        return
      }
    case .newest(let limit):
      guard limit > 0 else {
        state.dropped += 1
        return
      }
      if count >= limit {
        state.dropped += 1
        state.first += 1
        if state.first >= limit {
          state.values.removeFirst(state.first)
          state.first = 0
        }
      }
    }
    state.values.append(value)
  }

  func finish() {
    let reader = state.withLock { state in
      state.isFinished = true
      return state.takeReader()
    }
    reader?.resume()
  }

  /// Returns all values in pieces, the first piece last.
  func takeAll() -> [[Element]] {
    state.withLock { state in
      defer { (state.pieces, state.values, state.first) = ([], [], 0) }
      if state.first < state.values.count {
        state.pieces.append(Array(state.values[state.first...]))
      }
      state.pieces.reverse()
      return state.pieces
    }
  }

  /// Waits for values; false if there are none at the end, or if the task is cancelled.
  func wait(isolation: isolated (any Actor)?) async -> Bool {
    let counter = ClientWaits.counter
    counter?.waitBegan()
    defer { counter?.waitEnded() }
    await withTaskCancellationHandler {
      await withUnsafeContinuation(isolation: isolation) { continuation in
        let goesOn = state.withLock { state in
          if state.hasValues || state.isFinished || Task.isCancelled { return true }
          state.reader?.resume()
          state.reader = continuation
          return false
        }
        if goesOn { continuation.resume() }
      }
    } onCancel: {
      state.withLock { $0.takeReader() }?.resume()
    }
    return !Task.isCancelled && state.withLock { $0.hasValues || !$0.isFinished }
  }
}
