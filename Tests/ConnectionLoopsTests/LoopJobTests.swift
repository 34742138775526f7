import Synchronization
import Testing

@testable import ConnectionLoops

/// The order of a loop's jobs, timers and sockets.
@Suite struct LoopJobTests {
  @Test func `jobs that a job adds run before the loop looks at its timers and sockets`() async {
    let loop = ConnectionLoop()
    let order = Order()
    await withCheckedContinuation { continuation in
      loop.perform {
        _ = loop.schedule(after: .zero) {
          order.add("timer")
          continuation.resume()
        }
        loop.perform {
          order.add("first")
          loop.perform { order.add("second") }
        }
      }
    }
    #expect(order.names == ["first", "second", "timer"])
  }

  @Test func `jobs that add others without an end leave timers their turn`() async {
    let loop = ConnectionLoop()
    let isOver = Flag()
    await withCheckedContinuation { continuation in
      loop.perform {
        _ = loop.schedule(after: .milliseconds(1)) {
          isOver.set()
          continuation.resume()
        }
        addAgain(to: loop, until: isOver)
      }
    }
    #expect(isOver.isSet)
  }

  @Test func `a task on the loop has its answer without a turn of the sockets`() async {
    let loop = ConnectionLoop()
    let order = Order()
    await Task(executorPreference: loop.tasks) {
      let client = EventStreamClient("http://127.0.0.1:1/", on: loop)
      loop.perform { _ = loop.schedule(after: .zero) { order.add("timer") } }
      await client.disconnect()
      order.add("disconnected")
      await client.disconnect()
      order.add("disconnected")
    }.value
    #expect(order.names.prefix(2) == ["disconnected", "disconnected"])
  }

  @Test func `a call from an actor goes to the loop without a job of its task's executor`() async {
    let (loop, url) = (ConnectionLoop(), ClientRequest("http://127.0.0.1:1/"))
    let executor = CountingExecutor()
    let jobs = await Task(executorPreference: executor) {
      await executor.jobs(of: EventStreamClient(url, on: loop), HTTPClient(on: loop), url)
    }.value
    // The runtime continues a task that waited by such a job, before it is back on the actor.
    #expect(jobs <= 3)
  }

  @Test func `all of many jobs run, and again as many`() async {
    let loop = ConnectionLoop()
    let ran = CountingExecutor()
    for _ in 0..<2 {
      await withCheckedContinuation { continuation in
        loop.perform {
          for _ in 0..<1_000 { loop.perform { ran.count() } }
          loop.perform { continuation.resume() }
        }
      }
    }
    #expect(ran.jobs == 2_000)
  }
}

/// An executor that counts its jobs, and runs them on a loop.
private final class CountingExecutor: TaskExecutor {
  private let loop = ConnectionLoop()
  private let number = Atomic<Int>(0)

  var jobs: Int { number.load(ordering: .relaxed) }

  /// Makes three calls to clients on the main actor, and returns the number of jobs meanwhile.
  @MainActor
  func jobs(
    of stream: EventStreamClient, _ client: HTTPClient, _ request: ClientRequest
  ) async -> Int {
    let before = jobs
    try? await stream.connect()
    await stream.disconnect()
    _ = try? await client.response(to: request)
    return jobs - before
  }

  func count() { number.add(1, ordering: .relaxed) }

  func enqueue(_ job: consuming ExecutorJob) {
    count()
    let job = UnownedJob(job)
    loop.perform { [self] in job.runSynchronously(on: asUnownedTaskExecutor()) }
  }
}

private func addAgain(to loop: ConnectionLoop, until isOver: Flag) {
  if isOver.isSet { return }
  loop.perform { addAgain(to: loop, until: isOver) }
}

private final class Order: Sendable {
  private let entries = Mutex<[String]>([])
  var names: [String] { entries.withLock { $0 } }
  func add(_ name: String) { entries.withLock { $0.append(name) } }
}

private final class Flag: Sendable {
  private let value = Atomic<Bool>(false)
  var isSet: Bool { value.load(ordering: .relaxed) }
  func set() { value.store(true, ordering: .relaxed) }
}
