import Glibc
import World

/// The place that connections to a name lead to.
package struct Destination {
  package var address: Address
  /// The security of the connections; nil leaves them plain.
  package var security: TLSClient?
  /// The request to the proxy at the address, before any other bytes.
  package var tunnel: TunnelRequest?
  /// The request to the proxy for a WebSocket, if other connections are no tunnels.
  package var tunnelOfWebSockets: TunnelRequest?
  /// The URL of the proxy at the address, as reports show it; nil without a proxy.
  package var proxy: String?

  package init(_ address: Address, security: TLSClient? = nil) {
    self.address = address
    self.security = security
  }
}

/// The place at which a server accepts connections; by default a free port of this machine.
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

/// A network of sockets, in which names stand for addresses.
package final class SocketNetwork: Network {
  package let loop: EventLoop
  /// The destinations of names that have no listener here.
  package var destinations: [String: Destination] = [:]
  /// The places of listeners that do not take a free port.
  package var places: [String: ListeningPlace] = [:]
  /// True if our clients receive bytes in the pieces in which our servers sent them.
  package var keepsPieces = false
  /// True if links strike clients of other processes as well, as they do our own.
  package var linksStrikeOthers = false
  /// The connections that clients of other processes made, if links strike them.
  private var foreign: Set<Int> = []
  /// The failure of the last attempt to listen.
  package private(set) var listenFailure: TransportFailure?

  private var listeners: [String: SocketListener] = [:]
  private var links: [String: Link] = [:]
  private var connections = 0
  /// The open sockets, by a number of their own.
  private var sockets: [Int: SocketTransport] = [:]
  private var socketCount = 0
  /// The transports that clients hold, in the order of connecting.
  private var clients: [Client] = []
  private var sweepAt = 16
  /// The number of a connection, by the address that it was made from.
  private var numbers: [[UInt8]: Int] = [:]
  /// The connections between a client and a listener of this network, by number.
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

  /// True if there are open connections or lookups. A client that waits at a listener has an open
  /// connection of ours.
  package var mayBringMore: Bool { !sockets.isEmpty || loop.awaitsThreads }

  package var hasBytesUnderWay: Bool { pairs.values.contains(where: \.hasBytesUnderWay) }

  package var hasUnsentBytes: Bool { sockets.values.contains { !$0.outgoing.isEmpty } }

  package var openSockets: Int { sockets.count }

  /// Ends all listeners and connections without any event, because the run is over.
  package func discardAll() {
    for listener in listeners.values { listener.close() }
    listeners = [:]
    for client in clients { client.transport?.invalidate() }
    clients = []
    for socket in sockets.values { socket.invalidate() }
    sockets = [:]
    numbers = [:]
    pairs = [:]
    loop.stopAwaitingThreads()
  }
}

// Listening.
extension SocketNetwork {
  package func listen(at name: String, accept: @escaping (any Transport) -> Void) -> Bool {
    guard listeners[name] == nil else { return false }
    let place = places[name] ?? ListeningPlace()
    let opened = SocketListener.open(loop, at: place.address) { [unowned self] socket, peer in
      take(socket, from: peer, at: name, security: place.security, accept)
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

  package func ask(before name: String, _ answer: @escaping () -> ConnectAnswer) {
    guard let listener = listeners[name] else { return }
    loop.doors[listener.port] = { [unowned self] in
      links[name]?.isOnline == false ? .unreachable : answer()
    }
  }

  package func stopListening(at name: String) {
    if let port = listeners[name]?.port { loop.doors[port] = nil }
    listeners.removeValue(forKey: name)?.close()
  }

  /// Returns the port of the listener under a name.
  package func port(of name: String) -> UInt16? { listeners[name]?.port }

  private func take(
    _ descriptor: Int32, from peer: SocketAddress?, at name: String, security: TLSServer?,
    _ accept: (any Transport) -> Void
  ) {
    let own = peer.flatMap { numbers.removeValue(forKey: $0.key) }
    let number = own ?? nextNumber()
    let socket = SocketTransport(loop, connection: number, accepted: descriptor)
    keep(socket)
    socket.mayHalfClose = own == nil
    pairs[number]?.server = socket
    if own == nil, linksStrikeOthers {
      return takeForeign(socket, at: name, security: security, accept)
    }
    guard let security else {
      if keepsPieces { pairs[number]?.keepPieces() }
      return accept(socket)
    }
    accept(security.secure(socket, scheduler: loop.scheduler))
  }

  /// Puts the link of a name between a client of another process and its server.
  private func takeForeign(
    _ socket: SocketTransport, at name: String, security: TLSServer?,
    _ accept: (any Transport) -> Void
  ) {
    let link = links[name] ?? Link()
    guard link.isOnline else { return socket.abort() }
    foreign.insert(socket.connection)
    let plain: any Transport = security?.secure(socket, scheduler: loop.scheduler) ?? socket
    let server = DelayedTransport(plain, scheduler: loop.scheduler, latency: link.latency)
    remember(name, server, socket)
    accept(server)
  }

  package func isForeign(_ connection: Int) -> Bool { foreign.contains(connection) }

  package func hasOwnClient(on connection: Int) -> Bool { pairs[connection] != nil }

  private func nextNumber() -> Int {
    connections += 1
    return connections
  }

  private func keep(_ socket: SocketTransport) {
    socketCount += 1
    sockets[socketCount] = socket
    socket.onClose = { [unowned self, number = socketCount, connection = socket.connection] in
      sockets[number] = nil
      foreign.remove(connection)
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
    if listeners[name] != nil { pairs[number] = SocketPair(client: socket) }
    socket.onBound = { [unowned self] address in numbers[address.key] = number }
    let destination = destination(of: name)
    let link = links[name] ?? Link()
    let transport = prepare(socket, destination, through: tunnel)
    let client = DelayedTransport(transport, scheduler: loop.scheduler, latency: link.latency)
    remember(name, client, socket)
    guard link.isOnline else {
      socket.breakDown(.unreachable)
      return client
    }
    find(destination?.address) { socket.connect($0) }
    return client
  }

  /// Connects to a place that has no name here. So neither a link nor a listener of this network
  /// concerns the connection.
  package func connect(to destination: Destination) -> any Transport {
    let socket = SocketTransport(loop, connection: nextNumber())
    let transport = prepare(socket, destination, through: destination.tunnel)
    find(destination.address) { socket.connect($0) }
    return transport
  }

  /// Keeps the socket of a new connection, and returns the connection with its tunnel and its
  /// security.
  private func prepare(
    _ socket: SocketTransport, _ destination: Destination?, through tunnel: TunnelRequest?
  ) -> any Transport {
    keep(socket)
    socket.proxy = destination?.proxy
    var transport: any Transport = socket
    if let tunnel { transport = TunnelTransport(transport, tunnel, scheduler: loop.scheduler) }
    guard let security = destination?.security else { return transport }
    return security.secure(transport, scheduler: loop.scheduler)
  }

  private func destination(of name: String) -> Destination? {
    guard let listener = listeners[name] else { return destinations[name] }
    var here = destinations[name] ?? Destination(.internet(host: "127.0.0.1", port: 0))
    if destinations[name] == nil { here.address = places[name]?.address ?? here.address }
    if case .internet(let host, 0) = here.address {
      here.address = .internet(host: host, port: listener.port)
    }
    return here
  }

  /// Finds the addresses of a destination. Addresses that were found are kept for the run; a lookup
  /// that found none is repeated.
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

  /// Looks names up again from now on, because their addresses may change.
  package func forgetAddresses() { addresses = [:] }

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
      guard wasOnline, !isOnline else { continue }
      client.transport?.cutArrivals()
      client.socket?.breakDown(.reset)
    }
  }
}
