import World

/// A secure connection over any other.
///
/// It is connected when both sides have agreed on keys; what is sent before waits. The end of what
/// the other side sends counts only if the other side said goodbye.
final class TLSTransport: Transport {
  var connection: Int { inner.connection }
  var hasUnconfirmedBytes: Bool { inner.hasUnconfirmedBytes }
  var hasUnreportedInput: Bool { inner.hasUnreportedInput }

  var stage: ConnectionStage {
    inner.stage == .open && phase.isHandshake ? .securing : inner.stage
  }

  var onEvent: ((TransportEvent) -> Void)? {
    get { outbox.handler }
    set {
      outbox.setHandler(newValue)
      holdBack()
      proceedLater()
    }
  }

  var isReceiving: Bool {
    get { outbox.isReceiving }
    set {
      let wasReceiving = outbox.isReceiving
      outbox.isReceiving = newValue
      holdBack()
      if newValue, !wasReceiving { proceedLater() }
    }
  }

  private let inner: any Transport
  private let scheduler: Scheduler
  private let session: TLSSession?
  private var phase = TLSPhase.handshake(EarlyCalls())
  private var outbox = Outbox()
  /// Runs until both sides have agreed on keys.
  private var handshakeTimer: Scheduler.TimerID?

  init(
    _ inner: any Transport, scheduler: Scheduler, session: Result<TLSSession, TransportFailure>
  ) {
    self.inner = inner
    self.scheduler = scheduler
    switch session {
    case .success(let session):
      self.session = session
      inner.onEvent = { [self] event in receive(event) }
    case .failure(let failure):
      self.session = nil
      phase = .closed
      outbox.append(.failed(failure))
      inner.abort()
    }
  }

  /// Fails the connection if both sides have not agreed on keys in time, in microseconds.
  func limitHandshake(to limit: Int64) {
    guard phase.isHandshake else { return }
    handshakeTimer = scheduler.schedule(after: limit, phase: .source) { [weak self] in
      self?.handshakeTimer = nil
      self?.fail(.notSecure("the other side did not agree on keys in time"))
    }
  }
}

// What the owner does.
extension TLSTransport {
  @discardableResult
  func send(_ bytes: [UInt8]) -> Bool {
    guard let session else { return false }
    switch phase.send(bytes) {
    case .refused, .early(.refused): return false
    case .early(.accepted): return true
    case .early(.mustWait): return false
    case .early(.overfull):
      fail(.overfull)
      return false
    case .write:
      if let failure = session.write(bytes) {
        fail(failure)
        return false
      }
      return inner.send(session.takeOutgoing())
    }
  }

  func shutDownWriting() {
    guard phase.shutDownWriting() else { return }
    sayGoodbye()
    inner.shutDownWriting()
  }

  func abort() {
    outbox.close()
    if !phase.isClosed { endInner { $0.abort() } }
  }

  /// A connection that is closed before there are keys still owes what was sent on it.
  func close() {
    outbox.close()
    switch phase.close() {
    case .nothing: break
    case .later: holdBack()
    case .now(let saysGoodbye):
      if saysGoodbye { sayGoodbye() }
      endInner { $0.close() }
    }
  }

  private func sayGoodbye() {
    guard let session else { return }
    session.sayGoodbye()
    inner.send(session.takeOutgoing())
  }

  private func endInner(_ how: (any Transport) -> Void) {
    phase = .closed
    stopHandshakeTimer()
    // Opens the cycle of this connection and the one below.
    inner.onEvent = nil
    how(inner)
  }

  private func stopHandshakeTimer() {
    if let handshakeTimer { scheduler.cancel(handshakeTimer) }
    handshakeTimer = nil
  }

  /// Holds the other side back while nobody here receives. Keys are agreed on all the same.
  private func holdBack() {
    guard !phase.isClosed else { return }
    let isWanted = phase.isHandshake || (outbox.handler != nil && outbox.isReceiving)
    if inner.isReceiving != isWanted { inner.isReceiving = isWanted }
  }
}

// What happens below.
extension TLSTransport {
  private func receive(_ event: TransportEvent) {
    guard !phase.isClosed, let session else { return }
    switch event {
    case .connected: proceed()
    case .received(let bytes):
      session.receive(bytes)
      proceed()
    // Without a goodbye, somebody else may have ended the connection.
    case .ended, .halfClosed:
      if phase.innerEnded() {
        fail(.leftHandshake)
      } else {
        proceed()
      }
    case .writable: if !phase.isHandshake { notify(.writable) }
    // A reset and an orderly end mean the same here. Which of them comes is a matter of chance.
    case .failed(.reset) where phase.isHandshake: fail(.leftHandshake)
    case .failed(let failure): fail(failure)
    }
  }

  /// Goes on as far as the bytes that have arrived allow.
  private func proceed() {
    guard let session else { return }
    if phase.isHandshake { shakeHands(session) }
    if phase.canRead { read(session) }
    if phase.isCutShort, outbox.takesBytes { fail(.truncated) }
  }

  private func shakeHands(_ session: TLSSession) {
    let failure = session.shakeHands()
    let answer = session.takeOutgoing()
    if !answer.isEmpty { inner.send(answer) }
    if let failure { return fail(failure) }
    guard session.isEstablished, let calls = phase.established() else { return }
    stopHandshakeTimer()
    open(session, calls)
  }

  /// Does what the owner did before there were keys.
  private func open(_ session: TLSSession, _ calls: EarlyCalls) {
    for bytes in calls.pieces {
      if let failure = session.write(bytes) { return fail(failure) }
    }
    let hasRoom = inner.send(session.takeOutgoing())
    if session.isClient { notify(.connected) }
    if calls.owesWritable, hasRoom { notify(.writable) }
    switch calls.ending {
    case .none: break
    case .shutDown: shutDownWriting()
    case .close: close()
    }
    holdBack()
  }

  private func read(_ session: TLSSession) {
    while phase.canRead, outbox.takesBytes {
      switch session.read() {
      case .bytes(let bytes): notify(.received(bytes))
      case .nothing: return answer(session)
      case .ended:
        phase.receivedGoodbye()
        answer(session)
        notify(.ended)
      case .failed(let failure): fail(failure)
      }
    }
  }

  /// Sends what reading made necessary, such as a new key.
  private func answer(_ session: TLSSession) {
    let answer = session.takeOutgoing()
    if !answer.isEmpty { inner.send(answer) }
  }

  private func fail(_ failure: TransportFailure) {
    guard !phase.isClosed else { return }
    let isBroken = if case .reset = failure { true } else { false }
    // An alert with the reason still reaches the other side.
    endInner { isBroken ? $0.abort() : $0.close() }
    outbox.append(.failed(failure))
    proceedLater()
  }

  private func notify(_ event: TransportEvent) { outbox.pass(event)?(event) }

  /// Delivers what waits, and goes on reading, in a later job.
  private func proceedLater() {
    guard outbox.claimsJob() else { return }
    scheduler.schedule(after: 0, phase: .source) { [self] in
      outbox.jobBegan()
      while let delivery = outbox.next() { delivery.handler(delivery.event) }
      proceed()
    }
  }
}

extension TransportFailure {
  fileprivate static let leftHandshake = TransportFailure.notSecure(
    "the other side left before keys were agreed on")
}
