import CEpollPair
import Diagnostics
import Glibc
import LiveWorld
import Protocols
import ScenarioEngine
import ScenarioRuns
import World

/// Measures requests one after the other on one connection over loopback, the same with bare
/// sockets, and whole scenarios.
func httpBenchmark() {
  printFigure("http", "get-keep-alive-in-one-thread", rate(gets(50_000, secured: false)), "1/s")
  let ours = rate(getsFromThread(50_000))
  let least = (50_000 / cepollpair_gets(50_000)).rounded()
  printFigure("http", "get-keep-alive", ours, "1/s")
  printFigure("http", "get-keep-alive-in-c", least, "1/s")
  printFigure("http", "get-keep-alive-share", thousandths(ours / least), "of C; 0.8 wanted")
  printFigure("http", "get-keep-alive-scenario", rate(scenarioGets(2_000)), "1/s")
  let before = residentKibibytes()
  printFigure(
    "http", "three-requests-on-sockets", rate(shortScenarios(2_000)), "1/CPU-s; 1750 wanted")
  printFigure("http", "memory", Double(residentKibibytes()) / 1024, "MiB; 20 wanted")
  printFigure("http", "memory-growth", Double(residentKibibytes() - before) / 1024, "MiB")
}

/// Measures the memory of idle connections with both ends in this process, and the clients for
/// `async` code.
func connectionsBenchmark(only: String?) {
  asyncClientsBenchmark(only: only)
  if only != nil { return }
  printFigure(
    "connections", "memory-per-connection", memoryPerConnection(2_000), "KiB; 40 wanted")
}

/// Measures the additional cost of secure connections.
func tlsBenchmark() {
  let began = processorTime()
  guard let identity = try? TLSIdentity.selfSigned(for: ["localhost"]).get() else {
    return print("OpenSSL is not there")
  }
  printFigure("tls", "first-use-of-openssl", thousandths((processorTime() - began) * 1e3), "ms")
  let secured = rate(getsFromThread(20_000, identity))
  let plain = rate(getsFromThread(20_000))
  printFigure("tls", "get-keep-alive-tls", secured, "1/s")
  printFigure("tls", "get-keep-alive-share", thousandths(secured / plain), "of plain; 0.85 wanted")
  let alone = rate(gets(20_000, secured: true, identity))
  let plainAlone = rate(gets(20_000, secured: false))
  printFigure("tls", "get-keep-alive-tls-in-one-thread", alone, "1/s")
  printFigure(
    "tls", "get-keep-alive-share-in-one-thread", thousandths(alone / plainAlone), "of plain")
  printFigure("tls", "handshakes-tls", rate(handshakes(300, identity)), "1/s")
}

private func rate(_ run: (count: Int, seconds: Double)) -> Double {
  (Double(run.count) / run.seconds).rounded()
}

private func thousandths(_ value: Double) -> Double { (value * 1e3).rounded() / 1e3 }

private func client(trusting identity: TLSIdentity) -> TLSClient {
  var settings = TLSClientSettings()
  if case .text(let text) = identity { settings.trusted = text }
  return TLSClient(host: "localhost", context: TLSContext(settings))
}

/// A world of sockets with one echoing server, and the loop around it.
private final class Bench {
  let scheduler = Scheduler()
  let loop: EventLoop
  let network: SocketNetwork
  private var links: [ServerEnd] = []

  init?(_ identity: TLSIdentity? = nil) {
    guard let loop = EventLoop(scheduler) else { return nil }
    self.loop = loop
    network = SocketNetwork(on: loop)
    if let identity {
      network.places["server"] = ListeningPlace(security: TLSServer(identity))
      network.destinations["server"] = Destination(
        .internet(host: "127.0.0.1", port: 0), security: client(trusting: identity))
    }
    guard
      network.listen(
        at: "server", accept: { [unowned self] transport in links.append(ServerEnd(transport)) })
    else { return nil }
  }

  func run(until isSo: () -> Bool) {
    while !isSo() {
      if !scheduler.runNext(upTo: scheduler.now) { loop.poll(until: scheduler.nextDue) }
    }
  }

  func end() {
    network.discardAll()
    scheduler.discardAll()
  }
}

/// A server that answers every request with the same response.
private final class ServerEnd {
  private let transport: any Transport
  private var state = HTTPServerConnection()
  private static let answer = HTTPResponse(
    status: 200, headers: ["Content-Type": "application/json"],
    body: Array("{\"fact\":\"Cats sleep for 70% of their lives\"}".utf8))

  init(_ transport: any Transport) {
    self.transport = transport
    transport.onEvent = { [unowned self] event in
      if case .received(let bytes) = event { perform(state.on(.bytesReceived(bytes))) }
    }
  }

  /// Nobody else does, on a thread of its own.
  func keepItself() {
    transport.onEvent = { [self] event in
      if case .received(let bytes) = event { perform(state.on(.bytesReceived(bytes))) }
    }
  }

  private func perform(_ actions: [HTTPServerConnection.Action]) {
    for action in actions {
      switch action {
      case .requestArrived: perform(state.on(.responded(ServerEnd.answer)))
      case .send(let bytes): transport.send(bytes)
      case .cancelled, .refuse, .fail, .passOn, .close: break
      }
    }
  }
}

private func gets(
  _ count: Int, secured: Bool, _ identity: TLSIdentity? = nil
) -> (count: Int, seconds: Double) {
  guard let bench = Bench(secured ? identity : nil) else { return (0, 1) }
  let transport = bench.network.connect(to: "server")
  let client = GettingClient(transport, left: count)
  bench.run { client.isConnected }
  let start = monotonicSeconds()
  client.next()
  bench.run { client.left == 0 }
  let seconds = monotonicSeconds() - start
  bench.end()
  return (count, seconds)
}

/// The server on a thread of its own.
private func getsFromThread(
  _ count: Int, _ identity: TLSIdentity? = nil
) -> (count: Int, seconds: Double) {
  let server = ServerThread(identity) { transport in
    let end = ServerEnd(transport)
    end.keepItself()
  }
  guard let server, let bench = Bench() else { return (0, 1) }
  bench.network.destinations["elsewhere"] = Destination(
    .internet(host: "127.0.0.1", port: server.port), security: identity.map(client(trusting:)))
  let client = GettingClient(bench.network.connect(to: "elsewhere"), left: count)
  bench.run { client.isConnected }
  let start = monotonicSeconds()
  client.next()
  bench.run { client.left == 0 }
  let seconds = monotonicSeconds() - start
  server.end()
  bench.end()
  return (count, seconds)
}

/// A client that sends the same request again and again.
private final class GettingClient {
  private let transport: any Transport
  private var state = HTTPClientConnection()
  private(set) var left: Int
  private(set) var isConnected = false
  private let request = HTTPRequest(
    method: "GET", target: "/fact", headers: ["Host": "localhost"], body: [])

  init(_ transport: any Transport, left: Int) {
    self.transport = transport
    self.left = left
    transport.onEvent = { [unowned self] event in take(event) }
  }

  func next() { perform(state.on(.requestSent(request))) }

  private func take(_ event: TransportEvent) {
    switch event {
    case .connected: isConnected = true
    case .received(let bytes): perform(state.on(.bytesReceived(bytes)))
    case .ended, .writable, .failed: break
    }
  }

  private func perform(_ actions: [HTTPClientConnection.Action]) {
    for action in actions {
      if case .send(let bytes) = action { transport.send(bytes) }
      guard case .deliver = action else { continue }
      left -= 1
      if left > 0 { next() }
    }
  }
}

/// Measures scenarios of three requests each, from the plan to the verdict, in processor time.
private func shortScenarios(_ count: Int) -> (count: Int, seconds: Double) {
  let text = """
    scenario: Three requests
    endpoints: { api: { http: [{ get: "/facts/{id}", respond: { json: { id: 1 } } }] } }
    steps:
      - request: { endpoint: api, get: /facts/1, expect: { status: 200, json: { id: 1 } } }
      - request: { endpoint: api, get: /facts/2, expect: { status: 200 } }
      - request: { endpoint: api, get: /facts/3, expect: { status: 200 } }
    """
  guard let plan = loadScenarios(SourceFile(path: "three.yaml", text: text)).plans.first else {
    return (0, 1)
  }
  let start = processorTime()
  for _ in 0..<count {
    let run = runScenario(plan, inputs: RunInputs(seed: 1), in: .sockets)
    precondition(run.verdict.outcome == .passed)
  }
  return (count, processorTime() - start)
}

/// A whole scenario: reactor, provider, mock, expectations, over sockets.
private func scenarioGets(_ count: Int) -> (count: Int, seconds: Double) {
  let text = """
    scenario: Many facts
    endpoints: { api: { http: [{ get: /fact, respond: { json: { fact: Cats purr } } }] } }
    providers: { fact: { endpoint: api, get: /fact, value: "${response.json.fact}" } }
    reactors: { cats: { state: { fact: none }, actions: { load: [{ load: { fact: fact } }] } } }
    steps:
      - repeat: \(count)
        steps:
          - send: cats.load
          - expect: { cats.fact: [loading, { loaded: Cats purr }] }
    """
  let file = loadScenarios(SourceFile(path: "facts.yaml", text: text))
  guard let plan = file.plans.first else { return (0, 1) }
  let start = monotonicSeconds()
  let run = runScenario(plan, inputs: RunInputs(seed: 1), in: .sockets)
  precondition(run.verdict.outcome == .passed)
  return (count, monotonicSeconds() - start)
}

private func handshakes(_ count: Int, _ identity: TLSIdentity) -> (count: Int, seconds: Double) {
  guard let bench = Bench(identity) else { return (0, 1) }
  let start = monotonicSeconds()
  for _ in 0..<count {
    let transport = bench.network.connect(to: "server")
    let client = GettingClient(transport, left: 0)
    bench.run { client.isConnected }
    transport.close()
  }
  let seconds = monotonicSeconds() - start
  bench.end()
  return (count, seconds)
}

/// Prints the memory of both ends, idle after one exchange, without that of the kernel.
private func memoryPerConnection(_ count: Int) -> Double {
  guard let bench = Bench() else { return 0 }
  var limit = rlimit()
  getrlimit(__rlimit_resource_t(7), &limit)
  let count = min(count, Int(limit.rlim_cur) / 2 - 50)
  let before = residentKibibytes()
  var clients: [GettingClient] = []
  for _ in 0..<count {
    let client = GettingClient(bench.network.connect(to: "server"), left: 1)
    clients.append(client)
    client.next()
  }
  bench.run { clients.allSatisfy { $0.left == 0 } }
  let after = residentKibibytes()
  bench.end()
  return (Double(after - before) / Double(count) * 10).rounded() / 10
}

private func residentKibibytes() -> Int {
  guard let file = fopen("/proc/self/statm", "r") else { return 0 }
  defer { fclose(file) }
  var line = [CChar](repeating: 0, count: 128)
  guard fgets(&line, 128, file) != nil else { return 0 }
  let text = String(decoding: line.prefix { $0 != 0 }.map(UInt8.init), as: UTF8.self)
  return (Int(text.split(separator: " ").dropFirst().first ?? "") ?? 0) * 4
}

private func monotonicSeconds() -> Double { Double(wallClock()) / 1e6 }
