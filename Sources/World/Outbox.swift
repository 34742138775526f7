/// The events that a transport owes its owner, together with the owner's handler.
///
/// It decides and does not act: a transport puts in what happened, and calls the handlers that come
/// out. All transports use it, so the rules of `Transport` about events are written once.
package struct Outbox {
  package typealias Handler = (TransportEvent) -> Void

  /// An event, and the handler to call with it.
  package struct Delivery {
    package var event: TransportEvent
    package var handler: Handler
  }

  private enum Phase {
    case open
    /// A failure waits; nothing may follow it.
    case failing
    /// The owner has left or has received the failure.
    case closed
  }

  /// The owner's handler; nil before it is set and after the end.
  package private(set) var handler: Handler?
  /// False holds back bytes and their end.
  package var isReceiving = true
  private var phase = Phase.open
  private var queue: ArraySlice<TransportEvent> = []
  private var isJobScheduled = false

  package init() {}

  /// True if the owner may still receive an event.
  package var isOpen: Bool { phase != .closed }

  /// True if bytes that arrive now are delivered at once.
  package var takesBytes: Bool { handler != nil && isReceiving && queue.isEmpty }

  /// Replaces the handler and returns the previous one, which is freed when no access to the outbox
  /// is open any more: freeing it may call the transport.
  @discardableResult
  package mutating func setHandler(_ new: Handler?) -> Handler? {
    let previous = handler
    handler = phase == .closed ? nil : new
    return previous
  }

  /// Ends all deliveries and returns the handler, to be freed as in `setHandler`.
  @discardableResult
  package mutating func close() -> Handler? {
    let previous = handler
    phase = .closed
    handler = nil
    queue = []
    return previous
  }
}

// Events in.
extension Outbox {
  /// Accepts an event that may be delivered now, in a job. Returns the handler to call with it, or
  /// nil if the event waits or is dropped.
  package mutating func pass(_ event: TransportEvent) -> Handler? {
    guard phase == .open else { return nil }
    guard let handler, !mustWait(event) else {
      append(event)
      return nil
    }
    if case .failed = event { close() }
    return handler
  }

  /// Accepts an event that must not be delivered now, because its cause lies inside a call.
  ///
  /// A failure takes the place of all that waits, except the news that there was a connection.
  package mutating func append(_ event: TransportEvent) {
    guard phase == .open else { return }
    if case .failed = event {
      phase = .failing
      queue.removeAll { if case .connected = $0 { false } else { true } }
    }
    queue.append(event)
  }

  private func mustWait(_ event: TransportEvent) -> Bool {
    if queue.isEmpty { return !isReceiving && !event.isUrgent }
    return !event.isUrgent || queue.contains(where: \.isUrgent)
  }
}

// Deliveries out.
extension Outbox {
  /// Returns whether a job must be scheduled that delivers what waits. True once until `jobBegan`.
  package mutating func needsJob() -> Bool { nextIndex != nil && claimsJob() }

  /// Returns whether a job must be scheduled for any reason. True once until `jobBegan`.
  package mutating func claimsJob() -> Bool {
    guard handler != nil, !isJobScheduled else { return false }
    isJobScheduled = true
    return true
  }

  package mutating func jobBegan() { isJobScheduled = false }

  /// Takes out the next event that may be delivered. Urgent events overtake those held back.
  package mutating func next() -> Delivery? {
    guard let handler, let index = nextIndex else { return nil }
    let event = index == queue.startIndex ? queue.removeFirst() : queue.remove(at: index)
    if queue.isEmpty { queue = [] }
    if case .failed = event { close() }
    return Delivery(event: event, handler: handler)
  }

  private var nextIndex: Int? {
    guard handler != nil, !queue.isEmpty else { return nil }
    return isReceiving ? queue.startIndex : queue.firstIndex(where: \.isUrgent)
  }
}

extension TransportEvent {
  /// True if an owner receives it even while it holds back bytes.
  fileprivate var isUrgent: Bool {
    switch self {
    case .received, .ended, .halfClosed: false
    case .connected, .writable, .failed: true
    }
  }
}
