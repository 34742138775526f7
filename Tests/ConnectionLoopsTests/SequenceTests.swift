import Publishers
import Synchronization
import Testing

@testable import ConnectionLoops

@Suite struct SequenceTests {
  @Test(arguments: [
    (SequenceBuffer.unbounded, Array(1...10), 0), (.newest(3), [8, 9, 10], 7),
    (.oldest(3), [1, 2, 3], 7), (.newest(0), [], 10), (.oldest(0), [], 10), (.newest(1), [10], 9),
  ])
  func `a buffer keeps what it says, and counts the rest`(
    _ buffer: SequenceBuffer, _ kept: [Int], _ dropped: Int
  ) async {
    let broadcast = Broadcast<Int>()
    let sequence = broadcast.sequence(buffer)
    for number in 1...10 { broadcast.send(number) }
    broadcast.finish()
    #expect(await prefix(20, of: sequence) == kept)
    #expect(sequence.droppedCount == dropped)
  }

  @Test(arguments: [SequenceBuffer.unbounded, .newest(100_000), .oldest(100_000)])
  func `a reader that lags gets in order what came alone and what came at once`(
    _ buffer: SequenceBuffer
  ) async {
    let broadcast = Broadcast<Int>()
    let (sequence, other) = (broadcast.sequence(buffer), broadcast.sequence(buffer))
    var last = 0
    for count in [1, 2, 60, 1, 1, 64, 65, 1, 1_000, 1, 3, 200, 1, 1] {
      broadcast.send(Array(last + 1...last + count))
      last += count
    }
    let early = await prefix(100, of: sequence)
    broadcast.send([last + 1, last + 2])
    broadcast.finish()
    #expect(early == Array(1...100))
    #expect(await prefix(5_000, of: other) == Array(1...last + 2))
  }

  @Test func `a sequence that is released leaves nothing behind`() async {
    let broadcast = Broadcast<Int>()
    let kept = broadcast.sequence(.unbounded)
    for _ in 0..<10 { _ = broadcast.sequence(.unbounded) }
    #expect(broadcast.count == 1)
    withExtendedLifetime(kept) {}
  }

  @Test func `a sequence that begins after the end is empty`() async {
    let broadcast = Broadcast<Int>()
    broadcast.finish()
    #expect(await prefix(1, of: broadcast.sequence(.unbounded)).isEmpty)
  }

  @Test func `a reader that waits gets each value that another thread sends`() async {
    let broadcast = Broadcast<Int>()
    let sequence = broadcast.sequence(.unbounded)
    let sender = Task.detached {
      for number in 1...10_000 { broadcast.send(number) }
      broadcast.finish()
    }
    #expect(await prefix(20_000, of: sequence) == Array(1...10_000))
    await sender.value
  }

  @Test func `a subscription that is cancelled, or asks for little, gets no more`() {
    let broadcast = Broadcast<Int>()
    let values = Mutex<[Int]>([])
    let token = broadcast.publisher().prefix(2).sink { value in
      values.withLock { $0.append(value) }
    }
    let other = broadcast.publisher().sink { value in values.withLock { $0.append(-value) } }
    broadcast.send(1)
    other.cancel()
    broadcast.send(2)
    broadcast.send(3)
    #expect(values.withLock { $0 } == [1, -1, 2])
    #expect(broadcast.count == 0)
    token.cancel()
  }
}
