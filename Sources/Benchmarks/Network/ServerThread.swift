import Glibc
import LiveWorld
import Synchronization
import World

/// A server on a thread and a loop of its own, on a free port of this machine. It measures what a
/// client in another process sees.
final class ServerThread: Sendable {
  private let identity: TLSIdentity?
  private let processor: Int?
  private let serve: @Sendable (any Transport) -> Void
  private let state = Mutex((port: UInt16(0), isOver: false))

  /// Creates a server that calls a function for each connection, on its own thread. With an
  /// identity all connections are secure. With a processor, the thread stays on it.
  init?(
    _ identity: TLSIdentity? = nil, processor: Int? = nil,
    _ serve: @escaping @Sendable (any Transport) -> Void
  ) {
    self.identity = identity
    self.processor = processor
    self.serve = serve
    guard let thread = startThread({ [self] in run() }) else { return nil }
    pthread_detach(thread)
    while port == 0, !isOver { usleep(100) }
    if isOver { return nil }
  }

  var port: UInt16 { state.withLock { $0.port } }

  private var isOver: Bool { state.withLock { $0.isOver } }

  func end() { state.withLock { $0.isOver = true } }

  private func run() {
    if let processor { Processors.only(processor).use() }
    let scheduler = Scheduler()
    guard let loop = EventLoop(scheduler) else { return end() }
    let network = SocketNetwork(on: loop)
    if let identity { network.places["server"] = ListeningPlace(security: TLSServer(identity)) }
    guard network.listen(at: "server", accept: { self.serve($0) }),
      let port = network.port(of: "server")
    else { return end() }
    state.withLock { $0.port = port }
    while !isOver {
      if scheduler.runNext(upTo: scheduler.now) { continue }
      loop.poll(until: min(scheduler.nextDue ?? .max, scheduler.instant(after: 100_000)))
    }
    network.discardAll()
  }
}
