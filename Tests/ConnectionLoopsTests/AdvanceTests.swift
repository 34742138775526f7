import ConnectionLoops
import Synchronization
import Testing

/// What the test moves the time of, while its tasks run elsewhere.
@Suite(.serialized) struct AdvanceTests {
  private let loop = VirtualLoop()
  private static let repeats = 100

  @Test func `a task that was just started runs before the time moves`() async throws {
    for _ in 0..<Self.repeats {
      let loop = VirtualLoop()
      loop.serve(at: "api.test") { _ in ClientResponse(status: 200, text: "Hello") }
      let times = Times()
      let task = Task {
        _ = try await HTTPClient(on: loop).response(to: "http://api.test/")
        times.add(loop.now)
      }
      await loop.advance(by: .seconds(2))
      try await task.value
      #expect(times.all == [.zero])
    }
  }

  @Test func `a chain of tasks on actors runs before the time moves`() async {
    for _ in 0..<Self.repeats {
      let loop = VirtualLoop()
      let times = Times()
      let task = Task(priority: .low) {
        await Task { @MainActor in
          await Task.detached(priority: .background) {
            await withCheckedContinuation { continuation in
              loop.perform { _ = loop.schedule(after: .seconds(1)) { continuation.resume() } }
            }
            times.add(loop.now)
          }.value
        }.value
      }
      await loop.advance(by: .seconds(5))
      // Comes to its end also if the time has moved too soon.
      await loop.run(until: task)
      #expect(times.all == [.seconds(1)])
    }
  }

  @Test func `what a task does at a time comes before the next time`() async {
    for _ in 0..<Self.repeats {
      let loop = VirtualLoop()
      let times = Times()
      loop.perform { for second in 1...5 { _ = loop.schedule(after: .seconds(second)) {} } }
      let task = Task {
        for _ in 0..<3 {
          await withCheckedContinuation { continuation in
            loop.perform { _ = loop.schedule(after: .seconds(1)) { continuation.resume() } }
          }
          times.add(loop.now)
        }
      }
      await loop.advance(by: .seconds(5))
      await loop.run(until: task)
      #expect(times.all == [.seconds(1), .seconds(2), .seconds(3)])
      #expect(loop.now == .seconds(5))
    }
  }

  @Test func `run until a task has ended gives its result, at the time at which it ended`() async {
    let loop = loop
    let task = Task {
      await withCheckedContinuation { continuation in
        loop.perform { _ = loop.schedule(after: .seconds(3_600)) { continuation.resume() } }
      }
      return "done"
    }
    #expect(await loop.run(until: task) == "done")
    #expect(loop.now == .seconds(3_600))
  }

  @Test func `run until a task has ended throws its error, and waits if nothing is due`() async {
    struct Refused: Error {}
    let task = Task {
      try await Task.sleep(for: .milliseconds(20))
      throw Refused()
    }
    await #expect(throws: Refused.self) { try await loop.run(until: task) }
    #expect(loop.now == .zero)
  }

  @Test func `run until a time moves there once`() async {
    await loop.run(until: .seconds(5))
    await loop.run(until: .seconds(5))
    await loop.run(until: .seconds(3))
    #expect(loop.now == .seconds(5))
  }

  @Test func `two tests of one loop that advance together move it by both`() async {
    async let first: Void = loop.advance(by: .seconds(2))
    async let second: Void = loop.advance(by: .seconds(3))
    _ = await (first, second)
    #expect(loop.now == .seconds(5))
  }
}

/// The times at which something happened.
private final class Times: Sendable {
  private let times = Mutex<[Duration]>([])
  var all: [Duration] { times.withLock { $0 } }
  func add(_ time: Duration) { times.withLock { $0.append(time) } }
}
