import World

/// A connection over another one that adds latency to each direction.
package final class DelayedTransport: Transport {
  package var connection: Int { inner.connection }
  package var stage: ConnectionStage { inner.stage }
  package var hasUnconfirmedBytes: Bool { inner.hasUnconfirmedBytes }
  package var hasUnreportedInput: Bool { inner.hasUnreportedInput }
  /// Microseconds from sending to arriving, besides what the inner connection takes.
  package var latency: Int64

  package var onEvent: ((TransportEvent) -> Void)? {
    get { outbox.handler }
    set {
      outbox.setHandler(newValue)
      holdBack()
      deliverLater()
    }
  }

  package var isReceiving: Bool {
    get { outbox.isReceiving }
    set {
      outbox.isReceiving = newValue
      holdBack()
      deliverLater()
    }
  }

  private let inner: any Transport
  private let scheduler: Scheduler
  private var outbox = Outbox()
  private var departures = Lane()
  private var arrivals = Lane()
  /// Bytes that were accepted and have not departed.
  private var held = 0
  private var canSend = true
  private var owesWritable = false
  private var innerTakesMore = true
  /// True if bytes on their way to this end are lost.
  private var isCut = false

  /// One direction: how much is on its way, and when the last of it is due.
  private struct Lane {
    var count = 0
    /// Keeps later things behind earlier ones, even when latency shrinks.
    var lastDue: Int64 = 0

    mutating func enter(due: Int64) -> Int64 {
      count += 1
      lastDue = max(lastDue, due)
      return lastDue
    }
  }

  package init(_ inner: any Transport, scheduler: Scheduler, latency: Int64) {
    self.inner = inner
    self.scheduler = scheduler
    self.latency = latency
    inner.isReceiving = false
    inner.onEvent = { [weak self] event in self?.carry(event) }
  }
}

// What the owner does.
extension DelayedTransport {
  @discardableResult
  package func send(_ bytes: [UInt8]) -> Bool {
    guard canSend, outbox.isOpen else { return false }
    if isDirect { return sendNow(bytes) }
    guard held + bytes.count <= MemoryPipe.maximumBytesOnTheWay else {
      breakDown(.overfull)
      return false
    }
    held += bytes.count
    owesWritable = owesWritable || held > MemoryPipe.window
    depart { [self] in
      held -= bytes.count
      innerTakesMore = inner.send(bytes)
      askForMore()
    }
    return !owesWritable
  }

  package func shutDownWriting() {
    guard canSend else { return }
    canSend = false
    depart { [inner] in inner.shutDownWriting() }
  }

  package func abort() {
    closeOutbox()
    depart { [inner] in inner.abort() }
  }

  package func close() {
    closeOutbox()
    depart { [inner] in inner.close() }
  }

  /// Ends the connection without any event, because the run is over.
  func invalidate() {
    closeOutbox()
    inner.onEvent = nil
  }

  /// Loses what is on its way here.
  func cutArrivals() { isCut = true }

  private func closeOutbox() {
    canSend = false
    outbox.close()
  }

  private func sendNow(_ bytes: [UInt8]) -> Bool {
    innerTakesMore = inner.send(bytes)
    owesWritable = owesWritable || !innerTakesMore
    return !owesWritable
  }

  private var isDirect: Bool { latency == 0 && departures.count == 0 }

  private func depart(_ act: @escaping () -> Void) {
    if isDirect { return act() }
    let due = departures.enter(due: scheduler.instant(after: latency))
    scheduler.schedule(at: due, phase: .source) { [self] in
      departures.count -= 1
      act()
    }
  }

  private func askForMore() {
    guard owesWritable, innerTakesMore, held <= MemoryPipe.window / 2 else { return }
    owesWritable = false
    notify(.writable)
  }

  private func breakDown(_ failure: TransportFailure) {
    canSend = false
    inner.onEvent = nil
    inner.abort()
    outbox.append(.failed(failure))
    deliverLater()
  }

  /// Holds the sender back while nobody here receives.
  private func holdBack() {
    let isWanted = outbox.handler != nil && outbox.isReceiving
    if inner.isReceiving != isWanted { inner.isReceiving = isWanted }
  }
}

// What arrives.
extension DelayedTransport {
  private func carry(_ event: TransportEvent) {
    guard outbox.isOpen else { return }
    switch event {
    case .connected: notify(event)
    case .writable:
      innerTakesMore = true
      askForMore()
    case .received, .ended, .halfClosed: if !isCut { arrive(event, after: latency) }
    case .failed: isCut ? notify(event) : arrive(event, after: 0)
    }
  }

  private func arrive(_ event: TransportEvent, after latency: Int64) {
    guard latency > 0 || arrivals.count > 0 else { return notify(event) }
    let due = arrivals.enter(due: scheduler.instant(after: latency))
    scheduler.schedule(at: due, phase: .source) { [self] in
      arrivals.count -= 1
      notify(event)
    }
  }

  private func notify(_ event: TransportEvent) { outbox.pass(event)?(event) }

  private func deliverLater() {
    guard outbox.needsJob() else { return }
    scheduler.schedule(after: 0, phase: .source) { [weak self] in self?.deliverWaiting() }
  }

  private func deliverWaiting() {
    outbox.jobBegan()
    while let delivery = outbox.next() { delivery.handler(delivery.event) }
  }
}
