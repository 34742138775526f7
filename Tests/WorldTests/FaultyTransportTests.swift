import Testing

@testable import World

struct `a connection over a faulty line` {
  let scheduler = Scheduler()
  let hello = Array("hello".utf8)
  let faults = FaultLog()

  /// The two ends of a connection, its client's over a line.
  func connection(
    _ line: FaultyLine, latency: Int64 = 0
  ) -> (client: FaultyTransport, server: MemoryPipe.End, Witness, Witness) {
    let pipe = MemoryPipe(
      on: scheduler, toServer: LinkConditions(latency: latency),
      toClient: LinkConditions(latency: latency))
    let client = FaultyTransport(pipe.client, over: line, on: scheduler) { [faults] in
      faults.add($0, $1)
    }
    faults.client = client
    return (client, pipe.server, Witness(scheduler, client), Witness(scheduler, pipe.server))
  }

  func line(
    fragments: [Int] = [], seed: UInt64 = 1, _ set: (inout FaultShares) -> Void = { _ in }
  ) -> FaultyLine {
    var shares = FaultShares()
    set(&shares)
    return FaultyLine(
      to: "api", LineConditions(fragments: fragments, faults: shares),
      chance: SeededRandom(seed: seed))
  }

  @Test func `without faults all passes as it comes`() {
    let (client, server, seen, arrived) = connection(line())
    client.send(hello)
    server.send(hello)
    scheduler.runAll()
    server.close()
    scheduler.runAll()
    #expect(arrived.lines == ["0 5"])
    #expect(seen.lines == ["0 5", "0 ended"])
  }

  @Test func `a machine that sleeps receives all at the waking, in its order, and nothing is lost`()
  {
    let (_, server, seen, _) = connection(line(), latency: 3)
    scheduler.sleep(for: 100, timersAreDue: false)
    server.send(hello)
    server.send([UInt8](repeating: 7, count: 2 << 20))
    server.close()
    scheduler.runAll()
    #expect(seen.lines.first == "100 5" && seen.lines.last == "100 ended")
    #expect(seen.received.count == (2 << 20) + hello.count)
  }

  @Test func `a machine that sleeps does not take more than some bytes from a server`() {
    let (_, server, seen, _) = connection(line())
    var sent = 0
    scheduler.sleep(for: 1_000, timersAreDue: false)
    for _ in 0..<100 where server.send([UInt8](repeating: 7, count: 1 << 16)) {
      sent += 1
      _ = scheduler.runNext(upTo: 0)
    }
    #expect(sent < 50)
    scheduler.runAll()
    #expect(seen.received.count >= sent << 16)
  }

  @Test func `fragments cut bytes in both directions, in turn`() {
    let (client, server, seen, arrived) = connection(line(fragments: [1, 3]))
    client.send(hello)
    server.send(hello)
    server.shutDownWriting()
    scheduler.runAll()
    #expect(arrived.lines == ["0 1", "0 3", "0 1"])
    #expect(seen.lines == ["0 1", "0 3", "0 1", "0 ended"])
    #expect(arrived.received == hello && seen.received == hello)
  }

  @Test func `the pieces of what was sent are no loop, however many they are`() {
    let scheduler = Scheduler(jobsAtOneInstant: 100)
    let pipe = MemoryPipe(on: scheduler)
    let client = FaultyTransport(pipe.client, over: line(fragments: [1]), on: scheduler) { _, _ in }
    var count = 0
    client.onEvent = { if case .received(let bytes) = $0 { count += bytes.count } }
    pipe.server.send([UInt8](repeating: 7, count: 1000))
    scheduler.runAll()
    #expect(count == 1000)
    #expect(scheduler.exceeded == nil)
  }

  @Test func `a break loses nothing that a client goes on reading, however much it is`() {
    let (_, server, seen, _) = connection(line(fragments: [65_536]))
    server.send([UInt8](repeating: 7, count: 2 << 20))
    server.send(hello)
    server.abort()
    scheduler.runAll()
    #expect(seen.received.count == (2 << 20) + hello.count)
    #expect(seen.lines.last == "0 reset")
  }

  @Test func `a dropped piece ends the connection for both sides`() {
    let (client, _, seen, arrived) = connection(line { $0.drop = 1 })
    client.send(hello)
    #expect(seen.lines == [])
    scheduler.runAll()
    #expect(seen.lines == ["0 ended"])
    #expect(arrived.lines == ["0 ended"])
    #expect(faults.lines == ["dropped toServer"])
    client.send(hello)
    client.close()
    scheduler.runAll()
    #expect(arrived.lines == ["0 ended"])
  }

  @Test func `a reset breaks the connection for both sides`() {
    let (_, server, seen, arrived) = connection(line { $0.reset = 1 })
    server.send(hello)
    scheduler.runAll()
    #expect(seen.lines == ["0 reset"])
    #expect(arrived.lines == ["0 reset"])
    #expect(faults.lines == ["reset toClient"])
  }

  @Test func `in a stalled direction nothing arrives any more, and the other one is well`() {
    let stalling = line { $0.stall = 1 }
    let (client, server, seen, arrived) = connection(stalling)
    server.send(hello)
    scheduler.runAll()
    stalling.conditions.faults = FaultShares()
    server.send(hello)
    server.shutDownWriting()
    client.send(hello)
    scheduler.runAll()
    #expect(seen.lines == [])
    #expect(faults.lines == ["stalled toClient"])
    #expect(arrived.lines == ["0 5"])
  }

  @Test func `a corrupted piece differs in one bit`() {
    let (client, _, _, arrived) = connection(line { $0.corrupt = 1 })
    client.send(hello)
    scheduler.runAll()
    let bits = zip(arrived.received, hello).map { ($0 ^ $1).nonzeroBitCount }
    #expect(bits.count == 5 && bits.reduce(0, +) == 1)
    #expect(faults.lines == ["corrupted toServer"])
  }

  @Test func `a duplicated piece arrives twice`() {
    let (client, server, seen, arrived) = connection(line { $0.duplicate = 1 })
    client.send(hello)
    server.send(hello)
    scheduler.runAll()
    #expect(arrived.received == hello + hello)
    #expect(seen.received == hello + hello)
    #expect(faults.lines == ["duplicated toServer", "duplicated toClient"])
  }

  @Test func `delayed pieces stay in order, and the end behind them`() {
    let late = line {
      $0.delay = 0.5
      $0.longestDelay = 1000
    }
    let (client, server, seen, arrived) = connection(late)
    let text = Array("abcdefghijklmnopqrstuvwxyz".utf8)
    for byte in text {
      client.send([byte])
      server.send([byte])
    }
    server.shutDownWriting()
    scheduler.runAll()
    #expect(arrived.received == text && seen.received == text)
    #expect(seen.lines.last?.hasSuffix("ended") == true)
    #expect(scheduler.now > 0 && scheduler.now <= 1000)
  }

  @Test func `what was sent before leaving arrives before the goodbye, however late`() {
    let late = line {
      $0.delay = 1
      $0.longestDelay = 1000
    }
    let (client, _, seen, arrived) = connection(late)
    client.send(hello)
    client.close()
    scheduler.runAll()
    #expect(arrived.received == hello)
    #expect(arrived.lines.last?.hasSuffix("ended") == true)
    #expect(seen.lines == [])
  }

  @Test func `a client that holds back gets no piece until it reads`() {
    let (client, server, seen, _) = connection(line(fragments: [2]))
    client.isReceiving = false
    server.send(hello)
    scheduler.runAll()
    #expect(seen.lines == [])
    client.isReceiving = true
    #expect(seen.lines == [])
    scheduler.runAll()
    #expect(seen.received == hello)
  }

  @Test func `a receiver that never reads holds back a sender over a line that cuts`() {
    let (client, server, _, _) = connection(line(fragments: [1 << 16]))
    client.isReceiving = false
    var sent = 0
    while sent < 100, server.send([UInt8](repeating: 0, count: 1 << 20)) {
      sent += 1
      scheduler.runAll()
    }
    #expect(sent < 5)
  }

  @Test func `a sender waits for late pieces, and is asked for more`() {
    let late = line {
      $0.delay = 1
      $0.longestDelay = 1000
    }
    let (client, _, seen, _) = connection(late)
    var accepted = 0
    while accepted < 100, client.send([UInt8](repeating: 0, count: 1 << 18)) { accepted += 1 }
    #expect(accepted < 6)
    scheduler.runAll()
    #expect(seen.lines.contains { $0.hasSuffix("writable") })
  }

  @Test func `one seed gives the same faults, another one others`() {
    func run(_ seed: UInt64) -> [String] {
      let log = FaultLog()
      let faulty = line(seed: seed) {
        $0.corrupt = 0.3
        $0.duplicate = 0.3
      }
      let pipe = MemoryPipe(on: scheduler)
      let client = FaultyTransport(pipe.client, over: faulty, on: scheduler) { log.add($0, $1) }
      let seen = Witness(scheduler, pipe.server)
      for _ in 0..<30 { client.send(hello) }
      scheduler.runAll()
      return log.lines + [String(decoding: seen.received, as: UTF8.self)]
    }
    #expect(run(1) == run(1))
    #expect(run(1) != run(2))
  }

  @Test func `changing one share moves none of the others`() {
    var few = FaultShares()
    few.corrupt = 0.2
    var more = few
    more.duplicate = 0.5
    var draws = FaultDraws(SeededRandom(seed: 3))
    var same = draws
    let fates = (0..<200).map { _ in draws.outcome(ofPiece: 10, few).flip }
    #expect(fates == (0..<200).map { _ in same.outcome(ofPiece: 10, more).flip })
    #expect(fates.contains { $0 != nil } && fates.contains(nil))
  }

  @Test func `refusals are drawn once for each attempt`() {
    let refusing = line { $0.refuse = 0.5 }
    let attempts = (0..<100).map { _ in refusing.attempt() }
    #expect(attempts.map(\.number) == Array(1...100))
    #expect((20...80).contains(attempts.count(where: \.isRefused)))
  }
}

/// The faults that struck, in order.
final class FaultLog {
  private(set) var lines: [String] = []
  /// Kept for as long as a test lasts.
  var client: FaultyTransport?

  func add(_ fault: LineFault, _ direction: LineDirection) {
    lines.append("\(fault) \(direction.rawValue)")
  }
}
