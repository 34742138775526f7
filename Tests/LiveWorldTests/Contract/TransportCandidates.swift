import Testing
import World

@testable import LiveWorld

/// A kind of transport under test.
struct TransportCandidate: Sendable, CustomTestStringConvertible {
  var name: String
  /// Whether the connection is made of sockets and takes real time.
  var isReal = false
  /// Starts a connection whose other end becomes the lab's `far`.
  var connect: @Sendable (TransportLab) throws -> any Transport
  var testDescription: String { name }
}

/// Every transport, over memory and over sockets.
let transportCandidates: [TransportCandidate] = [
  TransportCandidate(name: "memory") { try $0.connectInMemory() },
  TransportCandidate(name: "faulty over memory") { try $0.connectOverLine(fragments: []) },
  TransportCandidate(name: "faulty in fragments over memory") {
    try $0.connectOverLine(fragments: [3, 4096])
  },
  TransportCandidate(name: "delayed by nothing over memory") {
    DelayedTransport(try $0.connectInMemory(), scheduler: $0.scheduler, latency: 0)
  },
  TransportCandidate(name: "delayed over memory") {
    DelayedTransport(try $0.connectInMemory(), scheduler: $0.scheduler, latency: 50)
  },
  TransportCandidate(name: "tunnel over memory") { lab in
    let inner = try lab.connectInMemory { lab.answerAsProxy($0) }
    return TunnelTransport(inner, TunnelRequest(to: "far:443"), scheduler: lab.scheduler)
  },
  TransportCandidate(name: "TLS over memory") { lab in
    let security = try TransportLab.security.get()
    let inner = try lab.connectInMemory {
      lab.accept(security.server.secure($0, scheduler: lab.scheduler))
    }
    return security.client.secure(inner, scheduler: lab.scheduler)
  },
  TransportCandidate(name: "socket", isReal: true) { try $0.connectSocket() },
  TransportCandidate(name: "delayed over a socket", isReal: true) { lab in
    try lab.listenOnSockets { lab.accept($0) }
    return lab.sockets.network.connect(to: "far")
  },
  TransportCandidate(name: "tunnel over a socket", isReal: true) { lab in
    let inner = try lab.connectSocket { lab.answerAsProxy($0) }
    return TunnelTransport(inner, TunnelRequest(to: "far:443"), scheduler: lab.scheduler)
  },
  TransportCandidate(name: "TLS over a socket", isReal: true) { lab in
    let security = try TransportLab.security.get()
    let inner = try lab.connectSocket {
      lab.accept(security.server.secure($0, scheduler: lab.scheduler))
    }
    return security.client.secure(inner, scheduler: lab.scheduler)
  },
]

/// The world of one connection under test: the owner of its near end, and its far end.
final class TransportLab {
  let sockets: Loopback
  let memory: MemoryNetwork
  private(set) var near: StrictOwner!
  private(set) var far: Party?
  private let isReal: Bool
  private var faults: [LineFault] = []
  /// A socket that no network knows.
  private weak var bareSocket: SocketTransport?

  var scheduler: Scheduler { sockets.scheduler }

  init(_ candidate: TransportCandidate, listens: Bool = true) throws {
    sockets = try Loopback()
    memory = MemoryNetwork(on: sockets.scheduler)
    isReal = candidate.isReal
    near = StrictOwner(try candidate.connect(self))
    if listens { near.listen() }
  }

  deinit {
    scheduler.discardAll()
    discardAll()
  }

  func accept(_ transport: any Transport) { far = Party(transport) }

  func dropNear() { near = nil }

  func discardAll() {
    bareSocket?.invalidate()
    memory.discardAll()
    sockets.network.discardAll()
  }

  /// Lets things happen until a condition holds; false if it never does.
  func run(until holds: () -> Bool) -> Bool {
    if isReal { return sockets.run(until: holds) }
    while !holds() {
      guard scheduler.runNext(upTo: Scheduler.endOfTime) else { return false }
    }
    return true
  }

  /// Lets everything happen that is under way.
  func settle() {
    if isReal { return sockets.run(for: 15_000) }
    while scheduler.runNext(upTo: Scheduler.endOfTime) {}
  }

  /// Lets the two ends connect; returns the far one.
  func connected() throws -> Party {
    // A secure server learns later than its client that both have agreed on keys.
    let isConnected = run { [self] in
      near.events.contains("connected") && far?.transport.stage == .open
    }
    try #require(isConnected)
    settle()
    return try #require(far)
  }
}

// Connections of each kind.
extension TransportLab {
  func connectInMemory(_ take: ((any Transport) -> Void)? = nil) throws -> any Transport {
    let isListening = memory.listen(at: "far", accept: take ?? { [unowned self] in accept($0) })
    try #require(isListening)
    return memory.connect(to: "far")
  }

  func connectOverLine(fragments: [Int]) throws -> any Transport {
    let line = FaultyLine(
      to: "far", LineConditions(fragments: fragments), chance: SeededRandom(seed: 1))
    return FaultyTransport(try connectInMemory(), over: line, on: scheduler) {
      [unowned self] fault, _ in
      faults.append(fault)
    }
  }

  func listenOnSockets(_ take: @escaping (any Transport) -> Void) throws {
    let isListening = sockets.network.listen(at: "far", accept: take)
    try #require(isListening)
  }

  /// Connects a bare socket, without the network's own latency around it.
  func connectSocket(_ take: ((any Transport) -> Void)? = nil) throws -> any Transport {
    try listenOnSockets(take ?? { [unowned self] in accept($0) })
    let port = try #require(sockets.network.port(of: "far"))
    let socket = SocketTransport(sockets.loop, connection: 1)
    bareSocket = socket
    socket.connect(.success([try #require(SocketAddress(literal: "127.0.0.1", port: port))]))
    return socket
  }

  /// Connects each client as a proxy does, and is the far end from then on.
  func answerAsProxy(_ transport: any Transport) {
    var head: [UInt8] = []
    transport.onEvent = { [unowned self, unowned transport] event in
      guard case .received(let bytes) = event else { return }
      head += bytes
      guard head.suffix(4) == [13, 10, 13, 10] else { return }
      transport.send(Array("HTTP/1.1 200 Connected\r\n\r\n".utf8))
      accept(transport)
    }
  }

  struct Security: Sendable {
    nonisolated(unsafe) var client: TLSClient
    nonisolated(unsafe) var server: TLSServer
  }

  /// A certificate of our own, and a client that trusts it.
  static var security: Result<Security, TransportFailure> {
    identity.map { identity in
      var settings = TLSClientSettings()
      if case .text(let text) = identity { settings.trusted = text }
      return Security(
        client: TLSClient(host: "localhost", context: TLSContext(settings)),
        server: TLSServer(identity))
    }
  }

  private static let identity = TLSIdentity.selfSigned(for: ["localhost"])
}

/// An owner of a transport that records each event, and each breach of the rules.
final class StrictOwner {
  let transport: any Transport
  private(set) var events: [String] = []
  private(set) var received: [UInt8] = []
  private(set) var breaches: [String] = []
  /// Runs inside each event.
  var then: ((TransportEvent) -> Void)?
  private var isCalling = false
  private var isHandling = false
  private var hasLeft = false

  init(_ transport: any Transport) { self.transport = transport }

  var text: String { String(decoding: received, as: UTF8.self) }

  func count(of event: String) -> Int { events.count { $0 == event } }

  func listen() {
    calling { transport.onEvent = { [unowned self] event in take(event) } }
  }

  @discardableResult
  func send(_ bytes: [UInt8]) -> Bool { calling { transport.send(bytes) } }

  @discardableResult
  func send(_ text: String) -> Bool { send(Array(text.utf8)) }

  func setReceiving(_ isReceiving: Bool) { calling { transport.isReceiving = isReceiving } }

  func shutDownWriting() { calling { transport.shutDownWriting() } }

  func abort() { leave { $0.abort() } }

  func close() { leave { $0.close() } }

  private func leave(_ how: (any Transport) -> Void) {
    hasLeft = true
    calling { how(transport) }
  }

  private func calling<Result>(_ call: () -> Result) -> Result {
    let wasCalling = isCalling
    isCalling = true
    defer { isCalling = wasCalling }
    return call()
  }

  private func take(_ event: TransportEvent) {
    check(event)
    switch event {
    case .connected: events.append("connected")
    case .received(let bytes):
      received += bytes
      if events.last != "bytes" { events.append("bytes") }
    case .ended, .halfClosed: events.append("ended")
    case .writable: events.append("writable")
    case .failed(let failure): events.append("failed: \(failure.name)")
    }
    isHandling = true
    then?(event)
    isHandling = false
  }

  private func check(_ event: TransportEvent) {
    let hasFailed = events.last?.hasPrefix("failed") == true
    if isCalling { breaches.append("\(event) inside a call") }
    if isHandling { breaches.append("\(event) inside an event") }
    if hasLeft { breaches.append("\(event) after leaving") }
    if hasFailed { breaches.append("\(event) after a failure") }
    if case .received = event, events.contains("ended") { breaches.append("bytes after the end") }
    if case .connected = event, !events.isEmpty { breaches.append("connected is not the first") }
  }
}
