import Glibc
import World

/// Where the connections to a name lead.
package struct Destination {
  package var address: Address
  /// Connections are secured when there is one.
  package var security: TLSClient?
  /// What the proxy at the address is asked before all else.
  package var tunnel: TunnelRequest?
  /// What it is asked for a WebSocket, where other connections are no tunnels.
  package var tunnelOfWebSockets: TunnelRequest?

  package init(_ address: Address, security: TLSClient? = nil) {
    self.address = address
    self.security = security
  }
}

/// Where connections under a name are waited for; without more said, at a free port of this
/// machine.
package struct ListeningPlace {
  package var address: Address
  package var security: TLSServer?

  package init(
    _ address: Address = .internet(host: "127.0.0.1", port: 0), security: TLSServer? = nil
  ) {
    self.address = address
    self.security = security
  }
}

/// A network of sockets: names stand for addresses.
package final class SocketNetwork: Network {
  package let loop: EventLoop
  /// Where names lead that nobody listens under here.
  package var destinations: [String: Destination] = [:]
  /// Where names are listened at, other than at a free port.
  package var places: [String: ListeningPlace] = [:]
  /// Whether our clients receive what our servers send in the pieces it was sent in.
  package var keepsPieces = false
  /// Why listening failed last.
  package private(set) var listenFailure: TransportFailure?

  private var listeners: [String: SocketListener] = [:]
  private var links: [String: Link] = [:]
  private var connections = 0
  /// All sockets that are open, by a number of their own.
  private var sockets: [Int: SocketTransport] = [:]
  private var socketCount = 0
  /// What clients hold, in the order of connecting.
  private var clients: [Client] = []
  private var sweepAt = 16
  /// By the address connected from: the number of the connection.
  private var numbers: [[UInt8]: Int] = [:]
  /// By number of the connection: those between a client and a listener of this network.
  private var pairs: [Int: SocketPair] = [:]
  private var addresses: [String: Result<[SocketAddress], TransportFailure>] = [:]

  private struct Link {
    var isOnline = true
    var latency: Int64 = 0
  }

  private struct Client {
    var name: String
    weak var transport: DelayedTransport?
    weak var socket: SocketTransport?
  }

  package init(on loop: EventLoop) { self.loop = loop }

  deinit { discardAll() }

  /// Open connections and lookups; what waits at a listener comes from a connection of ours.
  package var mayBringMore: Bool { !sockets.isEmpty || loop.awaitsThreads }

  package var hasBytesUnderWay: Bool { pairs.values.contains(where: \.hasBytesUnderWay) }

  package var hasUnsentBytes: Bool { sockets.values.contains { !$0.outgoing.isEmpty } }

  package var openSockets: Int { sockets.count }

  package func discardAll() {
    for listener in listeners.values { listener.close() }
    listeners = [:]
    for client in clients { client.transport?.forget() }
    clients = []
    for socket in sockets.values { socket.forget() }
    sockets = [:]
    numbers = [:]
    pairs = [:]
    loop.forgetThreads()
  }
}

// Listening.
extension SocketNetwork {
  package func listen(at name: String, accept: @escaping (any Transport) -> Void) -> Bool {
    guard listeners[name] == nil else { return false }
    let place = places[name] ?? ListeningPlace()
    let opened = SocketListener.open(loop, at: place.address) { [unowned self] socket, peer in
      take(socket, from: peer, security: place.security, accept)
    }
    switch opened {
    case .failure(let failure):
      listenFailure = failure
      return false
    case .success(let listener):
      listeners[name] = listener
      return true
    }
  }

  package func stopListening(at name: String) {
    listeners.removeValue(forKey: name)?.close()
  }

  /// The port a name is listened at.
  package func port(of name: String) -> UInt16? { listeners[name]?.address.port }

  private func take(
    _ descriptor: Int32, from peer: SocketAddress?, security: TLSServer?,
    _ accept: (any Transport) -> Void
  ) {
    let number = peer.flatMap { numbers.removeValue(forKey: $0.key) } ?? nextNumber()
    let socket = SocketTransport(loop, connection: number, accepted: descriptor)
    keep(socket)
    pairs[number]?.server = socket
    guard let security else {
      if keepsPieces { pairs[number]?.keepPieces() }
      return accept(socket)
    }
    accept(security.secure(socket, scheduler: loop.scheduler))
  }

  private func nextNumber() -> Int {
    connections += 1
    return connections
  }

  private func keep(_ socket: SocketTransport) {
    socketCount += 1
    sockets[socketCount] = socket
    socket.whenGone = { [unowned self, number = socketCount, connection = socket.connection] in
      sockets[number] = nil
      if pairs[connection]?.isOver == true { pairs[connection] = nil }
    }
  }
}

// Connecting.
extension SocketNetwork {
  package func connect(to name: String) -> any Transport {
    connect(to: name, through: destination(of: name)?.tunnel)
  }

  package func connectForWebSocket(to name: String) -> any Transport {
    let destination = destination(of: name)
    return connect(to: name, through: destination?.tunnel ?? destination?.tunnelOfWebSockets)
  }

  private func connect(to name: String, through tunnel: TunnelRequest?) -> any Transport {
    let number = nextNumber()
    let socket = SocketTransport(loop, connection: number)
    keep(socket)
    if listeners[name] != nil { pairs[number] = SocketPair(client: socket) }
    socket.whenBound = { [unowned self] address in numbers[address.key] = number }
    let destination = destination(of: name)
    let link = links[name] ?? Link()
    var transport: any Transport = socket
    if let tunnel { transport = TunnelTransport(transport, tunnel) }
    if let security = destination?.security {
      transport = security.secure(transport, scheduler: loop.scheduler)
    }
    let client = DelayedTransport(transport, scheduler: loop.scheduler, latency: link.latency)
    remember(name, client, socket)
    guard link.isOnline else {
      socket.breakDown(.unreachable)
      return client
    }
    find(destination?.address) { socket.connect($0) }
    return client
  }

  private func destination(of name: String) -> Destination? {
    guard let listener = listeners[name] else { return destinations[name] }
    var here = destinations[name] ?? Destination(.internet(host: "127.0.0.1", port: 0))
    if destinations[name] == nil { here.address = places[name]?.address ?? here.address }
    if case .internet(let host, 0) = here.address {
      here.address = .internet(host: host, port: listener.address.port)
    }
    return here
  }

  /// Addresses that were found are kept for the run; that there were none is asked again.
  private func find(
    _ address: Address?, then: @escaping (Result<[SocketAddress], TransportFailure>) -> Void
  ) {
    guard let address else { return then(.failure(.refused)) }
    if let known = address.known { return then(known) }
    guard case .internet(let host, let port) = address else { return }
    let key = "\(host):\(port)"
    if let found = addresses[key] { return then(found) }
    loop.workElsewhere(
      { resolve(host, port: port) },
      then: { [weak self] found in
        if case .success = found { self?.addresses[key] = found }
        then(found)
      })
  }

  private func remember(
    _ name: String, _ transport: DelayedTransport, _ socket: SocketTransport
  ) {
    if clients.count >= sweepAt {
      clients.removeAll { $0.transport == nil || $0.socket == nil }
      sweepAt = max(16, 2 * clients.count)
    }
    clients.append(Client(name: name, transport: transport, socket: socket))
  }

  package func setLink(to name: String, isOnline: Bool, latency: Int64) {
    let wasOnline = links[name]?.isOnline ?? true
    links[name] = Link(isOnline: isOnline, latency: latency)
    for client in clients where client.name == name {
      client.transport?.latency = latency
      if wasOnline, !isOnline { client.socket?.breakDown(.reset) }
    }
  }
}
