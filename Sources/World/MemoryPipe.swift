/// A connection in memory: two ends, and a lane for bytes in each direction.
///
/// Everything travels as jobs of the scheduler, so that bytes sent at zero latency arrive in the
/// same instant, but later, and always in the order in which they were sent.
package final class MemoryPipe {
  /// Bytes on the way, or arrived and not taken, beyond which `send` asks to wait.
  package static let window = 1 << 20
  /// Bytes on the way, or arrived and not taken, beyond which the connection breaks.
  package static let maximumBytesOnTheWay = 64 << 20

  package let client: End
  package let server: End
  /// The name that the client connected to.
  let name: String

  package init(
    on scheduler: Scheduler, connection: Int = 1, toServer: LinkConditions = LinkConditions(),
    toClient: LinkConditions = LinkConditions(), name: String = ""
  ) {
    self.name = name
    client = End(scheduler, connection, outgoing: toServer)
    server = End(scheduler, connection, outgoing: toClient)
    client.peer = server
    server.peer = client
  }

  /// True if nothing can travel any more.
  var isOver: Bool { client.peer == nil }
}

/// The way in which one direction of a connection carries bytes.
package struct LinkConditions: Sendable, Equatable {
  /// Microseconds from sending to arriving.
  package var latency: Int64
  /// Sizes of the pieces in which sent bytes arrive, used in turn. None leaves the bytes together.
  package var fragments: [Int]

  package init(latency: Int64 = 0, fragments: [Int] = []) {
    self.latency = latency
    self.fragments = fragments.filter { $0 > 0 }
  }
}

extension MemoryPipe {
  /// One end of a connection in memory.
  package final class End: Transport {
    package let connection: Int
    /// The conditions for what this end sends; a change holds for what is sent from then on.
    package var outgoing: LinkConditions

    package var onEvent: ((TransportEvent) -> Void)? {
      get { outbox.handler }
      set {
        outbox.setHandler(newValue)
        deliverLater()
      }
    }

    /// Where what is sent from here stands among the jobs of the instant at which it arrives.
    package var phase = Scheduler.Phase.source

    package var isReceiving: Bool {
      get { outbox.isReceiving }
      set {
        outbox.isReceiving = newValue
        deliverLater()
      }
    }

    var hasBytesOnTheWay: Bool { bytesOnTheWay > 0 }

    /// Bytes for an end that has left are lost on their way.
    package var hasUnconfirmedBytes: Bool {
      bytesOnTheWay > 0 && !(peer?.outbox.isOpen ?? false)
    }

    private let scheduler: Scheduler
    /// Cut when the connection is over, so that the two ends free each other.
    fileprivate var peer: End?
    private var canSend = true
    private var outbox = Outbox()
    private var bytesOnTheWay = 0
    private var owesWritable = false
    private var nextFragment = 0
    /// Keeps later bytes behind earlier ones, even when latency shrinks.
    private var lastArrival: Int64 = 0

    fileprivate init(_ scheduler: Scheduler, _ connection: Int, outgoing: LinkConditions) {
      self.scheduler = scheduler
      self.connection = connection
      self.outgoing = outgoing
    }
  }
}

// What the owner of an end does.
extension MemoryPipe.End {
  @discardableResult
  package func send(_ bytes: [UInt8]) -> Bool {
    guard canSend, let peer else { return false }
    guard !bytes.isEmpty else { return !owesWritable }
    guard bytesOnTheWay + bytes.count <= MemoryPipe.maximumBytesOnTheWay else {
      breakDown(.overfull)
      return false
    }
    bytesOnTheWay += bytes.count
    if outgoing.fragments.isEmpty {
      carry(.received(bytes), to: peer)
    } else {
      carryInPieces(bytes, to: peer)
    }
    owesWritable = owesWritable || bytesOnTheWay > MemoryPipe.window
    return !owesWritable
  }

  package func shutDownWriting() {
    guard canSend, let peer else { return }
    canSend = false
    carry(.ended, to: peer)
  }

  package func abort() {
    guard outbox.isOpen else { return }
    closeOutbox()
    guard let peer else { return }
    carry(.failed(.reset), to: peer)
  }

  package func close() {
    guard outbox.isOpen else { return }
    shutDownWriting()
    closeOutbox()
  }

  /// Ends the connection without any event, and parts the two ends.
  func invalidate() {
    closeOutbox()
    part()
  }

  private func closeOutbox() {
    canSend = false
    outbox.close()
  }
}

// How bytes and endings travel.
extension MemoryPipe.End {
  /// Queues an event for the owner of this end, as a later job of this instant.
  func announce(_ event: TransportEvent) {
    scheduler.schedule(after: 0, phase: .source) { self.arrive(event) }
  }

  /// Shows the other side that no connection was made, for this reason.
  package func refuseConnection(_ failure: TransportFailure) {
    peer?.announce(.failed(failure))
    closeOutbox()
  }

  /// Makes everything that is sent from here arrive no earlier than a point in time.
  func holdArrivals(until instant: Int64) {
    lastArrival = max(lastArrival, instant)
  }

  private func carry(_ event: TransportEvent, to peer: MemoryPipe.End) {
    lastArrival = max(lastArrival, scheduler.instant(after: outgoing.latency))
    scheduler.schedule(at: lastArrival, phase: phase) { peer.arrive(event) }
  }

  private func carryInPieces(_ bytes: [UInt8], to peer: MemoryPipe.End) {
    var start = 0
    while start < bytes.count {
      let size = outgoing.fragments[nextFragment % outgoing.fragments.count]
      let end = start + min(size, bytes.count - start)
      nextFragment = (nextFragment + 1) % outgoing.fragments.count
      carry(.received(Array(bytes[start..<end])), to: peer)
      start = end
    }
  }

  private func arrive(_ event: TransportEvent) {
    guard outbox.isOpen else { return refuse(event) }
    if let handler = outbox.pass(event) { deliver(event, handler) }
  }

  /// Answers bytes for an end that has left as a kernel would: with a reset.
  private func refuse(_ event: TransportEvent) {
    guard let peer else { return }
    switch event {
    case .received: carry(.failed(.reset), to: peer)
    case .ended, .halfClosed, .failed: part()
    case .connected, .writable: break
    }
  }

  private func deliver(_ event: TransportEvent, _ handler: Outbox.Handler) {
    switch event {
    case .received(let bytes): peer?.wasTaken(bytes.count)
    case .failed: invalidate()
    case .connected, .ended, .halfClosed, .writable: break
    }
    handler(event)
  }

  private func wasTaken(_ count: Int) {
    bytesOnTheWay -= min(count, bytesOnTheWay)
    guard owesWritable, canSend, bytesOnTheWay <= MemoryPipe.window / 2 else { return }
    owesWritable = false
    announce(.writable)
  }

  private func deliverLater() {
    guard outbox.needsJob() else { return }
    scheduler.schedule(after: 0, phase: .source) { self.deliverWaiting() }
  }

  private func deliverWaiting() {
    outbox.jobBegan()
    while let delivery = outbox.next() { deliver(delivery.event, delivery.handler) }
  }

  /// Ends the connection for both sides at once, for a reason that both receive.
  private func breakDown(_ failure: TransportFailure) {
    canSend = false
    announce(.failed(failure))
    if let peer { carry(.failed(failure), to: peer) }
  }

  private func part() {
    peer?.peer = nil
    peer = nil
  }
}
