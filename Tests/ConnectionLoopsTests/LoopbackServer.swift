import Glibc
import LiveWorld
import Synchronization
import World

/// A server on a thread of its own, on a free port of this machine. It answers the first bytes of
/// each connection with the next text, and then closes the connection or not.
final class LoopbackServer: Sendable {
  struct Answer: Sendable {
    var text: String
    var thenEnds = false
  }

  private struct State {
    var port: UInt16 = 0
    var isOver = false
    var received = ""
    var lost = 0
    var accepted = 0
    var answers: [Answer] = []
  }

  private let state: Mutex<State>
  private let identity: TLSIdentity?

  init(_ answers: [Answer], _ identity: TLSIdentity? = nil) throws {
    state = Mutex(State(answers: answers))
    self.identity = identity
    guard let thread = startThread({ [self] in run() }) else { throw UnexpectedValue() }
    pthread_detach(thread)
    while port == 0, !state.withLock({ $0.isOver }) { usleep(100) }
    if port == 0 { throw UnexpectedValue() }
  }

  var port: UInt16 { state.withLock { $0.port } }
  var received: String { state.withLock { $0.received } }
  /// The connections so far.
  var accepted: Int { state.withLock { $0.accepted } }
  /// The connections that the other side ended with a reset.
  var lost: Int { state.withLock { $0.lost } }

  func url(_ scheme: String, _ path: String, host: String = "127.0.0.1") -> String {
    "\(scheme)://\(host):\(port)\(path)"
  }

  func end() { state.withLock { $0.isOver = true } }

  private func run() {
    let scheduler = Scheduler()
    guard let loop = EventLoop(scheduler) else { return end() }
    let network = SocketNetwork(on: loop)
    if let identity { network.places["server"] = ListeningPlace(security: TLSServer(identity)) }
    guard network.listen(at: "server", accept: { self.accept($0) }),
      let port = network.port(of: "server")
    else { return end() }
    state.withLock { $0.port = port }
    while !state.withLock({ $0.isOver }) {
      if scheduler.runNext(upTo: scheduler.now) { continue }
      loop.poll(until: min(scheduler.nextDue ?? .max, scheduler.instant(after: 20_000)))
    }
    network.discardAll()
  }

  private func accept(_ transport: any Transport) {
    state.withLock { $0.accepted += 1 }
    // The handler keeps the connection until its end.
    transport.onEvent = { [self] event in
      switch event {
      case .received(let bytes): answer(String(decoding: bytes, as: UTF8.self), on: transport)
      case .ended, .halfClosed: transport.close()
      case .failed:
        state.withLock { $0.lost += 1 }
        transport.onEvent = nil
      case .connected, .writable: break
      }
    }
  }

  private func answer(_ text: String, on transport: any Transport) {
    let answer = state.withLock { state -> Answer? in
      state.received += text
      return state.answers.isEmpty ? nil : state.answers.removeFirst()
    }
    guard let answer else { return }
    transport.send(Array(answer.text.utf8))
    if answer.thenEnds { transport.close() }
  }
}
