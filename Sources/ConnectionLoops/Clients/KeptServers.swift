import LiveConnections

/// The open connections of a client, by server. Releasing it closes them.
final class KeptServers: Sendable {
  private let loop: any ClientLoop
  private let servers: LoopConfined<OpenServers>

  init(on loop: any ClientLoop, _ lifetime: Duration) {
    self.loop = loop
    servers = LoopConfined(OpenServers(on: loop, lifetime.wholeMicroseconds))
  }

  deinit { loop.perform { [servers] in servers.value.end() } }

  /// Returns the connections to a server; nil if the loop was stopped. It is called on the loop.
  func connections(to server: ServerAddress) -> KeptConnections? {
    servers.value.connections(to: server)
  }
}

/// The open connections by server, as jobs of the loop use them.
private final class OpenServers {
  /// The most connections that are kept for one server.
  private static let mostKept = 8

  private unowned let loop: any ClientLoop
  private let lifetime: Int64
  private var servers: [ServerAddress: KeptConnections] = [:]
  private var forgetStop: (() -> Void)?

  init(on loop: any ClientLoop, _ lifetime: Int64) {
    self.loop = loop
    self.lifetime = lifetime
  }

  func connections(to server: ServerAddress) -> KeptConnections? {
    if loop.isStopped { return nil }
    if let known = servers[server] { return known }
    if forgetStop == nil {
      forgetStop = loop.whenStopped { [weak self] in self?.closeAll() }
    }
    servers = servers.filter { $0.value.count > 0 }
    let connections = KeptConnections(
      lifetime: lifetime, most: OpenServers.mostKept,
      clock: .timers { [unowned loop] delay, job in
        loop.schedule(after: .microseconds(delay), job)
      })
    servers[server] = connections
    return connections
  }

  func end() {
    forgetStop?()
    forgetStop = nil
    closeAll()
  }

  private func closeAll() {
    for connections in servers.values { connections.closeAll() }
    servers = [:]
  }
}
