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
/// Client and server share one processor, and the ways are compared so: their share does not depend
/// on what else the machine does. The figures with `-apart` have the server on another processor.
///
/// Each request has a connection of its own, except for those of `kept-async`. With a name, such as
/// `request`, only this is measured, and with the name of a figure, such as `request-async`, only
/// this way: so a profile or a count of system calls has nothing else.
func asyncClientsBenchmark(only: String?) {
  let processors = Processors.current
  defer { processors.use() }
  guard let first = processors.numbers.first else { return }
  Processors.only(first).use()
  let others = processors.numbers.dropFirst().prefix(1).map { ("-apart", $0) }
  for (place, processor) in [("", first)] + others {
    guard let server = ServerThread(processor: processor, { serve($0) }) else { return }
    for work in Work.allCases { measure(work, place, server.port, only: only) }
    server.end()
  }
}

private func measure(_ work: Work, _ place: String, _ port: UInt16, only: String?) {
  let ways = work.ways.filter {
    only == nil || only == work.rawValue || only == "\(work)-\($0.rawValue)\(place)"
  }
  var best: [Way: Double] = [:]
  for _ in 0..<rounds {
    for way in ways { best[way] = min(best[way] ?? .infinity, seconds(of: work, way, port)) }
  }
  for way in ways {
    let rate = (Double(work.count) / (best[way] ?? .infinity)).rounded()
    printFigure("connections", "\(work)-\(way.rawValue)\(place)", rate, "1/s")
  }
  guard let callbacks = best[.callbacks], let tasks = best[.tasksOfLoop] else { return }
  printFigure(
    "connections", "\(work)-share\(place)", (callbacks / tasks * 1e3).rounded() / 1e3,
    "of callbacks; 0.8 wanted")
}

/// What a client does again and again.
private enum Work: String, CaseIterable {
  case connect, request, stream, kept

  var count: Int { self == .stream ? streamedEvents : 1_000 }

  /// The clients with callbacks keep no connections.
  var ways: [Way] { self == .kept ? [.tasksOfLoop, .tasksOfPool] : Way.allCases }
}

/// The way in which a program uses a client.
private enum Way: String, CaseIterable {
  case callbacks
  case tasksOfLoop = "async"
  case tasksOfPool = "async-from-pool"
}

/// Returns the time of some work. It is on another thread than this one in each way, and this one
/// sleeps meanwhile: to look for the end each millisecond would take time from the others.
private func seconds(of work: Work, _ way: Way, _ port: UInt16) -> Double {
  let end = TimeOfWork()
  switch way {
  case .callbacks:
    let thread = startThread { end.put(CallbackClients(port).seconds(of: work)) }
    if let thread { pthread_detach(thread) }
  case .tasksOfLoop: startTask(work, port, on: ConnectionLoop.shared.tasks, end)
  case .tasksOfPool: startTask(work, port, on: nil, end)
  }
  return end.wait()
}

/// The time of work on another thread, and the wait for it.
private final class TimeOfWork: Sendable {
  private let read: Int32
  private let write: Int32

  init() {
    var ends: [Int32] = [-1, -1]
    precondition(pipe(&ends) == 0, "there are no file descriptors left")
    (read, write) = (ends[0], ends[1])
  }

  deinit {
    close(read)
    close(write)
  }

  func put(_ seconds: Double) {
    var seconds = seconds
    _ = Glibc.write(write, &seconds, MemoryLayout<Double>.size)
  }

  func wait() -> Double {
    var seconds = Double.infinity
    _ = Glibc.read(read, &seconds, MemoryLayout<Double>.size)
    return seconds
  }
}

/// So many that one of each way has the processor for itself, also on a machine with other work.
private let rounds = 20
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

  func seconds(of work: Work) -> Double {
    let start = wallClock()
    switch work {
    case .connect: connect(work.count)
    case .request, .kept: request(work.count)
    case .stream: stream(work.count)
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
    let request = http("/request")
    for number in 1...count {
      let driver = RequestDriver(
        environment: environment, request,
        // The limits that a client for tasks has by default.
        RequestDriver.Limits(time: 60_000_000, bytes: 64 << 20)
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

/// Starts a task that uses the clients.
private func startTask(
  _ work: Work, _ port: UInt16, on executor: (any TaskExecutor)?, _ end: TimeOfWork
) {
  Task(executorPreference: executor) {
    let start = wallClock()
    switch work {
    case .connect: await connectByTask(work.count, port)
    case .request: await requestByTask("/request", work.count, port)
    case .stream: await streamByTask(work.count, port)
    case .kept: await requestByTask("/kept", work.count, port)
    }
    end.put(Double(wallClock() - start) / 1e6)
  }
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
  let request = ClientRequest("http://127.0.0.1:\(port)\(path)")
  for _ in 0..<count { _ = try? await client.response(to: request) }
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
