import Testing

@testable import Values

/// Times that never fall.
@Suite struct RisingTimesTests {
  @Test func `times are what was added, however far they are apart`() {
    let hour: Microseconds = 3_600_000_000
    let times = [0, 0, 1, 4_294_967_295, 4_294_967_296, 3 * hour, 3 * hour, .max - 1, .max]
    let rising = RisingTimes(times)
    #expect(times.indices.map { rising[$0] } == times)
    #expect(rising.count == times.count)
  }

  @Test func `the first time may be negative`() {
    let times: [Microseconds] = [.min, -5, 0, 7]
    let rising = RisingTimes(times)
    #expect(times.indices.map { rising[$0] } == times)
  }

  @Test func `a time before the last is taken as the last`() {
    let rising = RisingTimes([5, 3, 9])
    #expect((0..<3).map { rising[$0] } == [5, 5, 9])
  }
}
