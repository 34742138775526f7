import Dispatch
import Testing
import VirtualTime

@Suite struct VirtualTimeTests {
  @Test func `sleeps take no real time, and end in their order`() async throws {
    let log = try await withVirtualTime { clock in
      let log = Log(clock)
      await withTaskGroup { group in
        for seconds in [3, 1, 2] {
          group.addTask {
            try? await clock.sleep(for: .seconds(seconds * 3600))
            await log.note("\(seconds)")
          }
        }
      }
      return await log.lines
    }
    #expect(log == ["3600 1", "7200 2", "10800 3"])
  }

  @Test func `what is due at one time runs in the order in which it was asked for`() async throws {
    let log = try await withVirtualTime { clock in
      let log = Log(clock)
      let tasks = (1...20).map { number in
        Task {
          try? await clock.sleep(until: .beginning.advanced(by: .seconds(1)))
          await log.note("\(number)")
        }
      }
      for task in tasks { await task.value }
      return await log.lines
    }
    #expect(log == (1...20).map { "1 \($0)" })
  }

  @Test func `tasks of every kind run here, and sleep by this clock`() async throws {
    let (log, end) = try await withVirtualTime { clock in
      let log = Log(clock)
      let other = Counter()
      await Task { await log.note("task \(await other.next())") }.value
      await Task.detached { await log.note("detached \(await other.next())") }.value
      async let first: Void = log.note("child")
      await first
      try await Task.sleep(for: .seconds(10))
      await log.note("main")
      try await Task.detached { try await Task.sleep(for: .milliseconds(2500)) }.value
      try await Task.sleep(nanoseconds: 500_000_000)
      await log.note("end")
      return (await log.lines, clock.now)
    }
    #expect(log == ["0 task 1", "0 detached 2", "0 child", "10 main", "13 end"])
    #expect(end.sinceBeginning == .seconds(13))
  }

  @Test func `what was started before an advance begins first, and has run at its end`()
    async throws
  {
    let log = try await withVirtualTime { clock in
      let log = Log(clock)
      Task {
        await Task.detached { await Task { @MainActor in }.value }.value
        for _ in 0..<2 {
          try await clock.sleep(for: .seconds(1))
          await log.note("task")
        }
      }
      try await clock.advance(by: .seconds(1))
      await log.note("one")
      try await clock.advance(by: .zero)
      try await clock.advance(by: .seconds(1))
      await log.note("two")
      return await log.lines
    }
    #expect(log == ["1 task", "1 one", "2 task", "2 two"])
  }

  @Test func `a cancelled sleep ends at once with an error`() async throws {
    let log = try await withVirtualTime { clock in
      let log = Log(clock)
      let sleeper = Task {
        do { try await clock.sleep(for: .seconds(60)) } catch {
          await log.note("cancelled")
        }
      }
      try await clock.sleep(for: .seconds(5))
      sleeper.cancel()
      await sleeper.value
      return await log.lines
    }
    #expect(log == ["5 cancelled"])
  }

  @Test func `a task that is left behind is ended with the run`() async throws {
    let log = try await withVirtualTime { clock in
      let log = Log(clock)
      Task {
        do { try await clock.sleep(for: .seconds(60)) } catch { await log.note("ended") }
      }
      try await clock.sleep(for: .seconds(1))
      return log
    }
    let words = await log.words
    #expect(words == ["ended"])
  }

  @Test func `code that waits for another thread is found`() async {
    await #expect(throws: VirtualTimeError.waitsOutside) {
      try await withVirtualTime { _ in
        await withCheckedContinuation { continuation in
          DispatchQueue.global().asyncAfter(deadline: .now() + 0.01) { continuation.resume() }
        }
      }
    }
  }

  @Test func `code that makes jobs without end is stopped`() async {
    await #expect(throws: VirtualTimeError.instantNeverEnds) {
      try await withVirtualTime { _ in
        while !Task.isCancelled { await Task.yield() }
      }
    }
  }

  @Test func `tasks outside of a run are where they were`() async throws {
    try await withVirtualTime { clock in try await clock.sleep(for: .seconds(1)) }
    let began = ContinuousClock.now
    try await Task.detached { try await Task.sleep(for: .milliseconds(20)) }.value
    #expect(ContinuousClock.now - began >= .milliseconds(20))
  }

  @Test func `errors of the code are thrown`() async {
    struct Broken: Error {}
    await #expect(throws: Broken.self) {
      try await withVirtualTime { clock in
        try await clock.sleep(for: .seconds(1))
        throw Broken()
      }
    }
  }

  @Test func `the main actor is as before after a run`() async throws {
    try await withVirtualTime { clock in try await clock.sleep(for: .seconds(1)) }
    let isMain = await Task { @MainActor in
      MainActor.assertIsolated()
      return true
    }.value
    #expect(isMain)
  }

  @Test(arguments: [
    (149_950, 150_010, 150_000), (1_999_000, 2_000_010, 2_000_000), (7, 7, 7), (190, 240, 200),
    (999_995, 1_000_005, 1_000_000), (2_499_990, 2_499_998, 2_500_000),
  ])
  func `the length of a sleep is the one that was written`(
    _ low: Int64, _ high: Int64, _ length: Int64
  ) {
    #expect(writtenLength(from: low, to: high) == length)
  }
}

/// Words with the second in which each was noted.
private actor Log {
  private let clock: VirtualClock
  private(set) var lines: [String] = []
  private(set) var words: [String] = []

  init(_ clock: VirtualClock) { self.clock = clock }

  func note(_ word: String) {
    lines.append("\(clock.now.sinceBeginning.components.seconds) \(word)")
    words.append(word)
  }
}

private actor Counter {
  private var count = 0

  func next() async -> Int {
    count += 1
    await Task.yield()
    return count
  }
}
