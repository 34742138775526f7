import Testing
import World

@testable import LiveConnections

@Suite struct EventStreamMachineTests {
  private static let refused = EventStreamError.connection(
    ConnectionFailure(reason: "connectionFailed", problem: "refused"))

  /// Returns the actions of a machine, input after input, as texts.
  private func told(
    _ machine: inout EventStreamMachine, _ inputs: [EventStreamMachine.Input]
  ) -> [EventStreamMachine.Action] {
    inputs.flatMap { machine.on($0) }
  }

  private func machine(
    _ policy: RetryPolicy? = RetryPolicy(), idle: Int64? = nil
  ) -> EventStreamMachine {
    EventStreamMachine(policy: policy, idle: idle)
  }

  @Test func `a client connects once it is asked to`() {
    var machine = machine()
    #expect(machine.state == .notConnected)
    #expect(machine.on(.connectRequested) == [.report(.connecting), .open(generation: 1)])
    #expect(machine.refusal == .stillConnecting)
    #expect(machine.on(.opened(generation: 1)) == [.report(.connected)])
    #expect(machine.refusal == .alreadyConnected)
  }

  @Test func `what is left of an old connection does not touch the new one`() {
    var machine = machine(nil)
    _ = told(&machine, [.connectRequested, .opened(generation: 1), .disconnectRequested])
    #expect(
      machine.on(.connectRequested) == [.report(.connecting), .open(generation: 3)])
    _ = machine.on(.opened(generation: 3))
    #expect(machine.on(.ended(generation: 1)) == [])
    #expect(machine.on(.failed(generation: 1, Self.refused)) == [])
    #expect(machine.state == .connected)
  }

  @Test(arguments: [
    (nil as Int?, 6), (0, 0), (1, 0), (2, 1), (3, 2),
  ])
  func `the first try counts among the attempts`(most: Int?, pauses: Int) {
    var machine = machine(RetryPolicy(maxAttempts: most))
    var generation = 1
    var seen = 0
    _ = machine.on(.connectRequested)
    while seen < 6 {
      let actions = machine.on(.failed(generation: generation, Self.refused))
      guard case .pause(_, let next)? = actions.last else { break }
      seen += 1
      guard case .open(let opened)? = machine.on(.pauseEnded(generation: next)).last else { break }
      generation = opened
    }
    #expect(seen == pauses)
  }

  @Test func `pauses grow, and begin again once the connection was good`() {
    let policy = RetryPolicy(initialDelay: 1_000_000, maxDelay: 5_000_000)
    var machine = machine(policy)
    var pauses: [Int64] = []
    var generation = 1
    _ = machine.on(.connectRequested)
    for turn in 0..<6 {
      if turn == 4 { _ = machine.on(.opened(generation: generation)) }
      for action in machine.on(.failed(generation: generation, Self.refused)) {
        guard case .pause(let pause, let next) = action else { continue }
        pauses.append(policy.length(of: pause, unit: 0.5))
        if case .open(let opened)? = machine.on(.pauseEnded(generation: next)).last {
          generation = opened
        }
      }
    }
    #expect(pauses == [1, 2, 4, 5, 1, 2].map { $0 * 1_000_000 })
  }

  @Test func `pauses begin with what the server set until it sets another time`() {
    var machine = machine(RetryPolicy())
    _ = told(
      &machine,
      [.connectRequested, .opened(generation: 1), .retryAdvised(microseconds: 3_000_000)])
    #expect(
      machine.on(.ended(generation: 1)).last == .pause(Pause(1, base: 3_000_000), generation: 2))
    #expect(machine.on(.pauseEnded(generation: 2)).last == .open(generation: 3))
    #expect(
      machine.on(.failed(generation: 3, Self.refused)).last
        == .pause(Pause(2, base: 3_000_000), generation: 4))
    _ = told(
      &machine,
      [.pauseEnded(generation: 4), .opened(generation: 5), .retryAdvised(microseconds: 70)])
    #expect(
      machine.on(.ended(generation: 5)).last == .pause(Pause(1, base: 70), generation: 6))
  }

  @Test func `a server cannot make a client storm it`() {
    let policy = RetryPolicy(initialDelay: 0, maxDelay: 0, jitter: 1)
    var machine = machine(policy)
    _ = told(
      &machine, [.connectRequested, .opened(generation: 1), .retryAdvised(microseconds: 0)])
    #expect(machine.on(.ended(generation: 1)).last == .pause(Pause(1, base: 0), generation: 2))
    for pause in [Pause(1, base: 0), Pause(1, base: -5), Pause(1, least: -1), Pause(1)] {
      #expect(policy.length(of: pause, unit: 0) == RetryPolicy.shortestPause)
    }
  }

  @Test(arguments: [
    (204, false), (200, false), (301, false), (401, false), (404, false), (408, true),
    (429, true), (500, true), (503, true),
  ])
  func `a status is tried again where it may be another one`(status: Int, isTried: Bool) {
    var machine = machine()
    _ = machine.on(.connectRequested)
    let actions = machine.on(.failed(generation: 1, .status(status, reason: "")))
    #expect(actions.contains { if case .pause = $0 { true } else { false } } == isTried)
  }

  @Test func `disconnecting is legal in every state`() {
    var machine = machine()
    #expect(machine.on(.disconnectRequested) == [])
    _ = machine.on(.connectRequested)
    let left: [EventStreamMachine.Action] = [
      .close, .report(.disconnected(.manuallyDisconnected)),
    ]
    #expect(machine.on(.disconnectRequested) == left)
    #expect(machine.on(.disconnectRequested) == [])
    _ = told(&machine, [.connectRequested, .failed(generation: 3, Self.refused)])
    #expect(machine.on(.disconnectRequested) == left)
    #expect(machine.on(.pauseEnded(generation: 4)) == [])
  }

  @Test func `connecting out of a pause leaves the pause`() {
    var machine = machine()
    _ = told(&machine, [.connectRequested, .failed(generation: 1, Self.refused)])
    #expect(
      machine.on(.connectRequested) == [.close, .report(.connecting), .open(generation: 3)])
    #expect(machine.on(.pauseEnded(generation: 2)) == [])
  }

  @Test func `a terminated client does nothing more`() {
    var machine = machine()
    _ = machine.on(.connectRequested)
    #expect(
      machine.on(.terminateRequested) == [
        .close, .report(.disconnected(.terminated)), .finish,
      ])
    #expect(machine.refusal == .terminated)
    #expect(
      told(
        &machine,
        [
          .connectRequested, .opened(generation: 1), .opened(generation: 2), .disconnectRequested,
          .terminateRequested,
        ]) == [])
  }

  @Test func `silence that lasts counts as an error, and every sign of life ends it`() {
    var machine = machine(idle: 30_000_000)
    _ = machine.on(.connectRequested)
    let watch = EventStreamMachine.Action.watchSilence(30_000_000, generation: 1)
    #expect(machine.on(.opened(generation: 1)) == [.report(.connected), watch])
    #expect(machine.on(.received(generation: 1)) == [watch])
    #expect(
      machine.on(.silenceLasted(generation: 1)).prefix(2) == [
        .close, .report(.disconnected(.streamError(.idleTimeout))),
      ])
  }

  @Test func `chance makes pauses shorter or longer, but not longer than allowed`() {
    let policy = RetryPolicy(initialDelay: 1_000_000, maxDelay: 2_000_000, jitter: 0.1)
    #expect(policy.length(of: Pause(1), unit: 0) == 900_000)
    #expect(policy.length(of: Pause(1), unit: 0.5) == 1_000_000)
    #expect(policy.length(of: Pause(1), unit: 1) == 1_100_000)
    #expect(policy.length(of: Pause(2), unit: 0) == 1_800_000)
    #expect(policy.length(of: Pause(2), unit: 1) == 2_000_000)
  }

  @Test func `a refusal with Retry-After sets the least for the next pause`() {
    var machine = machine(RetryPolicy())
    _ = told(&machine, [.connectRequested, .retryAfter(generation: 1, microseconds: 7_000_000)])
    let refused = EventStreamError.status(503, reason: "")
    let pause = machine.on(.failed(generation: 1, refused)).last
    #expect(pause == .pause(Pause(1, least: 7_000_000), generation: 2))
    _ = machine.on(.pauseEnded(generation: 2))
    #expect(
      machine.on(.failed(generation: 3, refused)).last == .pause(Pause(2), generation: 4))
  }

  @Test(arguments: [
    RetryPolicy(multiplier: .nan), RetryPolicy(initialDelay: 0, multiplier: .infinity),
    RetryPolicy(multiplier: -10), RetryPolicy(jitter: .nan), RetryPolicy(jitter: .infinity),
  ])
  func `a policy without sense still gives a pause`(policy: RetryPolicy) {
    for number in [0, 1, 2, 59, 60] {
      let allowed = RetryPolicy.shortestPause...policy.longestPause
      #expect(allowed.contains(policy.length(of: Pause(number), unit: 0.5)))
    }
  }
}
