/// One end of a connection over a line that cuts bytes into pieces and has faults, whatever carries
/// the bytes: the client's, or the server's if the client is another process.
///
/// Without fragments and faults all bytes pass unchanged. Bytes that leave meet the line before
/// the connection carries them; bytes that come meet it after they have arrived.
package final class FaultyTransport: Transport {
  /// Waiting bytes on the line beyond which their sender is asked to wait.
  package static let window = 1 << 20
  /// Waiting bytes on the line beyond which the connection breaks.
  package static let maximumBytesOnTheLine = 64 << 20
  /// The time between two pieces to a client of another process, in microseconds, and between
  /// those that are cut at its weak spots.
  private static let gapBetweenPieces: Int64 = 500
  private static let gapBetweenCuts: Int64 = 10_000

  package var connection: Int { inner.connection }
  package var stage: ConnectionStage { inner.stage }
  package var hasUnconfirmedBytes: Bool { inner.hasUnconfirmedBytes }
  package var hasUnreportedInput: Bool { inner.hasUnreportedInput }

  package var onEvent: ((TransportEvent) -> Void)? {
    get { outbox.handler }
    set {
      outbox.setHandler(newValue)
      watchInner()
    }
  }

  package var isReceiving: Bool {
    get { outbox.isReceiving }
    set {
      outbox.isReceiving = newValue
      holdBack()
      if newValue { pumpLater(arrivals) }
    }
  }

  private let inner: any Transport
  private let line: FaultyLine
  private let scheduler: Scheduler
  /// The side of the owner.
  private let side: Scheduler.Side
  /// True if the client stands still while its machine sleeps.
  private let sleeps: Bool
  private let onFault: (LineFault, LineDirection) -> Void
  private let departures: FaultyLane
  private let arrivals: FaultyLane
  private var outbox = Outbox()
  private var canSend = true
  /// True if a fault ended the connection, so that the other side receives no more.
  private var isBroken = false
  private var owesWritable = false
  private var innerTakesMore = true
  /// Nil in a run that nobody disturbs.
  private let disturber: ConnectionDisturber?

  package init(
    _ inner: any Transport, over line: FaultyLine, on scheduler: Scheduler, atServer: Bool = false,
    sleeps: Bool = true, inRealTime: Bool = false,
    disturbedBy disturber: ConnectionDisturber? = nil,
    onFault: @escaping (LineFault, LineDirection) -> Void
  ) {
    departures = FaultyLane(atServer ? .toClient : .toServer)
    arrivals = FaultyLane(atServer ? .toServer : .toClient)
    // In real time, a client of another process would receive pieces that leave together as one.
    let isCut = atServer && disturber?.rewriter != nil
    departures.gap =
      isCut
      ? FaultyTransport.gapBetweenCuts : inRealTime ? FaultyTransport.gapBetweenPieces : 0
    self.inner = inner
    self.line = line
    self.scheduler = scheduler
    self.sleeps = sleeps
    side = atServer ? .world : .toClient
    self.disturber = disturber
    self.onFault = onFault
  }
}

// What the owner does.
extension FaultyTransport {
  @discardableResult
  package func send(_ bytes: [UInt8]) -> Bool {
    guard canSend else { return false }
    guard !isBroken, !departures.isCut else { return true }
    if disturber == nil || !disturb(bytes, departures) {
      if line.conditions.isPlain, departures.isEmpty, !isHeld(departures) {
        return inner.send(bytes)
      }
      enter(bytes, departures)
    }
    owesWritable = owesWritable || departures.bytes > FaultyTransport.window
    return innerTakesMore && !owesWritable
  }

  package func shutDownWriting() {
    guard canSend else { return }
    canSend = false
    enter(.leaving(.shutDown), departures)
  }

  package func abort() { depart(.abort) }

  package func close() { depart(.close) }

  private func depart(_ how: FaultyLane.Leaving) {
    closeOutbox()
    if arrivals.bytes > 0 { disturber?.noteDeparture(at: scheduler.now) }
    arrivals.cut()
    enter(.leaving(how), departures)
  }

  /// Ends the connection without any event, because the run is over.
  package func invalidate() {
    isBroken = true
    closeOutbox()
    departures.cut()
    arrivals.cut()
  }

  private func closeOutbox() {
    canSend = false
    outbox.close()
    inner.onEvent = nil
  }

  /// Takes events of the connection while there is a handler for them.
  private func watchInner() {
    guard outbox.handler != nil else {
      inner.onEvent = nil
      return
    }
    if !isBroken { inner.onEvent = { [weak self] event in self?.receive(event) } }
    deliverLater()
    pumpLater(arrivals)
  }
}

// What comes from the other side.
extension FaultyTransport {
  private func receive(_ event: TransportEvent) {
    switch event {
    case .connected: isHeld(arrivals) ? enter(.arrival(event), arrivals) : notify(event)
    case .writable:
      innerTakesMore = true
      if owesWritable { return }
      isHeld(arrivals) ? enter(.arrival(event), arrivals) : notify(event)
    case .received(let bytes):
      guard let disturber else { return arrive(bytes) }
      for piece in disturber.arrived(bytes, arrivals.direction) { arrive(piece) }
    case .ended, .halfClosed:
      if let rest = disturber?.takeRest() { arrive(rest) }
      enter(.arrival(event), arrivals)
    case .failed(let failure):
      if failure == .unreachable { disturber?.noteUnreachable() }
      if isReceiving, let rest = disturber?.takeRest() { arrive(rest) }
      // A break also reaches a receiver that holds back bytes.
      if !isReceiving { arrivals.removeAll() }
      enter(.arrival(event), arrivals)
    }
  }

  private func arrive(_ bytes: [UInt8]) {
    if disturber != nil, disturb(bytes, arrivals) { return }
    if line.conditions.isPlain, arrivals.isEmpty, !arrivals.isCut, !isHeld(arrivals) {
      return notify(.received(bytes))
    }
    enter(bytes, arrivals)
    if isHeld(arrivals) { holdBack() }
  }

  private func notify(_ event: TransportEvent) {
    guard let handler = outbox.pass(event) else { return }
    deliver(event, handler)
  }

  private func deliver(_ event: TransportEvent, _ handler: Outbox.Handler) {
    if case .failed = event {
      isBroken = true
      departures.cut()
      closeOutbox()
    }
    handler(event)
  }

  private func deliverLater() {
    guard outbox.needsJob() else { return }
    scheduler.schedule(after: 0, phase: .source, of: side) { [self] in
      outbox.jobBegan()
      while let delivery = outbox.next() { deliver(delivery.event, delivery.handler) }
    }
  }

  /// Holds the sender back while the client does not read, and only then. A break loses what was
  /// not read off the connection, and a long queue on the line must lose nothing. A machine that
  /// sleeps has room for some bytes.
  private func holdBack() {
    let isFull = isHeld(arrivals) && arrivals.bytes > FaultyTransport.window
    let takes = isReceiving && !isFull
    if inner.isReceiving != takes { inner.isReceiving = takes }
  }

  /// True if a lane leads to a client whose machine sleeps.
  private func isHeld(_ lane: FaultyLane) -> Bool {
    lane.direction == .toClient && sleeps && scheduler.wakesAt != nil
  }
}

// The line.
extension FaultyTransport {
  /// Lets pieces come that stand for one, with pauses between several.
  private func enter(_ pieces: [[UInt8]], _ lane: FaultyLane) {
    if pieces.count == 1 { return enter(pieces[0], lane) }
    for (turn, piece) in pieces.enumerated() {
      lane.append(.piece(piece[...]), nil, due: scheduler.instant(after: Int64(turn) * lane.gap))
    }
    pump(lane)
  }

  /// Cuts bytes into pieces and draws the outcome of each.
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

  /// Lets through what is due: to the server all of it, to the client one piece per job.
  private func pump(_ lane: FaultyLane) {
    guard !lane.isScheduled else { return }
    while let entry = lane.next, isOpen(lane, for: entry) {
      if entry.due > scheduler.now || isHeld(lane) { break }
      lane.removeFirst()
      perform(entry, lane)
      if lane === arrivals {
        holdBack()
        break
      }
    }
    pumpLater(lane)
    if lane === departures { askForMore() }
  }

  private func isOpen(_ lane: FaultyLane, for entry: FaultyLane.Entry) -> Bool {
    guard lane === arrivals else { return true }
    return outbox.handler != nil && (isReceiving || entry.isUrgent)
  }

  private func pumpLater(_ lane: FaultyLane) {
    guard !lane.isScheduled, let entry = lane.next, isOpen(lane, for: entry) else { return }
    lane.isScheduled = true
    let side: Scheduler.Side = lane.direction == .toClient && sleeps ? .toClient : .world
    scheduler.schedule(at: entry.due, phase: .source, of: side) { [self] in
      lane.isScheduled = false
      // Pieces are finite, however many there are, so they are no endless loop.
      if case .piece? = lane.next?.passing { scheduler.discountJob() }
      pump(lane)
    }
  }

  private func perform(_ entry: FaultyLane.Entry, _ lane: FaultyLane) {
    if let fault = entry.fault { onFault(fault, lane.direction) }
    switch entry.passing {
    case .piece(let bytes) where lane === departures: innerTakesMore = inner.send(Array(bytes))
    case .piece(let bytes): notify(.received(Array(bytes)))
    case .arrival(let event): notify(event)
    case .leaving(.shutDown): inner.shutDownWriting()
    case .leaving(.close): inner.close()
    case .leaving(.abort): inner.abort()
    case .end(let fault): strike(fault, lane)
    }
  }

  private func askForMore() {
    guard owesWritable, departures.bytes <= FaultyTransport.window / 2 else { return }
    owesWritable = false
    guard innerTakesMore else { return }
    scheduler.schedule(after: 0, phase: .source, of: side) { [self] in notify(.writable) }
  }
}

// Disturbances, each at its place.
extension FaultyTransport {
  /// Carries out the disturbance of a piece. Returns whether there is one.
  private func disturb(_ bytes: [UInt8], _ lane: FaultyLane) -> Bool {
    guard !lane.isCut, !lane.isEnding, let disturber else { return false }
    let now = scheduler.now
    guard let disturbance = disturber.disturbance(of: bytes, lane.direction, at: now) else {
      guard let pieces = disturber.rewritten(bytes, lane.direction) else { return false }
      enter(pieces, lane)
      return true
    }
    switch disturbance {
    case .broken(let way, let spot):
      let passing = bytes.passing(way, spot)
      if !passing.isEmpty { lane.append(.piece(passing[...]), nil, due: now) }
      lane.append(.end(way.fault), nil, due: now)
    case .duplicate:
      lane.append(.piece(bytes[...]), nil, due: now)
      lane.append(.piece(bytes[...]), .duplicated, due: now)
    case .delay(let length):
      onFault(.delayed(length), lane.direction)
      lane.append(.piece(bytes[...]), nil, due: scheduler.instant(after: length))
    case .slow: appendSlowly(bytes, lane)
    case .suspended(let spot, let length):
      disturber.suspend(spot, for: length)
      lane.append(.piece(bytes[...]), nil, due: now)
    case .answered(let status, let pause): answer(status, pause, insteadOf: lane)
    }
    pump(lane)
    return true
  }

  /// Lets bytes come one after the other, or in real time a few at once, and the last one alone.
  private func appendSlowly(_ bytes: [UInt8], _ lane: FaultyLane) {
    let parts = bytes.parts(atMost: disturber?.isInRealTime == true ? 10 : 100)
    onFault(.delayed(slowGap * Int64(parts.count)), lane.direction)
    for (turn, part) in parts.enumerated() {
      let due = scheduler.instant(after: slowGap * Int64(turn + 1))
      lane.append(.piece(part[...]), nil, due: due)
    }
  }

  /// Sends the client an answer, and ends the connection. What it sends does not arrive any more.
  private func answer(_ status: Int, _ pause: Int64?, insteadOf lane: FaultyLane) {
    let toClient = arrivals.direction == .toClient ? arrivals : departures
    if lane !== toClient { lane.cut() }
    let bytes = answerOfDisturbance(status, retryAfter: pause)
    toClient.append(.piece(bytes[...]), nil, due: scheduler.now)
    toClient.append(.end(.dropped), nil, due: scheduler.now)
    if lane !== toClient { pumpLater(toClient) }
  }
}

// Faults that end a connection.
extension FaultyTransport {
  private func strike(_ fault: LineFault, _ lane: FaultyLane) {
    onFault(fault, lane.direction)
    lane.cut()
    switch fault {
    case .dropped:
      endInner { $0.close() }
      announce(.ended)
    case .reset: breakDown(.reset)
    case .refused, .stalled, .corrupted, .duplicated, .delayed: break
    }
  }

  private func breakDown(_ failure: TransportFailure) {
    endInner { $0.abort() }
    arrivals.removeAll()
    announce(.failed(failure))
  }

  /// Ends the connection below; the client still receives what waits for it.
  private func endInner(_ how: (any Transport) -> Void) {
    isBroken = true
    departures.cut()
    inner.onEvent = nil
    how(inner)
  }

  /// Queues an event of a fault, which never arrives from inside a call.
  private func announce(_ event: TransportEvent) {
    arrivals.append(.arrival(event), nil, due: scheduler.now)
    pumpLater(arrivals)
  }
}
