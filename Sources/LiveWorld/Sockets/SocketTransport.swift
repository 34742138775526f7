import Glibc
import World

/// A connection over a socket.
///
/// All that happens becomes a job of the scheduler, one piece of bytes each; writing begins at once
/// where the system takes bytes, and goes on when it takes more.
package final class SocketTransport: Transport {
  package let connection: Int

  package var onEvent: ((TransportEvent) -> Void)? {
    didSet { if onEvent != nil { wake() } }
  }

  package var isReceiving = true {
    didSet { if isReceiving, !oldValue { wake() } }
  }

  enum Phase { case beforeConnecting, connecting, open, over }

  let loop: EventLoop
  var phase: Phase
  var descriptor: Int32 = -1
  /// Addresses that are still to be tried.
  var candidates: ArraySlice<SocketAddress> = []
  /// Told once, when the socket is closed.
  var whenGone: (() -> Void)?
  /// Told of the address that is connected from, so that the other end can be recognised.
  var whenBound: ((SocketAddress) -> Void)?

  var outgoing = OutgoingBytes()
  /// Where the other end wants to receive what is sent here in the same pieces, and the reverse.
  var piecesSent: SentPieces?
  var piecesToCome: SentPieces?
  /// How much was handed over for sending, and how much was received.
  private(set) var bytesSent = 0
  private(set) var bytesReceived = 0
  private var owesWritable = false
  /// False once no more is to be sent.
  private var canSend = true
  /// Writing ends when all is written.
  private var wantsShutdown = false
  /// Whether writing has ended.
  private var isShut = false
  /// The owner has left; the socket is closed when all is written.
  private var isLeaving = false
  private var isReadable = false
  private var sawEnd = false
  /// Why nothing can be written any more; told when nothing is left to be read.
  private var writeFailure: TransportFailure?
  /// What the owner has yet to be told, apart from bytes and their end.
  private var news: [TransportEvent] = []
  private var isAwake = false
  /// A reset waits for what was sent before it.
  var isResetting = false

  /// An end that is still to connect.
  init(_ loop: EventLoop, connection: Int) {
    self.loop = loop
    self.connection = connection
    phase = .beforeConnecting
  }

  /// An end that was accepted.
  init(_ loop: EventLoop, connection: Int, accepted descriptor: Int32) {
    self.loop = loop
    self.connection = connection
    self.descriptor = descriptor
    phase = .open
    setUp(descriptor)
    watch()
  }

  deinit { closeDescriptor() }
}

// What the owner does.
extension SocketTransport {
  @discardableResult
  package func send(_ bytes: [UInt8]) -> Bool {
    guard canSend, phase != .over else { return false }
    guard !bytes.isEmpty else { return !owesWritable }
    guard outgoing.count + bytes.count <= MemoryPipe.maximumBytesOnTheWay else {
      breakDown(.overfull)
      return false
    }
    outgoing.append(bytes)
    bytesSent += bytes.count
    piecesSent?.wasSent(bytes.count)
    flush()
    owesWritable = owesWritable || outgoing.count > MemoryPipe.window
    return !owesWritable
  }

  package func shutDownWriting() {
    guard canSend, phase != .over else { return }
    canSend = false
    wantsShutdown = true
    flush()
  }

  package func abort() {
    leave()
    if phase == .open, !hasArrived {
      resetWhenArrived(looks: SocketTransport.longestFlush)
    } else {
      reset()
    }
  }

  package func close() {
    guard phase != .over, !isLeaving else { return }
    leave()
    isLeaving = true
    wantsShutdown = true
    flush()
  }

  /// Ends the connection with a reset, for a reason the owner is told.
  func breakDown(_ failure: TransportFailure) {
    guard phase != .over, !isLeaving else { return }
    reset()
    announce(.failed(failure))
  }

  /// Lets go of everything without telling anybody.
  func forget() {
    leave()
    whenGone = nil
    closeDescriptor()
    phase = .over
  }

  /// Whether its owner still wants to be told of what arrives.
  var isListening: Bool { phase == .open && onEvent != nil && isReceiving && !sawEnd }

  /// Whether it has nothing more to send, its goodbye included.
  var hasSaidAll: Bool { isShut || isResetting || phase == .over }

  private func leave() {
    canSend = false
    onEvent = nil
    news = []
  }

  func reset() {
    canSend = false
    if descriptor >= 0 {
      // Closing with no time to linger sends a reset instead of a goodbye.
      var noTime = linger(l_onoff: 1, l_linger: 0)
      setsockopt(
        descriptor, SOL_SOCKET, SO_LINGER, &noTime, socklen_t(MemoryLayout<linger>.size))
    }
    end()
  }
}

// Connecting.
extension SocketTransport {
  func connect(_ found: Result<[SocketAddress], TransportFailure>) {
    // The owner may have left while a name was looked up.
    guard phase == .beforeConnecting else { return }
    if isLeaving, outgoing.isEmpty { return end() }
    switch found {
    case .failure(let failure): fail(failure)
    case .success(let addresses):
      candidates = addresses[...]
      tryNext(after: .nameNotFound("the name has no address"))
    }
  }

  private func tryNext(after failure: TransportFailure) {
    guard let address = candidates.popFirst() else { return fail(failure) }
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
    phase = .connecting
    if let bound = SocketAddress(asking: { getsockname(descriptor, $0, &$1) }) {
      whenBound?(bound)
    }
    watch()
  }

  /// Gives a unix socket a name, by which the other side can tell it from others.
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
    let isWatched = loop.watch(descriptor) { [unowned self] ready in notice(ready) }
    if !isWatched { fail(.tooManyFiles) }
  }

  private func finishConnecting() {
    if let failure = socketFailure() {
      closeDescriptor()
      return tryNext(after: failure)
    }
    phase = .open
    announce(.connected)
    flush()
  }

  /// What went wrong with the socket since it was asked last.
  private func socketFailure() -> TransportFailure? {
    var problem: Int32 = 0
    var size = socklen_t(MemoryLayout<Int32>.size)
    getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &problem, &size)
    return problem == 0 ? nil : TransportFailure(systemError: problem)
  }

  private func fail(_ failure: TransportFailure) {
    guard phase != .over else { return }
    end()
    announce(.failed(failure))
  }
}

// What the system says.
extension SocketTransport {
  private func notice(_ ready: EventLoop.Readiness) {
    if phase == .connecting {
      guard !ready.isDisjoint(with: [.writable, .broken]) else { return }
      finishConnecting()
      guard phase == .open else { return }
    } else if ready.contains(.writable) || ready.contains(.broken) {
      flush()
    }
    if sawEnd, ready.contains(.broken), let failure = socketFailure() { return fail(failure) }
    if !ready.isDisjoint(with: [.readable, .broken]) {
      isReadable = true
      wake()
    }
  }

  private func flush() {
    guard phase == .open else { return }
    while !outgoing.isEmpty {
      let count = outgoing.withNext { Glibc.send(descriptor, $0, $1, Int32(MSG_NOSIGNAL)) }
      if count < 0 {
        if errno == EINTR { continue }
        if errno != EAGAIN { stopWriting(TransportFailure(systemError: errno)) }
        break
      }
      outgoing.drop(count)
    }
    if owesWritable, canSend, outgoing.count <= MemoryPipe.window / 2 {
      owesWritable = false
      announce(.writable)
    }
    if outgoing.isEmpty { finishWriting() }
  }

  /// What was received before is still worth reading.
  private func stopWriting(_ failure: TransportFailure) {
    if sawEnd { return fail(failure) }
    outgoing = OutgoingBytes()
    canSend = false
    owesWritable = false
    writeFailure = failure
    isReadable = true
    wake()
  }

  private func finishWriting() {
    if wantsShutdown, !isShut {
      isShut = true
      if writeFailure == nil { shutdown(descriptor, Int32(SHUT_WR)) }
    }
    guard isLeaving || (isShut && sawEnd) else { return }
    // Unread bytes would turn the goodbye into a reset.
    if isLeaving { skipReceived() }
    end()
  }

  private func skipReceived() {
    for _ in 0..<ReceivedBytes.piecesSkipped {
      guard loop.received.read(descriptor) > 0 else { return }
    }
  }

  private func end() {
    phase = .over
    outgoing = OutgoingBytes()
    closeDescriptor()
    let told = whenGone
    whenGone = nil
    told?()
  }

  private func closeDescriptor() {
    guard descriptor >= 0 else { return }
    loop.stopWatching(descriptor)
    _ = Glibc.close(descriptor)
    descriptor = -1
  }
}

// What the owner is told.
extension SocketTransport {
  private func announce(_ event: TransportEvent) {
    news.append(event)
    wake()
  }

  private func wake() {
    guard !isAwake, onEvent != nil || !news.isEmpty else { return }
    isAwake = true
    loop.scheduler.schedule(after: 0, phase: .source) { [self] in
      isAwake = false
      tell()
    }
  }

  private func tell() {
    while onEvent != nil, !news.isEmpty {
      let event = news.removeFirst()
      if case .failed = event { return tellLast(event) }
      onEvent?(event)
    }
    guard phase == .open, onEvent != nil, isReadable, !sawEnd else { return }
    if isReceiving { receive() } else if let writeFailure { fail(writeFailure) }
  }

  private func tellLast(_ event: TransportEvent) {
    let handler = onEvent
    leave()
    handler?(event)
  }

  private func receive() {
    let count = loop.received.read(descriptor, atMost: piecesToCome?.missing ?? .max)
    if count <= 0, tellRest(count == 0 ? nil : errno) { return }
    switch count {
    case 1...:
      // A short piece may be all there is, but the end would not be told of again.
      let bytes = loop.received.bytes(count)
      bytesReceived += count
      wake()
      guard let piecesToCome else { return onEvent?(.received(bytes)) ?? () }
      if let piece = piecesToCome.take(bytes) { onEvent?(.received(piece)) }
    case 0:
      if let writeFailure { return fail(writeFailure) }
      sawEnd = true
      let handler = onEvent
      if isShut { end() }
      handler?(.ended)
    default:
      if errno == EINTR { return wake() }
      if errno != EAGAIN { return fail(writeFailure ?? TransportFailure(systemError: errno)) }
      isReadable = false
      if let writeFailure { fail(writeFailure) }
    }
  }

  /// Tells of a piece that broke off, before the end is told; true if there was one.
  private func tellRest(_ problem: Int32?) -> Bool {
    guard problem != EINTR, problem != EAGAIN, let rest = piecesToCome?.takeRest() else {
      return false
    }
    // The system tells of an error once only.
    if let problem { writeFailure = writeFailure ?? TransportFailure(systemError: problem) }
    wake()
    onEvent?(.received(rest))
    return true
  }
}
