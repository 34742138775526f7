import Testing

@testable import World

/// A record of the events of one end, with their times.
final class Witness {
  let scheduler: Scheduler
  var lines: [String] = []
  var received: [UInt8] = []

  init(_ scheduler: Scheduler, _ end: any Transport) {
    self.scheduler = scheduler
    end.onEvent = { [self] in take($0) }
  }

  func take(_ event: TransportEvent) {
    let what: String
    switch event {
    case .connected: what = "connected"
    case .received(let bytes):
      received += bytes
      what = "\(bytes.count)"
    case .ended, .halfClosed: what = "ended"
    case .writable: what = "writable"
    case .failed(let failure): what = failure.name
    }
    lines.append("\(scheduler.now) \(what)")
  }
}

struct `a connection in memory` {
  let scheduler = Scheduler()
  let hello = Array("hello".utf8)

  func pipe(
    _ toServer: LinkConditions = LinkConditions(), _ toClient: LinkConditions = LinkConditions()
  ) -> (MemoryPipe, Witness, Witness) {
    let pipe = MemoryPipe(on: scheduler, toServer: toServer, toClient: toClient)
    return (pipe, Witness(scheduler, pipe.client), Witness(scheduler, pipe.server))
  }

  @Test func `at zero latency bytes arrive in the same instant, but later`() {
    let (pipe, _, server) = pipe()
    pipe.client.send(hello)
    #expect(server.lines == [])
    scheduler.runThisInstant()
    #expect(server.lines == ["0 5"])
    #expect(server.received == hello)
  }

  @Test func `each direction has its own latency`() {
    let (pipe, client, server) = pipe(LinkConditions(latency: 30), LinkConditions(latency: 7))
    pipe.client.send(hello)
    pipe.server.send(hello)
    scheduler.runAll()
    #expect(server.lines == ["30 5"])
    #expect(client.lines == ["7 5"])
  }

  @Test func `bytes never overtake each other, even when latency shrinks`() {
    let (pipe, _, server) = pipe(LinkConditions(latency: 30))
    pipe.client.send([1])
    pipe.client.outgoing = LinkConditions(latency: 0)
    pipe.client.send([2])
    scheduler.runAll()
    #expect(server.received == [1, 2])
    #expect(server.lines == ["30 1", "30 1"])
  }

  @Test func `bytes arrive in pieces of the given sizes, which are used in turn`() {
    let (pipe, _, server) = pipe(LinkConditions(fragments: [1, 3, -4, 0]))
    pipe.client.send(hello)
    pipe.client.send(hello)
    scheduler.runAll()
    #expect(server.lines == ["0 1", "0 3", "0 1", "0 3", "0 1", "0 1"])
    #expect(server.received == hello + hello)
  }

  @Test func `the end of what was sent is no end of what is received`() {
    let (pipe, client, server) = pipe()
    pipe.client.send(hello)
    pipe.client.shutDownWriting()
    #expect(!pipe.client.send(hello))
    scheduler.runAll()
    pipe.server.send(hello)
    pipe.server.close()
    scheduler.runAll()
    #expect(server.lines == ["0 5", "0 ended"])
    #expect(client.lines == ["0 5", "0 ended"])
  }

  @Test func `leaving without a goodbye is a reset, behind what was sent`() {
    let (pipe, client, server) = pipe(LinkConditions(latency: 10))
    pipe.client.send(hello)
    pipe.client.abort()
    pipe.server.send(hello)
    scheduler.runAll()
    #expect(server.lines == ["10 5", "10 reset"])
    #expect(client.lines == [])
    #expect(!pipe.server.send(hello))
  }

  @Test func `bytes for one who has left are answered with a reset`() {
    let (pipe, client, server) = pipe(LinkConditions(latency: 5), LinkConditions(latency: 5))
    pipe.client.close()
    pipe.server.send(hello)
    scheduler.runAll()
    #expect(server.lines == ["5 ended", "10 reset"])
    #expect(client.lines == [])
  }

  @Test func `what arrives before anybody listens waits`() {
    let pipe = MemoryPipe(on: scheduler)
    pipe.client.send(hello)
    pipe.client.shutDownWriting()
    scheduler.runAll()
    let server = Witness(scheduler, pipe.server)
    scheduler.runAll()
    #expect(server.lines == ["0 5", "0 ended"])
  }

  @Test func `a receiver that holds back gets everything later, in order`() {
    let (pipe, _, server) = pipe()
    pipe.server.isReceiving = false
    pipe.client.send([1])
    pipe.client.send([2])
    pipe.client.shutDownWriting()
    scheduler.runAll()
    #expect(server.lines == [])
    scheduler.advance(to: 9)
    pipe.server.isReceiving = true
    pipe.server.isReceiving = true
    scheduler.runAll()
    #expect(server.received == [1, 2])
    #expect(server.lines == ["9 1", "9 1", "9 ended"])
  }

  @Test func `a receiver that holds back is notified of a reset, and loses what it did not take`() {
    let (pipe, _, server) = pipe()
    pipe.server.isReceiving = false
    pipe.client.send([1])
    pipe.client.abort()
    scheduler.runAll()
    pipe.server.isReceiving = true
    scheduler.runAll()
    #expect(server.lines == ["0 reset"])
  }

  @Test func `a sender is asked to wait, and notified when to continue`() {
    let (pipe, client, _) = pipe()
    pipe.server.isReceiving = false
    #expect(pipe.client.send(hello))
    #expect(!pipe.client.send([UInt8](repeating: 0, count: MemoryPipe.window)))
    scheduler.runAll()
    #expect(client.lines == [])
    pipe.server.isReceiving = true
    scheduler.runAll()
    #expect(client.lines == ["0 writable"])
    #expect(pipe.client.send(hello))
  }

  @Test func `more than the way holds breaks the connection for both`() {
    let (pipe, client, server) = pipe()
    pipe.server.isReceiving = false
    pipe.client.send([UInt8](repeating: 0, count: MemoryPipe.maximumBytesOnTheWay))
    #expect(!pipe.client.send([1]))
    scheduler.runAll()
    #expect(client.lines == ["0 overfull"])
    #expect(server.lines == ["0 overfull"])
  }

  @Test func `the two ends are freed when both have left`() {
    weak var freed: MemoryPipe.End?
    do {
      let (pipe, _, _) = pipe()
      freed = pipe.server
      pipe.client.close()
      pipe.server.close()
      scheduler.runAll()
    }
    #expect(freed == nil)
  }
}

struct `a network in memory` {
  let scheduler = Scheduler()

  @Test func `a client reaches the server under its name, and may send at once`() {
    let network = MemoryNetwork(on: scheduler)
    var servers: [Witness] = []
    let listens = network.listen(at: "api") { servers.append(Witness(scheduler, $0)) }
    #expect(listens)
    #expect(!network.listen(at: "api") { _ in })
    let end = network.connect(to: "api")
    let client = Witness(scheduler, end)
    end.send([1, 2])
    scheduler.runAll()
    #expect(client.lines == ["0 connected"])
    #expect(servers.map(\.lines) == [["0 2"]])
  }

  @Test func `connections are counted in the order of connecting`() {
    let network = MemoryNetwork(on: scheduler)
    var accepted: [Int] = []
    _ = network.listen(at: "a") { accepted.append($0.connection) }
    #expect(network.connect(to: "nobody").connection == 1)
    #expect(network.connect(to: "a").connection == 2)
    scheduler.runAll()
    #expect(accepted == [2])
  }

  @Test func `nobody listening refuses, no network is unreachable`() {
    let network = MemoryNetwork(on: scheduler)
    network.connectLatency = 4
    let refused = Witness(scheduler, network.connect(to: "api"))
    scheduler.runAll()
    network.isOnline = false
    let unreachable = Witness(scheduler, network.connect(to: "api"))
    scheduler.runAll()
    #expect(refused.lines == ["4 refused"])
    #expect(unreachable.lines == ["8 unreachable"])
  }

  @Test func `bytes sent while connecting do not arrive before the connection`() {
    let network = MemoryNetwork(on: scheduler)
    network.connectLatency = 20
    network.toServer = LinkConditions(latency: 1)
    var server: Witness?
    _ = network.listen(at: "api") { server = Witness(scheduler, $0) }
    network.connect(to: "api").send([1])
    scheduler.runAll()
    #expect(server?.lines == ["20 1"])
  }

  @Test func `a server that speaks first is heard after the connection is made`() {
    let network = MemoryNetwork(on: scheduler)
    _ = network.listen(at: "api") { $0.send([1]) }
    let client = Witness(scheduler, network.connect(to: "api"))
    scheduler.runAll()
    #expect(client.lines == ["0 connected", "0 1"])
  }

  @Test func `breaking everything notifies both ends of every connection`() {
    let network = MemoryNetwork(on: scheduler)
    var server: Witness?
    _ = network.listen(at: "api") { server = Witness(scheduler, $0) }
    let client = Witness(scheduler, network.connect(to: "api"))
    scheduler.runAll()
    network.resetAll()
    scheduler.runAll()
    #expect(client.lines == ["0 connected", "0 reset"])
    #expect(server?.lines == ["0 reset"])
  }

  @Test func `discarding a network frees the ends that are still open`() {
    let network = MemoryNetwork(on: scheduler)
    weak var freed: AnyObject?
    do {
      let end = network.connect(to: "nobody")
      freed = end
    }
    scheduler.discardAll()
    network.discardAll()
    #expect(freed == nil)
  }

  @Test(arguments: [1, 2, 3] as [UInt64])
  func `the same seed gives the same run, byte for byte`(seed: UInt64) {
    #expect(run(seed) == run(seed))
    #expect(run(seed) != run(seed + 1))
  }

  /// Ten clients that talk at random to a server that echoes.
  private func run(_ seed: UInt64) -> [String] {
    let scheduler = Scheduler()
    let network = MemoryNetwork(on: scheduler)
    let chance = SeededRandom(seed: seed)
    network.toServer = LinkConditions(latency: 50, fragments: [3, 5])
    _ = network.listen(at: "echo") { end in
      end.onEvent = { [unowned end] in
        if case .received(let bytes) = $0 { end.send(bytes) }
      }
    }
    let log = Log()
    for number in 0..<10 {
      var own = chance.stream("client \(number)")
      let end = network.connect(to: "echo")
      end.onEvent = { log.lines.append("\(scheduler.now) \(number) \($0)") }
      for _ in 0..<5 {
        let bytes = own.bytes(own.int(in: 1...20))
        scheduler.schedule(after: Int64(own.int(in: 0...300)), phase: .source) { end.send(bytes) }
      }
    }
    scheduler.runAll()
    network.discardAll()
    return log.lines
  }
}
