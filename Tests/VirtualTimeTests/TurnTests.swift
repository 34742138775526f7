import Synchronization
import Testing
import VirtualTime

/// A task keeps its turn through calls that stay where it is, as it does outside of a run.
@Suite struct TurnTests {
  private static func lines(of names: String...) -> [String] {
    names.flatMap { ["\($0) began", $0, $0, "\($0) ended"] }
  }

  @Test func `a call within the main actor gives no turn to others`() async throws {
    let log = Lines()
    try await withVirtualTime { _ in
      let worker: any Worker = MainWorker(log)
      let tasks = ["a", "b"].map { name in Task { await workTwice(worker, name, log) } }
      for task in tasks { await task.value }
      async let third: Void = workTwice(worker, "c", log)
      async let fourth: Void = workTwice(worker, "d", log)
      _ = await (third, fourth)
      await workTwice(worker, "e", log)
    }
    #expect(log.all == TurnTests.lines(of: "a", "b", "c", "d", "e"))
  }

  @Test func `a call within code of no actor gives no turn to others`() async throws {
    let log = Lines()
    try await withVirtualTime { _ in
      let tasks = ["a", "b"].map { name in Task.detached { await workFreely(name, log) } }
      for task in tasks { await task.value }
      await withTaskGroup { group in
        for name in ["c", "d"] { group.addTask { await workFreely(name, log) } }
      }
    }
    #expect(log.all == TurnTests.lines(of: "a", "b", "c", "d"))
  }

  @Test func `a task that yields gives a turn to others`() async throws {
    let log = Lines()
    try await withVirtualTime { _ in
      let tasks = ["a", "b"].map { name in
        Task {
          log.add("\(name) began")
          await Task.yield()
          log.add("\(name) ended")
        }
      }
      for task in tasks { await task.value }
    }
    #expect(log.all == ["a began", "b began", "a ended", "b ended"])
  }
}

private final class Lines: Sendable {
  private let lines = Mutex<[String]>([])

  var all: [String] { lines.withLock { $0 } }

  func add(_ line: String) { lines.withLock { $0.append(line) } }

  @concurrent
  func addFreely(_ line: String) async { add(line) }
}

@MainActor
private protocol Worker: AnyObject, Sendable {
  func work(_ name: String) async
}

@MainActor
private final class MainWorker: Worker {
  private let log: Lines

  init(_ log: Lines) { self.log = log }

  func work(_ name: String) async { log.add(name) }
}

@MainActor
private func workTwice(_ worker: any Worker, _ name: String, _ log: Lines) async {
  log.add("\(name) began")
  await worker.work(name)
  await worker.work(name)
  log.add("\(name) ended")
}

@concurrent
private func workFreely(_ name: String, _ log: Lines) async {
  await log.addFreely("\(name) began")
  await log.addFreely(name)
  await log.addFreely(name)
  await log.addFreely("\(name) ended")
}
