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
