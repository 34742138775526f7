import ConnectionLoops
import Testing

/// The policies as programs read and change them.
@Suite struct PolicyTests {
  @Test func `the pauses of a policy can be read and changed`() {
    var retry = RetryPolicy(maxAttempts: 3, initialDelay: .milliseconds(250))
    #expect(retry.initialDelay == .milliseconds(250))
    #expect(retry.maxDelay == .seconds(60))
    retry.maxDelay = retry.initialDelay * 4
    #expect(
      retry == RetryPolicy(maxAttempts: 3, initialDelay: .milliseconds(250), maxDelay: .seconds(1)))
    var ping = PingPolicy()
    #expect(ping.interval == .seconds(30))
    ping.interval = .seconds(5)
    #expect(ping == PingPolicy(interval: .seconds(5)))
  }
}
