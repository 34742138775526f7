import World

/// A connection that takes longer than the one it goes over: each way as long as is set.
package final class DelayedTransport: Transport {
  package var connection: Int { inner.connection }
  /// Microseconds from sending to arriving, besides what the way takes itself.
  package var latency: Int64

  package var onEvent: ((TransportEvent) -> Void)? {
    didSet { if onEvent != nil { deliverLater() } }
  }

  package var isReceiving = true {
    didSet {
      inner.isReceiving = isReceiving
      if isReceiving, !oldValue { deliverLater() }
    }
  }

  private let inner: any Transport
  private let scheduler: Scheduler
  /// Nothing overtakes what was sent before it, even when latency shrinks.
  private var lastDeparture: Int64 = 0
  private var lastArrival: Int64 = 0
  private var onTheWay = 0
  private var arriving = 0
  private var held = 0
  private var owesWritable = false
  private var hasLeft = false
  private var inbox: [TransportEvent] = []

  package init(_ inner: any Transport, scheduler: Scheduler, latency: Int64) {
    self.inner = inner
    self.scheduler = scheduler
    self.latency = latency
    inner.onEvent = { [weak self] event in self?.carry(event) }
  }

  @discardableResult
  package func send(_ bytes: [UInt8]) -> Bool {
    guard !hasLeft else { return false }
    if isDirect { return inner.send(bytes) }
    held += bytes.count
    owesWritable = owesWritable || held > MemoryPipe.window
    depart { [self] in
      held -= bytes.count
      let mayGoOn = inner.send(bytes)
      guard mayGoOn, owesWritable, held <= MemoryPipe.window / 2 else { return }
      owesWritable = false
      onEvent?(.writable)
    }
    return !owesWritable
  }

  package func shutDownWriting() {
    depart { [inner] in inner.shutDownWriting() }
  }

  package func abort() {
    leave()
    depart { [inner] in inner.abort() }
  }

  package func close() {
    leave()
    depart { [inner] in inner.close() }
  }

  func forget() {
    leave()
    inner.onEvent = nil
  }

  private func leave() {
    hasLeft = true
    onEvent = nil
    inbox = []
  }

  private var isDirect: Bool { latency == 0 && onTheWay == 0 }

  private func depart(_ act: @escaping () -> Void) {
    if isDirect { return act() }
    lastDeparture = max(lastDeparture, scheduler.instant(after: latency))
    onTheWay += 1
    scheduler.schedule(at: lastDeparture, phase: .source) { [self] in
      onTheWay -= 1
      act()
    }
  }
}

// What arrives.
extension DelayedTransport {
  private func carry(_ event: TransportEvent) {
    switch event {
    case .connected, .writable, .failed: arrive(event)
    case .received, .ended:
      guard latency > 0 || arriving > 0 else { return arrive(event) }
      lastArrival = max(lastArrival, scheduler.instant(after: latency))
      arriving += 1
      scheduler.schedule(at: lastArrival, phase: .source) { [self] in
        arriving -= 1
        arrive(event)
      }
    }
  }

  private func arrive(_ event: TransportEvent) {
    guard !hasLeft else { return }
    switch event {
    case .failed:
      guard let handler = onEvent else {
        inbox = [event]
        return
      }
      leave()
      handler(event)
    case .connected, .writable, .received, .ended:
      guard let handler = onEvent, isReceiving, inbox.isEmpty else { return inbox.append(event) }
      handler(event)
    }
  }

  private func deliverLater() {
    guard !inbox.isEmpty else { return }
    scheduler.schedule(after: 0, phase: .source) { [weak self] in self?.deliver() }
  }

  private func deliver() {
    while isReceiving, onEvent != nil, !inbox.isEmpty {
      let event = inbox.removeFirst()
      if case .failed = event { return arrive(event) }
      onEvent?(event)
    }
  }
}
