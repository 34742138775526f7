/// The client's end of a connection over a line that cuts bytes into pieces, and on which faults
/// strike, whatever carries the bytes.
///
/// Without fragments and faults all passes as it comes. What goes to the server meets the line
/// before it is handed to the connection, what comes from it after it has arrived.
package final class FaultyTransport: Transport {
  /// Bytes that wait on the line beyond which their sender is asked to wait.
  package static let window = 1 << 20
  /// Bytes that wait on the line beyond which the connection breaks.
  package static let maximumBytesOnTheLine = 64 << 20

  package var connection: Int { inner.connection }

  package var onEvent: ((TransportEvent) -> Void)? {
    didSet { follow() }
  }

  package var isReceiving = true {
    didSet {
      holdBack()
      if isReceiving { pumpLater(toClient) }
    }
  }

  private let inner: any Transport
  private let line: FaultyLine
  private let scheduler: Scheduler
  private let onFault: (LineFault, LineDirection) -> Void
  private let toServer = FaultyLane(.toServer)
  private let toClient = FaultyLane(.toClient)
  /// A fault ended the connection: the server has seen all it will see.
  private var isBroken = false
  private var owesWritable = false
  private var innerTakesMore = true

  package init(
    _ inner: any Transport, over line: FaultyLine, on scheduler: Scheduler,
    onFault: @escaping (LineFault, LineDirection) -> Void
  ) {
    self.inner = inner
    self.line = line
    self.scheduler = scheduler
    self.onFault = onFault
  }
}

// What the client does.
extension FaultyTransport {
  @discardableResult
  package func send(_ bytes: [UInt8]) -> Bool {
    guard !isBroken, !toServer.isCut else { return true }
    if line.conditions.isPlain, toServer.isEmpty { return inner.send(bytes) }
    enter(bytes, toServer)
    owesWritable = owesWritable || toServer.bytes > FaultyTransport.window
    return innerTakesMore && !owesWritable
  }

  package func shutDownWriting() { enter(.leaving(.shutDown), toServer) }

  package func abort() { leave(.abort) }

  package func close() { leave(.close) }

  private func leave(_ how: FaultyLane.Leaving) {
    onEvent = nil
    toClient.cut()
    enter(.leaving(how), toServer)
  }

  /// Events of the connection are taken while there is somebody to tell.
  private func follow() {
    guard onEvent != nil else {
      inner.onEvent = nil
      return
    }
    guard !isBroken else { return pumpLater(toClient) }
    inner.onEvent = { [weak self] event in self?.receive(event) }
    pumpLater(toClient)
  }
}

extension FaultyTransport {
  /// Lets go of everything without telling anybody: the run is over.
  package func forget() {
    isBroken = true
    onEvent = nil
    inner.onEvent = nil
    toServer.cut()
    toClient.cut()
  }
}

// What comes from the server.
extension FaultyTransport {
  private func receive(_ event: TransportEvent) {
    switch event {
    case .connected: onEvent?(event)
    case .writable:
      innerTakesMore = true
      if !owesWritable { onEvent?(event) }
    case .received(let bytes):
      if line.conditions.isPlain, toClient.isEmpty, !toClient.isCut { return tell(event) }
      enter(bytes, toClient)
    case .ended: enter(.arrival(event), toClient)
    case .failed:
      // A receiver that holds back is told of a break all the same.
      if !isReceiving { toClient.discard() }
      enter(.arrival(event), toClient)
    }
  }

  private func tell(_ event: TransportEvent) {
    let handler = onEvent
    if case .failed = event {
      isBroken = true
      toServer.cut()
      onEvent = nil
    }
    handler?(event)
  }

  /// Who sends is held back while the client does not read, and only then: what is not taken off a
  /// connection that breaks is lost, and that the line has much to carry must lose nothing.
  private func holdBack() {
    if inner.isReceiving != isReceiving { inner.isReceiving = isReceiving }
  }
}

// The line.
extension FaultyTransport {
  /// Cuts bytes into pieces and draws what becomes of each.
  private func enter(_ bytes: [UInt8], _ lane: FaultyLane) {
    var start = 0
    while start < bytes.count, !lane.isCut, !lane.isEnding {
      let size = lane.nextSize(of: line.conditions.fragments, atMost: bytes.count - start)
      enter(bytes[start..<start + size], line.outcome(ofPiece: size, lane.direction), lane)
      start += size
    }
    if lane.bytes > FaultyTransport.maximumBytesOnTheLine { return breakDown(.overfull) }
    pump(lane)
  }

  private func enter(_ piece: ArraySlice<UInt8>, _ outcome: PieceOutcome, _ lane: FaultyLane) {
    if let end = outcome.end { return lane.append(.end(end), nil, due: scheduler.now) }
    var piece = piece
    if let flip = outcome.flip { piece[piece.startIndex + flip.byte] ^= 1 << UInt8(flip.bit) }
    if outcome.delay > 0 { onFault(.delayed(outcome.delay), lane.direction) }
    let due = scheduler.instant(after: outcome.delay)
    lane.append(.piece(piece), outcome.flip == nil ? nil : .corrupted, due: due)
    if outcome.isTwice { lane.append(.piece(piece), .duplicated, due: due) }
  }

  private func enter(_ passing: FaultyLane.Passing, _ lane: FaultyLane) {
    guard !lane.isCut, !lane.isEnding, !isBroken else { return }
    lane.append(passing, nil, due: scheduler.now)
    pump(lane)
  }

  /// Lets through what is due: to the server all of it, to the client one piece a job.
  private func pump(_ lane: FaultyLane) {
    guard !lane.isScheduled else { return }
    while let entry = lane.next, isOpen(lane, for: entry) {
      if entry.due > scheduler.now { break }
      lane.removeFirst()
      perform(entry, lane)
      if lane === toClient { break }
    }
    pumpLater(lane)
    if lane === toServer { askForMore() }
  }

  private func isOpen(_ lane: FaultyLane, for entry: FaultyLane.Entry) -> Bool {
    guard lane === toClient else { return true }
    return onEvent != nil && (isReceiving || entry.isUrgent)
  }

  private func pumpLater(_ lane: FaultyLane) {
    guard !lane.isScheduled, let entry = lane.next, isOpen(lane, for: entry) else { return }
    lane.isScheduled = true
    scheduler.schedule(at: entry.due, phase: .source) { [self] in
      lane.isScheduled = false
      // Pieces come to an end by themselves, however many there are.
      if case .piece? = lane.next?.passing { scheduler.discountJob() }
      pump(lane)
    }
  }

  private func perform(_ entry: FaultyLane.Entry, _ lane: FaultyLane) {
    if let fault = entry.fault { onFault(fault, lane.direction) }
    switch entry.passing {
    case .piece(let bytes) where lane === toServer: innerTakesMore = inner.send(Array(bytes))
    case .piece(let bytes): tell(.received(Array(bytes)))
    case .arrival(let event): tell(event)
    case .leaving(.shutDown): inner.shutDownWriting()
    case .leaving(.close): inner.close()
    case .leaving(.abort): inner.abort()
    case .end(let fault): strike(fault, lane)
    }
  }

  private func askForMore() {
    guard owesWritable, toServer.bytes <= FaultyTransport.window / 2 else { return }
    owesWritable = false
    guard innerTakesMore else { return }
    scheduler.schedule(after: 0, phase: .source) { [self] in onEvent?(.writable) }
  }
}

// The ends a fault brings.
extension FaultyTransport {
  private func strike(_ fault: LineFault, _ lane: FaultyLane) {
    onFault(fault, lane.direction)
    lane.cut()
    switch fault {
    case .dropped:
      part { $0.close() }
      announce(.ended)
    case .reset: breakDown(.reset)
    case .refused, .stalled, .corrupted, .duplicated, .delayed: break
    }
  }

  private func breakDown(_ failure: TransportFailure) {
    part { $0.abort() }
    toClient.discard()
    announce(.failed(failure))
  }

  /// The server's side is over with; what the client is still to be told is its own affair.
  private func part(_ how: (any Transport) -> Void) {
    isBroken = true
    toServer.cut()
    inner.onEvent = nil
    how(inner)
  }

  /// Nothing that a fault does happens inside a call of the client.
  private func announce(_ event: TransportEvent) {
    toClient.append(.arrival(event), nil, due: scheduler.now)
    pumpLater(toClient)
  }
}

/// A connection that a fault refused before it was made.
package final class RefusedTransport: Transport {
  /// No network counts it.
  package let connection = 0
  package var onEvent: ((TransportEvent) -> Void)?
  package var isReceiving = true

  /// `later` does what it is given soon, but not at once.
  package init(_ later: (@escaping () -> Void) -> Void) {
    later { [self] in
      let told = onEvent
      onEvent = nil
      told?(.failed(.refused))
    }
  }

  @discardableResult
  package func send(_ bytes: [UInt8]) -> Bool { true }

  package func shutDownWriting() {}

  package func abort() { onEvent = nil }

  package func close() { onEvent = nil }
}
