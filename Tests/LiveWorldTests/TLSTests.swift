import Testing
import World

@testable import LiveWorld

@Suite struct `a secure connection` {
  let world: Loopback

  init() throws { world = try Loopback() }

  /// A server with a certificate of its own, and a client's settings that trust it.
  func secured(
    _ names: [String] = ["localhost", "127.0.0.1"], as host: String = "localhost",
    validFrom: Int = -60, validTo: Int = 3_600,
    _ change: (inout TLSClientSettings) -> Void = { _ in }
  ) throws {
    let identity = try TLSIdentity.selfSigned(
      for: names, validFrom: validFrom, validTo: validTo
    ).get()
    var settings = TLSClientSettings()
    if case .text(let text) = identity { settings.trusted = text }
    change(&settings)
    try #require(
      world.listen(at: "server", ListeningPlace(security: TLSServer(identity))) { $0.echo() })
    world.network.destinations["server"] = Destination(
      .internet(host: "127.0.0.1", port: 0),
      security: TLSClient(host: host, context: TLSContext(settings)))
  }

  @Test(arguments: ["localhost", "127.0.0.1"])
  func `carries bytes both ways, and ends with a goodbye`(_ host: String) throws {
    try secured(as: host)
    let client = world.connect()
    client.send("hello")
    #expect(world.run { client.text == "hello" })
    client.transport.shutDownWriting()
    #expect(world.run { client.isOver })
    #expect(client.lines == ["connected", "ended"])
    #expect(!client.wasInterrupted)
    #expect(world.run { world.network.openSockets == 0 })
  }

  @Test func `carries what is sent before keys are agreed on, and much of it`() throws {
    try secured()
    let bytes = [UInt8](repeating: 9, count: 6 << 20)
    let client = world.connect()
    #expect(client.send(bytes) == false)
    #expect(world.run { client.received.count == bytes.count })
    #expect(client.received == bytes)
    #expect(client.lines.contains("writable"))
  }

  @Test func `holds back what its owner does not want yet`() throws {
    try secured()
    let client = world.connect()
    #expect(world.run { client.lines == ["connected"] })
    client.transport.isReceiving = false
    client.send("hello")
    world.run(for: 20_000)
    #expect(client.text == "")
    client.transport.isReceiving = true
    #expect(world.run { client.text == "hello" })
  }

  @Test func `is none with somebody whom nobody vouches for`() throws {
    try secured { $0.trusted = nil }
    let client = world.connect()
    #expect(world.run { client.isOver })
    #expect(client.lines == ["untrusted"])
    #expect(client.failure?.details?.contains("self-signed certificate") == true)
    #expect(world.run { world.accepted.first?.failure?.name == "notSecure" })
  }

  @Test func `is none with another host than was meant`() throws {
    try secured(["example.org"])
    let client = world.connect()
    #expect(world.run { client.isOver })
    #expect(client.failure == .wrongHost("localhost: hostname mismatch"))
  }

  @Test func `is none with a client that speaks HTTP/2 only, and says so to both`() throws {
    try secured { $0.protocols = ["h2"] }
    let client = world.connect()
    #expect(world.run { client.isOver })
    #expect(client.failure?.details?.contains("no application protocol") == true)
    #expect(client.failure?.sentence(about: "https://x").contains("HTTP/2 only") == true)
    #expect(
      world.run { world.accepted.first?.failure?.details?.contains("HTTP/2 only") == true })
  }

  @Test func `is made with a client that speaks HTTP/1.1 as well`() throws {
    try secured { $0.protocols = ["h2", "http/1.1"] }
    let client = world.connect()
    client.send("hello")
    #expect(world.run { client.text == "hello" })
  }

  @Test func `is none with a certificate whose time is over`() throws {
    try secured(validFrom: -7_200, validTo: -3_600)
    let client = world.connect()
    #expect(world.run { client.isOver })
    #expect(client.failure == .untrusted("certificate has expired"))
  }

  @Test func `accepts any certificate, when it is asked to`() throws {
    try secured(["example.org"], validTo: -1) {
      $0.trusted = nil
      $0.verifies = false
    }
    let client = world.connect()
    client.send("hello")
    #expect(world.run { client.text == "hello" })
  }

  @Test func `that ends without a goodbye is truncated`() throws {
    let identity = try TLSIdentity.selfSigned(for: ["localhost"]).get()
    var settings = TLSClientSettings()
    if case .text(let text) = identity { settings.trusted = text }
    let server = TLSServer(identity)
    var bare: (any Transport)?
    let scheduler = world.scheduler
    var secured: Party?
    let isListening = world.network.listen(at: "server") { transport in
      bare = transport
      secured = Party(server.secure(transport, scheduler: scheduler))
    }
    #expect(isListening)
    world.network.destinations["server"] = Destination(
      .internet(host: "127.0.0.1", port: 0),
      security: TLSClient(host: "localhost", context: TLSContext(settings)))
    let client = world.connect()
    client.send("all, please")
    #expect(world.run { secured?.text == "all, please" })
    secured?.send("half of")
    bare?.shutDownWriting()
    #expect(world.run { client.isOver })
    #expect(client.text == "half of")
    #expect(client.failure == .truncated)
  }

  @Test func `is given up with a client that does not agree on keys`() throws {
    let identity = try TLSIdentity.selfSigned(for: ["localhost"]).get()
    let server = TLSServer(identity, longestHandshake: 20_000)
    try #require(world.listen(at: "server", ListeningPlace(security: server)))
    let client = world.connect()
    client.send("\u{16}\u{3}\u{1}")
    #expect(world.run { client.isOver })
    #expect(
      world.accepted.first?.failure == .notSecure("the other side did not agree on keys in time"))
  }

  @Test(arguments: [true, false])
  func `is none with a server that leaves, in whatever way`(resets: Bool) {
    let isListening = world.listen { party in
      party.then = { [unowned party] _ in
        if resets { party.transport.abort() } else { party.transport.close() }
      }
    }
    #expect(isListening)
    world.network.destinations["server"] = Destination(
      .internet(host: "127.0.0.1", port: 0),
      security: TLSClient(host: "localhost", context: TLSContext(TLSClientSettings())))
    let client = world.connect()
    #expect(world.run { client.isOver })
    #expect(client.failure == .notSecure("the other side left before keys were agreed on"))
  }

  @Test func `is none with a server that speaks something else`() throws {
    let isListening = world.listen { party in
      party.then = { [unowned party] _ in party.send("HTTP/1.1 400 Bad Request\r\n\r\n") }
    }
    #expect(isListening)
    world.network.destinations["server"] = Destination(
      .internet(host: "127.0.0.1", port: 0),
      security: TLSClient(host: "localhost", context: TLSContext(TLSClientSettings())))
    let client = world.connect()
    #expect(world.run { client.isOver })
    #expect(client.failure == .notSecure("wrong version number"))
  }

  @Test func `says which file holds no certificates`() throws {
    try secured { $0.trustedFile = "/nowhere/at/all.pem" }
    let client = world.connect()
    #expect(client.lines == [])
    #expect(world.run { client.isOver })
    guard case .notSecure(let words) = client.failure else {
      return #expect(client.failure == .notSecure(""))
    }
    #expect(words.hasPrefix("no certificates in /nowhere/at/all.pem: "))
  }

  @Test func `runs in memory as well`() throws {
    let identity = try TLSIdentity.selfSigned(for: ["localhost"]).get()
    var settings = TLSClientSettings()
    if case .text(let text) = identity { settings.trusted = text }
    let network = MemoryNetwork(on: world.scheduler)
    network.toServer = LinkConditions(fragments: [1, 7])
    var server: Party?
    let isListening = network.listen(at: "server") { [world] transport in
      server = Party(TLSServer(identity).secure(transport, scheduler: world.scheduler))
    }
    #expect(isListening)
    let security = TLSClient(host: "localhost", context: TLSContext(settings))
    let client = Party(
      security.secure(network.connect(to: "server"), scheduler: world.scheduler))
    client.transport.send(Array("hello".utf8))
    while world.scheduler.runNext(upTo: Scheduler.endOfTime) {}
    #expect(client.lines == ["connected"])
    #expect(server?.text == "hello")
  }
}
