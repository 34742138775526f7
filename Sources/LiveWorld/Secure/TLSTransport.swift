import World

/// A secure connection over any other.
///
/// It is connected when both sides have agreed on keys; what is sent before waits. The end of what
/// is received is one only where the other side said so.
final class TLSTransport: Transport {
  var connection: Int { inner.connection }

  var onEvent: ((TransportEvent) -> Void)? {
    didSet { if onEvent != nil { goOnLater() } }
  }

  var isReceiving = true {
    didSet {
      inner.isReceiving = isReceiving
      if isReceiving, !oldValue { goOnLater() }
    }
  }

  private let inner: any Transport
  private let scheduler: Scheduler
  private let session: TLSSession?
  private let isClient: Bool
  /// Sent before keys were agreed on.
  private var early: [[UInt8]] = []
  private var earlyCount = 0
  private var canSend = true
  private var wantsShutdown = false
  private var isLeaving = false
  private var isOver = false
  private var sawEnd = false
  /// The way the bytes come by has ended.
  private var innerEnded = false
  private var news: [TransportEvent] = []
  private var isAwake = false
  /// Runs until keys are agreed on.
  private var handshakeTimer: Scheduler.TimerID?

  init(
    _ inner: any Transport, scheduler: Scheduler, session: Result<TLSSession, TransportFailure>
  ) {
    self.inner = inner
    self.scheduler = scheduler
    switch session {
    case .success(let session):
      self.session = session
      isClient = session.isClient
    case .failure(let failure):
      self.session = nil
      isClient = true
      isOver = true
      news = [.failed(failure)]
      inner.abort()
      return
    }
    inner.onEvent = { [self] event in take(event) }
  }

  @discardableResult
  func send(_ bytes: [UInt8]) -> Bool {
    guard canSend, !isOver, let session else { return false }
    guard session.isEstablished else {
      early.append(bytes)
      earlyCount += bytes.count
      guard earlyCount <= MemoryPipe.maximumBytesOnTheWay else {
        fail(.overfull)
        return false
      }
      return earlyCount <= MemoryPipe.window
    }
    if let failure = session.write(bytes) { fail(failure) }
    return inner.send(session.takeOutgoing())
  }

  func shutDownWriting() {
    guard canSend, !isOver else { return }
    canSend = false
    wantsShutdown = true
    sayGoodbye()
  }

  func abort() {
    leave()
    end { $0.abort() }
  }

  func close() {
    guard !isLeaving, !isOver else { return }
    leave()
    isLeaving = true
    wantsShutdown = true
    sayGoodbye()
  }

  private func leave() {
    canSend = false
    onEvent = nil
    news = []
  }

  /// A connection that is left before there are keys still owes what was sent on it.
  private func sayGoodbye() {
    guard wantsShutdown, let session else { return }
    guard session.isEstablished else { return }
    session.sayGoodbye()
    inner.send(session.takeOutgoing())
    if isLeaving { end { $0.close() } } else { inner.shutDownWriting() }
  }

  func expectKeys(within limit: Int64) {
    guard !isOver else { return }
    handshakeTimer = scheduler.schedule(after: limit, phase: .source) { [weak self] in
      self?.handshakeTimer = nil
      self?.fail(.notSecure("the other side did not agree on keys in time"))
    }
  }

  private func stopHandshakeTimer() {
    if let handshakeTimer { scheduler.cancel(handshakeTimer) }
    handshakeTimer = nil
  }

  private func end(_ how: (any Transport) -> Void) {
    isOver = true
    stopHandshakeTimer()
    early = []
    // The circle of this connection and the one below is opened.
    inner.onEvent = nil
    how(inner)
  }
}

// What happens below.
extension TLSTransport {
  private func take(_ event: TransportEvent) {
    guard !isOver, let session else { return }
    switch event {
    case .connected: goOn()
    case .received(let bytes):
      session.receive(bytes)
      goOn()
    case .ended:
      innerEnded = true
      goOn()
    case .writable: if session.isEstablished { tell(.writable) }
    case .failed(let failure): fail(failure)
    }
  }

  private func goOn() {
    guard !isOver, let session else { return tellNews() }
    if !session.isEstablished { shakeHands(session) }
    if !isOver, session.isEstablished { read(session) }
    if !isOver, innerEnded, !sawEnd, isReceiving { endWithoutGoodbye(session) }
  }

  private func shakeHands(_ session: TLSSession) {
    let failure = session.shakeHands()
    let answer = session.takeOutgoing()
    if !answer.isEmpty { inner.send(answer) }
    if let failure { return fail(failure) }
    guard session.isEstablished else { return }
    stopHandshakeTimer()
    for bytes in early where !isOver {
      if let failure = session.write(bytes) { fail(failure) }
    }
    let owed = earlyCount > MemoryPipe.window
    early = []
    earlyCount = 0
    if !isOver, inner.send(session.takeOutgoing()), owed { news.append(.writable) }
    if isClient { news.insert(.connected, at: 0) }
    tellNews()
    sayGoodbye()
  }

  private func read(_ session: TLSSession) {
    while !isOver, !sawEnd, isLeaving || (isReceiving && onEvent != nil) {
      switch session.read() {
      case .bytes(let bytes): onEvent?(.received(bytes))
      case .nothing: return answer(session)
      case .ended:
        sawEnd = true
        answer(session)
        onEvent?(.ended)
      case .failed(let failure): fail(failure)
      }
    }
  }

  /// Reading may have made something to be said, such as a new key.
  private func answer(_ session: TLSSession) {
    let answer = session.takeOutgoing()
    if !answer.isEmpty { inner.send(answer) }
  }

  private func endWithoutGoodbye(_ session: TLSSession) {
    fail(
      session.isEstablished
        ? .truncated : .notSecure("the other side left before keys were agreed on"))
  }

  private func fail(_ failure: TransportFailure) {
    guard !isOver else { return }
    let isBroken = if case .reset = failure { true } else { false }
    // An alert that tells the other side why is still sent.
    end { isBroken ? $0.abort() : $0.close() }
    canSend = false
    tell(.failed(failure))
  }

  private func tell(_ event: TransportEvent) {
    news.append(event)
    goOnLater()
  }

  private func tellNews() {
    while onEvent != nil, !news.isEmpty {
      let event = news.removeFirst()
      let handler = onEvent
      if case .failed = event { leave() }
      handler?(event)
    }
  }

  /// Nothing is told from inside a call.
  private func goOnLater() {
    guard !isAwake else { return }
    isAwake = true
    scheduler.schedule(after: 0, phase: .source) { [self] in
      isAwake = false
      tellNews()
      goOn()
    }
  }
}
