import Dispatch
import RealSchedulers
import Testing

@Suite struct RealSchedulerTests {
  @MainActor private final class Box {
    var heard: [Int] = []
    var tokens: [AnyCancellable] = []
  }

  @Test func `values pass to a queue and keep their order`() async {
    let heard = await withCheckedContinuation { answer in
      let queue = DispatchQueue(label: "order")
      var heard: [Int] = []
      var token: AnyCancellable?
      // The queue waits until its token is stored.
      queue.suspend()
      token = (1...100).publisher.receive(on: queue).sink(
        receiveCompletion: { _ in
          answer.resume(returning: heard)
          token?.cancel()
        }, receiveValue: { heard.append($0) })
      queue.resume()
    }
    #expect(heard == Array(1...100))
  }

  @Test func `a job of a queue that is cancelled does not run`() async {
    let queue = DispatchQueue(label: "cancelled")
    let ran = await withCheckedContinuation { answer in
      var ran = false
      queue.suspend()
      let job = queue.schedule(after: .zero) { ran = true }
      job.cancel()
      queue.schedule(after: .zero) { answer.resume(returning: ran) }
      queue.resume()
    }
    #expect(!ran)
  }

  @MainActor @Test func `values pass to the main actor, after a time without others`() async {
    let box = Box()
    let subject = PassthroughSubject<Int, Never>()
    await withCheckedContinuation { answer in
      subject.receive(on: .mainActor).debounce(for: .milliseconds(20), scheduler: .mainActor)
        .sink { value in
          MainActor.assumeIsolated {
            box.heard.append(value)
            if value == 3 { answer.resume() }
          }
        }
        .store(in: &box.tokens)
      for value in 1...3 { subject.send(value) }
    }
    // A machine that stands still may let a value through in between.
    #expect(box.heard.last == 3)
  }

  @MainActor @Test func `jobs of a clock run in the order of their times, then of scheduling`()
    async
  {
    let scheduler = ClockScheduler(SuspendingClock())
    let box = Box()
    await withCheckedContinuation { answer in
      for (number, delay) in [(4, 4), (1, 0), (2, 0), (3, 2)] {
        scheduler.schedule(after: .milliseconds(delay * 50)) {
          MainActor.assumeIsolated { box.heard.append(number) }
          if number == 4 { answer.resume() }
        }
      }
    }
    #expect(box.heard == [1, 2, 3, 4])
  }
}
