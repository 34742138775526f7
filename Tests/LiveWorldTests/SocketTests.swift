import Glibc
import Testing
import World

@testable import LiveWorld

@Suite struct `a connection over sockets` {
  let world: Loopback
  let megabytes = [UInt8](repeating: 7, count: 24 << 20)

  init() throws { world = try Loopback() }

  @Test(arguments: [
    Address.internet(host: "127.0.0.1", port: 0), .internet(host: "::1", port: 0),
    .unix(path: "@rehearsal-echo-\(getpid())"), .unix(path: "/tmp/rehearsal-echo-\(getpid())"),
  ])
  func `carries bytes both ways over every kind of address`(_ address: Address) throws {
    try #require(world.listen(at: "server", ListeningPlace(address)) { $0.echo() })
    if case .internet(let host, 0) = address {
      world.network.destinations["server"] = Destination(.internet(host: host, port: 0))
    }
    let client = world.connect()
    client.send("hello")
    #expect(world.run { client.text == "hello" })
    client.transport.shutDownWriting()
    #expect(world.run { client.isOver })
    #expect(client.lines == ["connected", "ended"])
    #expect(world.run { world.network.openSockets == 0 })
  }

  @Test func `leads to a place without a name, whatever happens to the links`() throws {
    try #require(world.listen { $0.echo() })
    let port = try #require(world.network.port(of: "server"))
    let client = Party(
      world.network.connect(to: Destination(.internet(host: "127.0.0.1", port: port))))
    client.send("hello")
    #expect(world.run { client.text == "hello" })
    world.network.setLink(to: "server", isOnline: false, latency: 0)
    client.send("!")
    #expect(world.run { client.text == "hello!" })
    #expect(!client.wasInterrupted)
    client.transport.abort()
    #expect(world.run { world.network.openSockets == 0 })
  }

  @Test func `to a place without a name fails with the system's reason`() throws {
    let nowhere = Destination(.internet(host: "127.0.0.1", port: 1))
    let client = Party(world.network.connect(to: nowhere))
    #expect(client.lines == [])
    #expect(world.run { client.failure == .refused })
  }

  @Test func `has one number at both its ends`() throws {
    try #require(world.listen())
    let clients = (1...3).map { _ in world.connect() }
    #expect(world.run { world.accepted.count == 3 })
    #expect(clients.map(\.transport.connection) == [1, 2, 3])
    #expect(world.accepted.map(\.transport.connection) == [1, 2, 3])
  }

  @Test func `takes more than the system holds, and asks to wait`() throws {
    try #require(world.listen { $0.transport.isReceiving = false })
    let client = world.connect()
    #expect(world.run { world.accepted.count == 1 && client.lines == ["connected"] })
    #expect(client.send(megabytes) == false)
    world.run(for: 30_000)
    #expect(client.lines == ["connected"])
    #expect(world.accepted[0].received.isEmpty)
    world.accepted[0].transport.isReceiving = true
    #expect(world.run { world.accepted[0].received.count == megabytes.count })
    #expect(world.run { client.lines == ["connected", "writable"] })
    #expect(world.accepted[0].received == megabytes)
    #expect(!client.wasInterrupted)
  }

  @Test func `breaks when more is sent than it holds`() throws {
    try #require(world.listen { $0.transport.isReceiving = false })
    let client = world.connect()
    for _ in 0..<4 { _ = client.send(megabytes) }
    #expect(client.lines == [])
    #expect(world.run { client.failure == .overfull })
    #expect(!client.wasInterrupted)
  }

  @Test func `that is half closed goes on the other way`() throws {
    try #require(world.listen())
    let client = world.connect()
    client.send("question")
    client.transport.shutDownWriting()
    #expect(world.run { world.accepted.first?.lines == ["ended"] })
    #expect(world.accepted[0].text == "question")
    world.accepted[0].send("answer")
    #expect(world.run { client.text == "answer" })
    world.accepted[0].transport.shutDownWriting()
    #expect(world.run { client.lines == ["connected", "ended"] })
    #expect(world.run { world.network.openSockets == 0 })
  }

  @Test func `that is aborted is reset for the other side`() throws {
    try #require(world.listen())
    let client = world.connect()
    #expect(world.run { world.accepted.count == 1 && !client.lines.isEmpty })
    world.accepted[0].transport.abort()
    #expect(world.run { client.isOver })
    #expect(client.failure == .reset)
    #expect(world.accepted[0].lines == [])
    #expect(world.run { world.network.openSockets == 0 })
  }

  @Test func `says goodbye after all it was given, even when it is closed at once`() throws {
    try #require(world.listen { _ in })
    let client = world.connect()
    _ = client.send(megabytes)
    client.transport.close()
    #expect(world.run { world.accepted.first?.isOver == true })
    #expect(world.accepted[0].lines == ["ended"])
    #expect(world.accepted[0].received.count == megabytes.count)
    #expect(world.run { client.lines == [] && world.network.openSockets <= 1 })
  }

  @Test func `resets what is sent to an end that has closed`() throws {
    try #require(world.listen { $0.transport.close() })
    let client = world.connect()
    #expect(world.run { client.isOver })
    client.send("too late")
    #expect(world.run { client.failure != nil || client.send([1]) == false })
    #expect(world.run { client.failure == .reset })
  }

  @Test func `is refused where nobody listens`() throws {
    try #require(world.listen())
    let port = try #require(world.network.port(of: "server"))
    world.network.stopListening(at: "server")
    world.network.destinations["server"] = Destination(.internet(host: "localhost", port: port))
    let client = world.connect()
    #expect(client.lines == [])
    #expect(world.run { client.isOver })
    #expect(client.failure == .refused)
    let stranger = world.connect(to: "nobody")
    #expect(world.run { stranger.failure == .refused })
    #expect(!world.network.mayBringMore)
  }

  @Test func `to a name nobody knows says what the resolver says`() throws {
    world.network.destinations["server"] = Destination(
      .internet(host: "no-such-host.invalid", port: 80))
    let client = world.connect()
    #expect(world.network.mayBringMore)
    #expect(world.run { client.isOver })
    guard case .nameNotFound(let text) = client.failure else {
      return #expect(client.failure == .nameNotFound(""))
    }
    #expect(text.hasPrefix("no-such-host.invalid: "))
    #expect(!world.network.mayBringMore)
  }

  @Test func `is not listened for twice`() throws {
    try #require(world.listen())
    #expect(!world.listen())
    let port = try #require(world.network.port(of: "server"))
    let taken = ListeningPlace(.internet(host: "127.0.0.1", port: port))
    #expect(!world.listen(at: "other", taken))
    #expect(world.network.listenFailure == .outOfPorts)
  }
}

@Suite struct `the way between sockets` {
  let world: Loopback

  init() throws { world = try Loopback() }

  @Test func `takes as long as it is asked to`() throws {
    try #require(world.listen { $0.echo() })
    world.network.setLink(to: "server", isOnline: true, latency: 30_000)
    let client = world.connect()
    let start = world.scheduler.now
    client.send("hello")
    #expect(world.run { client.text == "hello" })
    #expect(world.scheduler.now - start >= 60_000)
  }

  @Test func `that is cut resets what there is, and lets nobody through`() throws {
    try #require(world.listen())
    let client = world.connect()
    #expect(world.run { world.accepted.count == 1 && !client.lines.isEmpty })
    world.network.setLink(to: "server", isOnline: false, latency: 0)
    #expect(world.run { client.isOver && world.accepted[0].isOver })
    #expect(client.failure == .reset)
    #expect(world.accepted[0].failure == .reset)
    let next = world.connect()
    #expect(next.lines == [])
    #expect(world.run { next.failure == .unreachable })
    world.network.setLink(to: "server", isOnline: true, latency: 0)
    let last = world.connect()
    #expect(world.run { last.lines == ["connected"] })
  }

  @Test func `leaves nothing open, and notifies nobody, when all is discarded`() throws {
    try #require(world.listen())
    let clients = (0..<5).map { _ in world.connect() }
    #expect(world.run { world.accepted.count == 5 })
    #expect(world.network.openSockets == 10)
    world.network.discardAll()
    #expect(world.network.openSockets == 0)
    #expect(clients.allSatisfy { $0.failure == nil })
    #expect(world.accepted.allSatisfy { !$0.isOver })
  }
}

@Suite struct `an event loop` {
  @Test func `is freed with all its sockets, whatever they were doing`() throws {
    weak var freed: EventLoop?
    do {
      let scheduler = Scheduler()
      guard let loop = EventLoop(scheduler) else { return }
      freed = loop
      let network = SocketNetwork(on: loop)
      var ends: [any Transport] = []
      #expect(network.listen(at: "server") { ends.append($0) })
      for _ in 0..<3 {
        let client = network.connect(to: "server")
        client.send([1, 2, 3])
        ends.append(client)
      }
      for _ in 0..<20 {
        while scheduler.runNext(upTo: scheduler.now) {}
        loop.poll(until: scheduler.now + 1_000)
      }
      #expect(ends.count == 6)
      ends[0].abort()
      ends[1].close()
      ends[4].onEvent = { _ in }
      ends = []
      scheduler.discardAll()
      network.discardAll()
    }
    #expect(freed == nil)
  }

  @Test func `comes to a timer in time, even if a peer never pauses and the loop polls meanwhile`()
    throws
  {
    let world = try Loopback()
    let piece = [UInt8](repeating: 1, count: 10_000)
    try #require(world.listen { server in server.then = { _ in server.received = [] } })
    let client = world.connect()
    try #require(world.run { !world.accepted.isEmpty && client.lines == ["connected"] })
    let server = world.accepted[0]
    server.then = { _ in
      server.received = []
      _ = client.send(piece)
    }
    _ = client.send(piece)
    var firedAt: Int64?
    let due = world.scheduler.now + 10_000
    world.scheduler.schedule(at: due, phase: .source) { firedAt = world.scheduler.now }
    while firedAt == nil, world.scheduler.now < due + 5_000_000 {
      world.scheduler.runNext(upTo: world.scheduler.now)
      world.loop.poll(until: world.scheduler.now)
    }
    #expect(firedAt != nil)
  }

  @Test func `moves the clock along with real time`() throws {
    let scheduler = Scheduler()
    let loop = try #require(EventLoop(scheduler))
    let start = monotonicClock()
    loop.poll(until: scheduler.now + 20_000)
    #expect(scheduler.now >= 20_000)
    #expect(scheduler.now <= (monotonicClock() - start) / 1_000 + 20_000)
  }

  @Test func `runs jobs no earlier than they are due, and those that are late at the time it is`()
    throws
  {
    let scheduler = Scheduler()
    let loop = try #require(EventLoop(scheduler))
    var times: [Int64] = []
    for due: Int64 in [3_000, 1_000] {
      scheduler.schedule(at: due, phase: .source) { times.append(scheduler.now) }
    }
    loop.poll(until: 5_000)
    while scheduler.runNext(upTo: scheduler.now) {}
    #expect(times.count == 2)
    #expect(times.allSatisfy { $0 >= 5_000 })
  }

  @Test func `goes on with what another thread has found out`() throws {
    let scheduler = Scheduler()
    let loop = try #require(EventLoop(scheduler))
    var found: [Int] = []
    for number in 1...4 { loop.workElsewhere({ number * number }, then: { found.append($0) }) }
    #expect(found == [])
    while loop.awaitsThreads { loop.poll(until: nil) }
    #expect(found.sorted() == [1, 4, 9, 16])
  }

  @Test func `may go before a thread that works for it is done`() throws {
    let scheduler = Scheduler()
    var loop = EventLoop(scheduler)
    var isTold = false
    loop?.workElsewhere({ usleep(20_000) }, then: { _ in isTold = true })
    loop = nil
    usleep(40_000)
    #expect(!isTold)
  }
}
