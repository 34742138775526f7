import Glibc
import Protocols
import World

/// Measures a million timers, scheduled in disorder and fired in order: the cost of virtual time.
func timersBenchmark() {
  let count = 1_000_000
  var chance = SeededRandom(seed: 1)
  let delays = (0..<count).map { _ in Int64(chance.int(in: 0...3_600_000_000)) }
  let fired = Tally()
  let seconds = measure {
    let scheduler = Scheduler()
    for delay in delays { scheduler.schedule(after: delay, phase: .source) { fired.count += 1 } }
    while scheduler.runNext(upTo: Scheduler.endOfTime) {}
  }
  precondition(fired.count == runs * count)
  figure("timers", "million-timers", seconds, "s")

  let schedulers = 100_000
  let making = measure {
    for _ in 0..<schedulers { fired.count += Scheduler().count }
  }
  figure("timers", "scheduler-creation", making / Double(schedulers) * 1e6, "us")
}

/// Measures one request and its response, through serializers, a connection in memory and parsers.
func exchangeBenchmark() {
  let count = 100_000
  let bench = ExchangeBench()
  let kept = measure { for _ in 0..<count { bench.exchange() } }
  precondition(bench.delivered == runs * count)
  figure("exchange", "exchange-kept-alive", kept / Double(count) * 1e6, "us")

  let single = measure { for _ in 0..<count { ExchangeBench().exchange() } }
  figure("exchange", "exchange-with-world-and-connection", single / Double(count) * 1e6, "us")
}

private final class Tally {
  var count = 0
}

/// A client and a server on one connection in memory.
private final class ExchangeBench {
  var delivered = 0
  private let scheduler = Scheduler()
  private let network: MemoryNetwork
  private var client = HTTPClientConnection()
  private var server = HTTPServerConnection()
  private let clientEnd: any Transport
  private let request = HTTPRequest(
    method: "GET", target: "/fact?max=140",
    headers: ["Host": "api", "Accept": "application/json", "User-Agent": "rehearse"])
  private let response = HTTPResponse(
    status: 200, headers: ["Content-Type": "application/json", "Cache-Control": "no-store"],
    body: Array(#"{"fact":"Cats sleep for 70% of their lives","length":34}"#.utf8))

  init() {
    network = MemoryNetwork(on: scheduler)
    let box = Box()
    _ = network.listen(at: "api") { box.bench?.serve($0) }
    clientEnd = network.connect(to: "api")
    box.bench = self
    clientEnd.onEvent = { [unowned self] event in
      if case .received(let bytes) = event { act(client.on(.bytesReceived(bytes)), clientEnd) }
    }
  }

  deinit { network.discardAll() }

  func exchange() {
    act(client.on(.requestSent(request)), clientEnd)
    while scheduler.runNext(upTo: scheduler.now) {}
  }

  private func serve(_ end: any Transport) {
    end.onEvent = { [unowned self] event in
      if case .received(let bytes) = event { act(server.on(.bytesReceived(bytes)), end) }
    }
  }

  private func act(_ actions: [HTTPClientConnection.Action], _ end: any Transport) {
    for action in actions {
      if case .send(let bytes) = action { end.send(bytes) }
      if case .deliver = action { delivered += 1 }
    }
  }

  private func act(_ actions: [HTTPServerConnection.Action], _ end: any Transport) {
    for action in actions {
      if case .send(let bytes) = action { end.send(bytes) }
      if case .requestArrived = action { act(server.on(.responded(response)), end) }
    }
  }

  private final class Box {
    unowned var bench: ExchangeBench?
  }
}

private let runs = 3

/// Returns the best of some runs: other work of the machine can only add time.
private func measure(_ work: () -> Void) -> Double {
  var best = Double.infinity
  for _ in 0..<runs {
    let start = seconds()
    work()
    best = min(best, seconds() - start)
  }
  return best
}

private func seconds() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

private func figure(_ benchmark: String, _ name: String, _ value: Double, _ unit: String) {
  print(
    #"{"benchmark":"\#(benchmark)","figure":"\#(name)","value":\#(value),"unit":"\#(unit)"}"#)
}
