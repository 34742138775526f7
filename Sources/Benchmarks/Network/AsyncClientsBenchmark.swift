import ConnectionLoops
import Glibc
import LiveConnections
import LiveWorld
import Protocols
import ScenarioRuns
import Synchronization
import World

/// Measures clients for `async` code against the same clients with callbacks, over loopback, with
/// the server on a thread of its own. The task runs on the loop of its clients, and on the threads
/// of all tasks. Of several rounds the best one counts.
///
/// Each request has a connection of its own, except for those of `kept-async`. With a name, such as
/// `request`, only this is measured.
func asyncClientsBenchmark(only: String?) {
  guard let server = ServerThread(nil, { serve($0) }) else { return }
  defer { server.end() }
  let kinds = [("connect", 1_000), ("request", 1_000), ("stream", streamedEvents)]
  for (name, count) in kinds where only == nil || only == name {
    var (callbacks, tasks, pool) = (Double.infinity, Double.infinity, Double.infinity)
    for _ in 0..<5 {
      callbacks = min(callbacks, CallbackClients(server.port).seconds(of: name, count))
      tasks = min(tasks, secondsOfTasks(name, count, server.port, on: ConnectionLoop.shared.tasks))
      pool = min(pool, secondsOfTasks(name, count, server.port, on: nil))
    }
    func rate(_ figure: String, _ seconds: Double) {
      printFigure("connections", "\(name)-\(figure)", (Double(count) / seconds).rounded(), "1/s")
    }
    rate("callbacks", callbacks)
    rate("async", tasks)
    rate("async-from-pool", pool)
    printFigure(
      "connections", "\(name)-share", (callbacks / tasks * 1e3).rounded() / 1e3,
      "of callbacks; 0.8 wanted")
  }
  guard only == nil || only == "kept" else { return }
  for (figure, executor) in [
    ("kept-async", ConnectionLoop.shared.tasks), ("kept-async-from-pool", nil),
  ] {
    let times = (0..<5).map { _ in secondsOfTasks("kept", 1_000, server.port, on: executor) }
    printFigure("connections", figure, (1_000 / (times.min() ?? 0)).rounded(), "1/s")
  }
}

private let streamedEvents = 200_000
private let streamHead = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n"
private let streamBody = String(
  repeating: "data: {\"symbol\":\"ABC\",\"price\":12345,\"size\":10}\n\n", count: streamedEvents)
private let answer =
  "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 15\r\n\r\n{\"fact\":\"cats\"}"
private let keptAnswer = "HTTP/1.1 200 OK\r\nContent-Length: 15\r\n\r\n{\"fact\":\"cats\"}"

private func serve(_ transport: any Transport) {
  transport.onEvent = { event in
    switch event {
    case .received(let bytes):
      let request = String(decoding: bytes.prefix(12), as: UTF8.self)
      if request.hasPrefix("GET /request") {
        transport.send(Array(answer.utf8))
        transport.close()
      } else if request.hasPrefix("GET /kept") {
        transport.send(Array(keptAnswer.utf8))
      } else {
        transport.send(Array(streamHead.utf8))
        if request.hasPrefix("GET /stream") { transport.send(Array(streamBody.utf8)) }
      }
    case .ended: transport.close()
    case .failed: transport.onEvent = nil
    case .connected, .writable: break
    }
  }
}

/// Clients with callbacks, on a loop of this thread.
private final class CallbackClients {
  private let scheduler = Scheduler()
  private let loop: EventLoop?
  private let network: SocketNetwork?
  private let server: Destination
  private var done = 0

  init(_ port: UInt16) {
    loop = EventLoop(scheduler)
    network = loop.map { SocketNetwork(on: $0) }
    server = Destination(.internet(host: "127.0.0.1", port: port))
  }

  deinit { network?.discardAll() }

  func seconds(of name: String, _ count: Int) -> Double {
    let start = wallClock()
    switch name {
    case "connect": connect(count)
    case "request": request(count)
    default: stream(count)
    }
    return Double(wallClock() - start) / 1e6
  }

  private func connect(_ count: Int) {
    let client = driver("/connect")
    client.onStateChange = { [self, unowned client] state in
      switch state {
      case .connected: client.disconnect()
      case .disconnected:
        done += 1
        if done < count { scheduler.schedule(after: 0, phase: .source) { try? client.connect() } }
      case .connecting, .notConnected: break
      }
    }
    try? client.connect()
    run { done == count }
  }

  private func request(_ count: Int) {
    guard let environment else { return }
    for number in 1...count {
      let driver = RequestDriver(
        environment: environment, http("/request"), RequestDriver.Limits(time: nil, bytes: 1_000)
      ) { [self] _ in done += 1 }
      driver.begin()
      run { done == number }
    }
  }

  private func stream(_ count: Int) {
    let client = driver("/stream")
    client.onEvent = { [self] event in done += event.data.isEmpty ? 0 : 1 }
    try? client.connect()
    run { done == count }
    client.disconnect()
  }

  private func http(_ target: String) -> HTTPRequest {
    HTTPRequest(method: "GET", target: target, headers: ["Host": "127.0.0.1"])
  }

  private func driver(_ target: String) -> EventStreamDriver {
    guard let environment else { preconditionFailure("there is no loop") }
    return EventStreamDriver(environment: environment) { [self] in .success(http(target)) }
  }

  private var environment: ClientEnvironment? {
    guard let network else { return nil }
    return ClientEnvironment(
      connect: { [server] in network.connect(to: server) },
      schedule: { [scheduler] delay, job in
        let timer = scheduler.schedule(after: delay, phase: .source, job)
        return { scheduler.cancel(timer) }
      }, next: { 4 })
  }

  private func run(until isSo: () -> Bool) {
    while !isSo() {
      if !scheduler.runNext(upTo: scheduler.now) { loop?.poll(until: scheduler.nextDue) }
    }
  }
}

/// Runs a task that uses the clients, and returns its time.
private func secondsOfTasks(
  _ name: String, _ count: Int, _ port: UInt16, on executor: (any TaskExecutor)?
) -> Double {
  let seconds = SecondsOfTask()
  Task(executorPreference: executor) {
    let start = wallClock()
    switch name {
    case "connect": await connectByTask(count, port)
    case "request": await requestByTask("/request", count, port)
    case "kept": await requestByTask("/kept", count, port)
    default: await streamByTask(count, port)
    }
    seconds.value.withLock { $0 = Double(wallClock() - start) / 1e6 }
  }
  while true {
    if let seconds = seconds.value.withLock({ $0 }) { return seconds }
    usleep(1_000)
  }
}

private final class SecondsOfTask: Sendable {
  let value = Mutex<Double?>(nil)
}

private func connectByTask(_ count: Int, _ port: UInt16) async {
  let client = EventStreamClient(ClientRequest("http://127.0.0.1:\(port)/connect"))
  for _ in 0..<count {
    try? await client.connect()
    await client.disconnect()
  }
}

private func requestByTask(_ path: String, _ count: Int, _ port: UInt16) async {
  let client = HTTPClient()
  for _ in 0..<count {
    _ = try? await client.response(to: ClientRequest("http://127.0.0.1:\(port)\(path)"))
  }
}

private func streamByTask(_ count: Int, _ port: UInt16) async {
  let client = EventStreamClient(ClientRequest("http://127.0.0.1:\(port)/stream"))
  let events = client.events
  try? await client.connect()
  var done = 0
  for await event in events {
    done += event.data.isEmpty ? 0 : 1
    if done == count { break }
  }
  await client.disconnect()
}
