import CEpollPair
import LiveWorld
import Protocols
import ScenarioRuns
import World

/// Measures messages that are echoed over loopback, each end in a thread of its own, and the same
/// with bare sockets.
func socketEchoBenchmark() {
  for (size, count) in [(16, 50_000), (1024, 50_000), (16_384, 10_000)] {
    guard let seconds = SocketEcho(size: size)?.run(count) else { return }
    let ours = (Double(count) / seconds).rounded()
    let least = (Double(count) / cepollpair_echoes(Int32(count), Int32(size))).rounded()
    printFigure("websocket", "echo-on-loopback-\(size)-bytes", ours, "1/s")
    printFigure("websocket", "echo-on-loopback-\(size)-bytes-in-c", least, "1/s")
    printFigure(
      "websocket", "echo-on-loopback-\(size)-bytes-share",
      (ours / least * 1e3).rounded() / 1e3, "of C; 0.8 wanted")
  }
}

/// The server's end, which echoes what it receives.
private final class EchoingEnd {
  private let transport: any Transport
  private let socket = WebSocketConnection(role: .server)

  init(_ transport: any Transport) { self.transport = transport }

  func begin() {
    transport.onEvent = { [self] event in
      guard case .received(let bytes) = event else { return }
      for case .deliver(let message) in socket.on(.bytesReceived(bytes)) {
        for case .send(let echo) in socket.on(.messageSent(message)) { transport.send(echo) }
      }
    }
  }
}

/// A WebSocket on sockets of this machine.
private final class SocketEcho {
  private let scheduler = Scheduler()
  private let loop: EventLoop
  private let network: SocketNetwork
  private let client: WebSocketConnection
  private let server: ServerThread
  private var clientEnd: (any Transport)?
  private let message: WebSocketMessage
  private var left = 0
  private var isConnected = false

  init?(size: Int) {
    guard let loop = EventLoop(scheduler),
      let server = ServerThread(nil, { EchoingEnd($0).begin() })
    else { return nil }
    self.loop = loop
    self.server = server
    network = SocketNetwork(on: loop)
    message = .binary([UInt8](repeating: 0x61, count: size))
    var key: UInt32 = 0x9E37_79B9
    client = WebSocketConnection(role: .client) {
      key = key &* 1_664_525 &+ 1_013_904_223
      return key
    }
    network.destinations["server"] = Destination(
      .internet(host: "127.0.0.1", port: server.port))
    let end = network.connect(to: "server")
    clientEnd = end
    end.onEvent = { [unowned self] event in
      if case .connected = event { isConnected = true }
      if case .received(let bytes) = event { perform(client.on(.bytesReceived(bytes))) }
    }
  }

  private func perform(_ actions: [WebSocketConnection.Action]) {
    for action in actions {
      if case .send(let bytes) = action { clientEnd?.send(bytes) }
      guard case .deliver = action else { continue }
      left -= 1
      if left > 0 { perform(client.on(.messageSent(message))) }
    }
  }

  /// Returns the seconds that a number of echoes takes.
  func run(_ count: Int) -> Double {
    turn { self.isConnected }
    left = count
    let start = wallClock()
    perform(client.on(.messageSent(message)))
    turn { self.left == 0 }
    let taken = Double(wallClock() - start) / 1e6
    server.end()
    network.discardAll()
    scheduler.discardAll()
    return taken
  }

  private func turn(until isSo: () -> Bool) {
    while !isSo() {
      if !scheduler.runNext(upTo: scheduler.now) { loop.poll(until: scheduler.nextDue) }
    }
  }
}
