import World

/// The request that makes a proxy connect to a target and pass all bytes from then on.
package struct TunnelRequest: Sendable, Equatable {
  /// `host:port`.
  package var target: String
  /// The value of the header `Proxy-Authorization`.
  package var authorization: String?

  package init(to target: String, authorization: String? = nil) {
    self.target = target
    self.authorization = authorization
  }

  fileprivate var bytes: [UInt8] {
    var text = "CONNECT \(target) HTTP/1.1\r\nHost: \(target)\r\n"
    if let authorization { text += "Proxy-Authorization: \(authorization)\r\n" }
    return Array((text + "\r\n").utf8)
  }
}

/// A connection through a proxy. It is connected when the proxy is connected to the other side.
final class TunnelTransport: Transport {
  var connection: Int { inner.connection }
  var hasUnconfirmedBytes: Bool { inner.hasUnconfirmedBytes }
  var hasUnreportedInput: Bool { inner.hasUnreportedInput }

  var stage: ConnectionStage {
    guard case .asking = phase, inner.stage == .open else { return inner.stage }
    return .askingProxy
  }

  var onEvent: ((TransportEvent) -> Void)? {
    get { outbox.handler }
    set {
      outbox.setHandler(newValue)
      holdBack()
      deliverLater()
    }
  }

  var isReceiving: Bool {
    get { outbox.isReceiving }
    set {
      outbox.isReceiving = newValue
      holdBack()
      deliverLater()
    }
  }

  private enum Phase {
    /// The proxy has not answered completely.
    case asking(ProxyAnswer, EarlyCalls)
    case open
    case closed
  }

  private let inner: any Transport
  private let request: TunnelRequest
  private let scheduler: Scheduler
  private var outbox = Outbox()
  private var phase = Phase.asking(ProxyAnswer(), EarlyCalls())

  init(_ inner: any Transport, _ request: TunnelRequest, scheduler: Scheduler) {
    self.inner = inner
    self.request = request
    self.scheduler = scheduler
    inner.onEvent = { [weak self] event in self?.receive(event) }
  }
}

// What the owner does.
extension TunnelTransport {
  @discardableResult
  func send(_ bytes: [UInt8]) -> Bool {
    switch phase {
    case .asking(let answer, var calls):
      // The phase lets go of the bytes, so that appending does not copy them.
      phase = .closed
      let sent = calls.send(bytes)
      phase = .asking(answer, calls)
      if sent == .overfull { breakDown(.overfull) }
      return sent == .accepted
    case .open: return inner.send(bytes)
    case .closed: return false
    }
  }

  func shutDownWriting() {
    switch phase {
    case .asking(let answer, var calls):
      calls.shutDownWriting()
      phase = .asking(answer, calls)
    case .open: inner.shutDownWriting()
    case .closed: break
    }
  }

  func abort() {
    outbox.close()
    endInner { $0.abort() }
  }

  func close() {
    outbox.close()
    switch phase {
    case .asking(let answer, var calls):
      guard !calls.pieces.isEmpty else { return endInner { $0.abort() } }
      guard calls.close() else { return }
      phase = .asking(answer, calls)
      // What was sent is still owed, even when nobody holds this end any more.
      inner.onEvent = { [self] event in receive(event) }
      holdBack()
    case .open: endInner { $0.close() }
    case .closed: break
    }
  }

  private func endInner(_ how: (any Transport) -> Void) {
    phase = .closed
    inner.onEvent = nil
    how(inner)
  }

  private func breakDown(_ failure: TransportFailure) {
    endInner { $0.abort() }
    outbox.append(.failed(failure))
    deliverLater()
  }

  /// Holds the other side back while nobody here receives. The proxy's own answer is read before.
  private func holdBack() {
    let isWanted =
      switch phase {
      case .asking: true
      case .open: outbox.handler != nil && outbox.isReceiving
      case .closed: false
      }
    if inner.isReceiving != isWanted { inner.isReceiving = isWanted }
  }
}

// What happens below.
extension TunnelTransport {
  private func receive(_ event: TransportEvent) {
    switch phase {
    case .asking(let answer, let calls): negotiate(event, answer, calls)
    case .open: relay(event)
    case .closed: break
    }
  }

  private func negotiate(_ event: TransportEvent, _ answer: ProxyAnswer, _ calls: EarlyCalls) {
    switch event {
    case .connected: inner.send(request.bytes)
    case .writable: break
    case .received(let bytes):
      var answer = answer
      switch answer.receive(bytes) {
      case .incomplete: phase = .asking(answer, calls)
      case .opened(let rest): open(calls, rest)
      case .refused(let words): refuse(words)
      }
    case .ended, .halfClosed, .failed(.reset): refuse("it left without an answer")
    case .failed: relay(event)
    }
  }

  /// Does what was asked for early, and passes everything on from then on.
  private func open(_ calls: EarlyCalls, _ rest: [UInt8]) {
    phase = .open
    var hasRoom = true
    for bytes in calls.pieces { hasRoom = inner.send(bytes) }
    switch calls.ending {
    case .none: break
    case .shutDown: inner.shutDownWriting()
    case .close: return endInner { $0.close() }
    }
    notify(.connected)
    if calls.owesWritable, hasRoom { notify(.writable) }
    if !rest.isEmpty { notify(.received(rest)) }
    if case .open = phase { holdBack() }
  }

  private func relay(_ event: TransportEvent) {
    if case .failed = event { endInner { _ in } }
    notify(event)
  }

  private func refuse(_ answer: String) {
    endInner { $0.abort() }
    notify(.failed(.proxyRefused(answer)))
  }

  private func notify(_ event: TransportEvent) { outbox.pass(event)?(event) }

  private func deliverLater() {
    guard outbox.needsJob() else { return }
    scheduler.schedule(after: 0, phase: .source) { [self] in
      outbox.jobBegan()
      while let delivery = outbox.next() { delivery.handler(delivery.event) }
    }
  }
}
