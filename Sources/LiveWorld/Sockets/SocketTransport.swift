import CLinux
import Glibc
import World

/// A connection over a socket.
///
/// Each event becomes a job of the scheduler, with one piece of bytes at most. Writing begins at
/// once if the system accepts bytes, and goes on when it accepts more.
package final class SocketTransport: Transport {
  /// The URL of the proxy that it connects to; nil if it leads to the other side itself.
  var proxy: String?
  package let connection: Int

  package var onEvent: ((TransportEvent) -> Void)? {
    get { outbox.handler }
    set {
      outbox.setHandler(newValue)
      wake()
    }
  }

  package var isReceiving: Bool {
    get { outbox.isReceiving }
    set {
      let wasReceiving = outbox.isReceiving
      outbox.isReceiving = newValue
      if newValue, !wasReceiving { wake() }
    }
  }

  let loop: EventLoop
  private(set) var phase: SocketPhase
  private(set) var descriptor: Int32 = -1
  /// Addresses that are still to be tried.
  private var candidates: ArraySlice<SocketAddress> = []
  /// Called once, when the socket is closed.
  var onClose: (() -> Void)?
  /// Called with the address that this end connects from, by which the other end recognises it.
  var onBound: ((SocketAddress) -> Void)?

  private(set) var outgoing = OutgoingBytes()
  /// The pieces that the other end receives as they were sent here, and the reverse; nil where the
  /// system may cut the bytes.
  var piecesSent: SentPieces?
  var piecesToCome: SentPieces?
  /// The number of bytes that were accepted for sending, and of those that were received.
  private(set) var bytesSent = 0
  private(set) var bytesReceived = 0
  private var outbox = Outbox()
  /// True if the other side may be another process that ends sending and reads on.
  var mayHalfClose = false
  /// True if bytes were unconfirmed when the connection ended.
  private var leftUnconfirmed = false

  /// Makes an end that is still to connect.
  init(_ loop: EventLoop, connection: Int) {
    self.loop = loop
    self.connection = connection
    phase = .connecting(.lookup, .open)
  }

  /// Makes an end that was accepted.
  init(_ loop: EventLoop, connection: Int, accepted descriptor: Int32) {
    self.loop = loop
    self.connection = connection
    self.descriptor = descriptor
    phase = .open(.open, .idle)
    setUp(descriptor)
    watch()
  }

  deinit { closeDescriptor() }

  /// The pauses between two looks whether a side that only reads has left, in microseconds.
  private static let shortestLook: Int64 = 1_000
  private static let longestLook: Int64 = 100_000

  /// True if the owner still receives what arrives.
  var isListening: Bool { phase.expectsBytes && outbox.handler != nil && isReceiving }
}

extension SocketTransport {
  package var stage: ConnectionStage { phase.isConnecting ? .connecting : .open }

  package var hasUnconfirmedBytes: Bool {
    if descriptor < 0 || leftUnconfirmed { return leftUnconfirmed }
    // A side that ends without having read all sends a reset behind its end.
    if phase.hasReceivedEnd, clinux_was_reset(descriptor) != 0 { return true }
    let confirmed = clinux_confirmed(descriptor)
    if confirmed < 0 { return !hasArrived }
    return !outgoing.isEmpty || confirmed < bytesSent
  }

  package var hasUnreportedInput: Bool {
    guard phase.expectsBytes else { return true }
    var byte: UInt8 = 0
    let count = recv(descriptor, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT))
    return count >= 0 || (errno != EAGAIN && errno != EINTR)
  }
}

// What the owner does.
extension SocketTransport {
  @discardableResult
  package func send(_ bytes: [UInt8]) -> Bool {
    guard phase.canSend else { return false }
    guard !bytes.isEmpty else { return phase.hasRoom }
    guard outgoing.count + bytes.count <= MemoryPipe.maximumBytesOnTheWay else {
      breakDown(.overfull)
      return false
    }
    outgoing.append(bytes)
    bytesSent += bytes.count
    piecesSent?.wasSent(bytes.count)
    flush()
    phase.sent(waiting: outgoing.count)
    return phase.hasRoom
  }

  package func shutDownWriting() {
    if phase.shutDownWriting() { flush() }
  }

  package func abort() {
    outbox.close()
    switch phase.abort(hasArrived: hasArrived) {
    case .nothing: break
    case .reset: reset()
    case .resetWhenArrived: resetWhenArrived(checks: SocketTransport.longestFlush)
    }
  }

  package func close() {
    outbox.close()
    if phase.close() { flush() }
  }

  /// Ends the connection with a reset, for a reason that the owner receives. A connection that its
  /// owner is closing already is left to end.
  func breakDown(_ failure: TransportFailure) {
    switch phase {
    case .closed, .closing(.connecting), .closing(.goodbye): break
    case .connecting, .open, .closing(.reset):
      reset()
      announce(.failed(failure))
    }
  }

  /// Closes the socket without any event, because the run is over.
  func invalidate() {
    outbox.close()
    onClose = nil
    closeDescriptor()
    phase = .closed
  }
}

// Connecting.
extension SocketTransport {
  func connect(_ found: Result<[SocketAddress], TransportFailure>) {
    switch phase.lookedUp(hasUnsent: !outgoing.isEmpty) {
    case .nothing: break
    case .end: end()
    case .connect:
      switch found {
      case .failure(let failure): fail(failure)
      case .success(let addresses):
        candidates = addresses[...]
        tryNext(after: .nameNotFound("the name has no address"))
      }
    }
  }

  private func tryNext(after failure: TransportFailure) {
    guard var address = candidates.popFirst() else { return fail(failure) }
    address.port = loop.numberOfMachine(forPort: address.port)
    descriptor = socket(
      address.family,
      Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
        | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { return fail(TransportFailure(systemError: errno)) }
    setUp(descriptor)
    if address.family == AF_UNIX { takeAnyName() }
    let result = address.use { Glibc.connect(descriptor, $0, $1) }
    guard result == 0 || errno == EINPROGRESS else {
      let failure = TransportFailure(systemError: errno)
      closeDescriptor()
      return tryNext(after: failure)
    }
    phase.beganHandshake()
    if let onBound, let bound = SocketAddress(asking: { getsockname(descriptor, $0, &$1) }) {
      onBound(bound)
    }
    watch()
  }

  /// Gives a unix socket a name, by which the other side recognises it.
  private func takeAnyName() {
    var address = sockaddr(
      sa_family: sa_family_t(AF_UNIX), sa_data: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
    _ = bind(descriptor, &address, socklen_t(MemoryLayout<sa_family_t>.size))
  }

  private func setUp(_ descriptor: Int32) {
    var on: Int32 = 1
    // Fails on unix sockets, which never wait for more to send.
    setsockopt(
      descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
  }

  private func watch() {
    let isWatched = loop.watch(descriptor) { [unowned self] ready in react(to: ready) }
    if !isWatched { fail(.tooManyFiles) }
  }

  private func finishConnecting() {
    if let failure = socketFailure() {
      closeDescriptor()
      return tryNext(after: failure)
    }
    phase.connected()
    announce(.connected)
    flush()
  }

  /// Returns what went wrong with the socket since the last call.
  private func socketFailure() -> TransportFailure? {
    var problem: Int32 = 0
    var size = socklen_t(MemoryLayout<Int32>.size)
    getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &problem, &size)
    return problem == 0 ? nil : TransportFailure(systemError: problem)
  }

  private func fail(_ failure: TransportFailure) {
    guard phase != .closed else { return }
    leftUnconfirmed = leftUnconfirmed || phase.hasReceivedEnd
    let failure = phase.isConnecting ? proxy.map(failure.ofProxy) ?? failure : failure
    end()
    announce(.failed(failure))
  }
}

// What the system reports.
extension SocketTransport {
  private func react(to ready: EventLoop.Readiness) {
    let isWritable = !ready.isDisjoint(with: [.writable, .broken])
    if phase.isConnecting {
      guard isWritable else { return }
      finishConnecting()
    } else if isWritable {
      flush()
    }
    // Where nobody reads, reading would not show the failure.
    if ready.contains(.broken), phase.hasReceivedEnd || !isReceiving,
      let failure = socketFailure()
    {
      return fail(failure)
    }
    if !ready.isDisjoint(with: [.readable, .broken]), phase.becameReadable() { wake() }
  }

  private func flush() {
    guard phase.canWrite else { return }
    while !outgoing.isEmpty {
      loop.willAct()
      let count = outgoing.withNext { Glibc.send(descriptor, $0, $1, Int32(MSG_NOSIGNAL)) }
      if count < 0 {
        if errno == EINTR { continue }
        if errno != EAGAIN { return stopWriting(TransportFailure(systemError: errno)) }
        break
      }
      outgoing.drop(count)
    }
    switch phase.flushed(waiting: outgoing.count) {
    case .nothing: break
    case .notifyWritable: announce(.writable)
    case .shutDown: shutDown()
    case .shutDownAndEnd:
      shutDown()
      end()
    case .skipReceivedAndEnd:
      shutDown()
      skipReceived()
      end()
    }
  }

  private func shutDown() {
    loop.willAct()
    shutdown(descriptor, Int32(SHUT_WR))
  }

  private func stopWriting(_ failure: TransportFailure) {
    leftUnconfirmed = true
    outgoing = OutgoingBytes()
    switch phase.writingBroke(failure) {
    case .read: wake()
    case .fail: fail(failure)
    case .end: end()
    }
  }

  func end() {
    phase = .closed
    outgoing = OutgoingBytes()
    closeDescriptor()
    let notify = onClose
    onClose = nil
    notify?()
  }

  private func closeDescriptor() {
    guard descriptor >= 0 else { return }
    leftUnconfirmed = hasUnconfirmedBytes
    loop.willAct()
    loop.stopWatching(descriptor)
    _ = Glibc.close(descriptor)
    descriptor = -1
  }
}

// What the owner receives.
extension SocketTransport {
  private func announce(_ event: TransportEvent) {
    outbox.append(event)
    wake()
  }

  private func wake() {
    guard outbox.claimsJob() else { return }
    loop.scheduler.schedule(after: loop.pauseBeforeReading(), phase: .source) { [self] in
      outbox.jobBegan()
      deliver()
    }
  }

  private func deliver() {
    while let delivery = outbox.next() { delivery.handler(delivery.event) }
    guard phase.canRead, outbox.handler != nil else { return }
    if isReceiving { read() } else if let failure = phase.writeFailure { fail(failure) }
  }

  private func read() {
    let count = loop.received.read(descriptor, atMost: piecesToCome?.missing ?? .max)
    if count <= 0, deliverRest(count == 0 ? nil : errno) { return }
    switch count {
    case 1...:
      // A short piece may be all there is, but the end would not be reported again.
      let bytes = loop.received.bytes(count)
      bytesReceived += count
      loop.hasRead(count)
      wake()
      guard let piecesToCome else { return outbox.handler?(.received(bytes)) ?? () }
      if let piece = piecesToCome.take(bytes) { outbox.handler?(.received(piece)) }
    case 0: deliverEnd()
    default:
      if errno == EINTR { return wake() }
      if errno != EAGAIN { return fail(phase.writeFailure ?? TransportFailure(systemError: errno)) }
      if let failure = phase.readAll() { fail(failure) }
    }
  }

  private func deliverEnd() {
    let handler = outbox.handler
    switch phase.receivedEnd() {
    case .fail(let failure): return fail(failure)
    case .notify where mayHalfClose && clinux_is_held(descriptor) != 0:
      awaitLeaving(after: SocketTransport.shortestLook)
      handler?(.halfClosed)
      return
    case .notify: break
    case .notifyAndEnd: end()
    }
    handler?(.ended)
  }

  /// Looks after ever longer pauses whether a side that only ended sending has left, which the
  /// system reports nowhere.
  private func awaitLeaving(after pause: Int64) {
    loop.scheduler.schedule(after: pause, phase: .source) { [weak self] in
      guard let self, phase.hasReceivedEnd else { return }
      guard clinux_is_held(descriptor) != 0 else { return announce(.ended) }
      awaitLeaving(after: min(2 * pause, SocketTransport.longestLook))
    }
  }

  /// Delivers a piece that broke off, before the end is reported; true if there was one.
  private func deliverRest(_ problem: Int32?) -> Bool {
    guard problem != EINTR, problem != EAGAIN, let rest = piecesToCome?.takeRest() else {
      return false
    }
    // The system reports an error once only.
    if let problem { phase.readingBroke(TransportFailure(systemError: problem)) }
    wake()
    outbox.handler?(.received(rest))
    return true
  }
}
