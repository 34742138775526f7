import Testing
import World

@testable import LiveConnections

@Suite struct WebSocketMachineTests {
  private func connected(_ ping: PingPolicy? = nil, idle: Int64? = nil) -> WebSocketMachine {
    var machine = WebSocketMachine(ping: ping, idle: idle)
    _ = machine.on(.connectRequested)
    _ = machine.on(.opened(generation: 1, subprotocol: nil))
    return machine
  }

  @Test func `the subprotocol is reported with the connection`() {
    var machine = WebSocketMachine(ping: nil, idle: nil)
    #expect(machine.on(.connectRequested) == [.report(.connecting), .open(generation: 1)])
    #expect(
      machine.on(.opened(generation: 1, subprotocol: "chat")) == [
        .report(.connected(subprotocol: "chat"))
      ])
  }

  @Test func `what fails before the connection was there is a failure to connect`() {
    var machine = WebSocketMachine(ping: nil, idle: nil)
    _ = machine.on(.connectRequested)
    let error = WebSocketError.status(401, reason: "Unauthorized")
    #expect(
      machine.on(.failed(generation: 1, error)).last
        == .report(.disconnected(.failedToConnect(error))))
    var other = connected()
    #expect(
      other.on(.failed(generation: 1, error)).last
        == .report(.disconnected(.connectionLost(error))))
  }

  @Test(arguments: [(1, 1), (3, 3), (0, 1)])
  func `so many unanswered pings end the connection`(most: Int, intervals: Int) {
    var machine = WebSocketMachine(
      ping: PingPolicy(interval: 10, maxFailures: most), idle: nil)
    _ = machine.on(.connectRequested)
    #expect(
      machine.on(.opened(generation: 1, subprotocol: nil)).suffix(2) == [
        .ping(1), .awaitPing(10, generation: 1),
      ])
    for _ in 1..<intervals { _ = machine.on(.pingDue(generation: 1)) }
    #expect(
      machine.on(.pingDue(generation: 1)).last
        == .report(.disconnected(.connectionLost(.pongTimeout))))
  }

  @Test func `an answered ping makes up for those before it`() {
    var machine = connected(PingPolicy(interval: 10, maxFailures: 3))
    for _ in 0..<2 { _ = machine.on(.pingDue(generation: 1)) }
    _ = machine.on(.pongArrived(generation: 1, number: 3))
    for _ in 0..<3 { _ = machine.on(.pingDue(generation: 1)) }
    #expect(machine.state == .connected(subprotocol: nil))
  }

  @Test(arguments: [1, 3, nil])
  func `an answer to another ping than the last is none`(number: Int?) {
    var machine = connected(PingPolicy(interval: 10, maxFailures: 2))
    _ = machine.on(.pingDue(generation: 1))
    _ = machine.on(.pongArrived(generation: 1, number: number))
    #expect(
      machine.on(.pingDue(generation: 1)).last
        == .report(.disconnected(.connectionLost(.pongTimeout))))
  }

  @Test func `leaving says goodbye with code 1000, being left behind with 1001`() {
    var machine = connected()
    #expect(machine.on(.disconnectRequested).first == .close(code: 1000))
    var other = connected(idle: 5)
    #expect(other.on(.silenceLasted(generation: 1)).first == .close(code: 1001))
  }

  @Test func `a socket never comes back by itself`() {
    var machine = connected()
    let actions = machine.on(.failed(generation: 1, .pongTimeout))
    #expect(!actions.contains { if case .open = $0 { true } else { false } })
    #expect(machine.on(.opened(generation: 1, subprotocol: nil)) == [])
    #expect(machine.refusal == nil)
  }

  @Test func `what is left of an old connection does not touch the new one`() {
    var machine = connected()
    _ = machine.on(.disconnectRequested)
    _ = machine.on(.connectRequested)
    _ = machine.on(.opened(generation: 3, subprotocol: nil))
    #expect(machine.on(.failed(generation: 1, .pongTimeout)) == [])
    #expect(machine.on(.pingDue(generation: 1)) == [])
    #expect(machine.state == .connected(subprotocol: nil))
  }

  @Test func `a terminated client does nothing more`() {
    var machine = WebSocketMachine(ping: nil, idle: nil)
    #expect(
      machine.on(.terminateRequested) == [
        .close(code: 1000), .report(.disconnected(.terminated)), .finish,
      ])
    #expect(machine.refusal == .terminated)
    #expect(machine.on(.connectRequested) == [])
  }

  private static let policy = RetryPolicy(initialDelay: 1_000_000)

  @Test(arguments: [
    (WebSocketError.unexpectedDisconnection(code: 1006, reason: ""), true),
    (.unexpectedDisconnection(code: 1001, reason: "restart"), true),
    (.unexpectedDisconnection(code: 4001, reason: "banned"), true),
    (.unexpectedDisconnection(code: 1000, reason: "done"), false),
    (.unexpectedDisconnection(code: 1008, reason: "no"), false),
    (.status(503, reason: ""), true), (.status(401, reason: ""), false),
    (.pongTimeout, true), (.idleTimeout, true), (.handshake("websocket-wrong-accept"), false),
    (.receiveFailed("websocket-masked-frame"), false), (.loopStopped, false),
  ])
  func `a lost connection is tried again unless it would end the same`(
    error: WebSocketError, isTriedAgain: Bool
  ) {
    var machine = WebSocketMachine(policy: Self.policy, ping: nil, idle: nil)
    _ = machine.on(.connectRequested)
    _ = machine.on(.opened(generation: 1, subprotocol: nil))
    let actions = machine.on(.failed(generation: 1, error))
    #expect(machine.isWaitingToRetry == isTriedAgain)
    #expect(actions.contains(.pause(Pause(1), generation: 2)) == isTriedAgain)
    let later = machine.on(.pauseEnded(generation: 2))
    #expect(later == (isTriedAgain ? [.report(.connecting), .open(generation: 3)] : []))
  }

  @Test func `codes and statuses of the policy take the place of the usual ones`() {
    let policy = RetryPolicy(nonRetryableStatuses: [4001])
    #expect(!policy.isWorthAnotherTry(closeCode: 4001))
    #expect(policy.isWorthAnotherTry(closeCode: 1000))
    #expect(policy.isWorthAnotherTry(401))
  }

  @Test func `attempts end with the last one, and begin again after a good connection`() {
    var machine = WebSocketMachine(
      policy: RetryPolicy(maxAttempts: 2, initialDelay: 1), ping: nil, idle: nil)
    _ = machine.on(.connectRequested)
    _ = machine.on(.failed(generation: 1, .connection(.lost)))
    _ = machine.on(.pauseEnded(generation: 2))
    _ = machine.on(.opened(generation: 3, subprotocol: nil))
    _ = machine.on(.failed(generation: 3, .idleTimeout))
    #expect(machine.isWaitingToRetry)
    _ = machine.on(.pauseEnded(generation: 4))
    _ = machine.on(.failed(generation: 5, .idleTimeout))
    #expect(machine.isWaitingToRetry)
    _ = machine.on(.pauseEnded(generation: 6))
    _ = machine.on(.failed(generation: 7, .idleTimeout))
    #expect(!machine.isWaitingToRetry)
  }

  @Test func `a refusal says how long the pause is`() {
    var machine = WebSocketMachine(policy: Self.policy, ping: nil, idle: nil)
    _ = machine.on(.connectRequested)
    _ = machine.on(.retryAfter(generation: 1, microseconds: 3_000_000))
    let actions = machine.on(.failed(generation: 1, .status(503, reason: "")))
    #expect(actions.last == .pause(Pause(1, least: 3_000_000), generation: 2))
  }

  @Test func `the owner ends a pause`() {
    for input in [WebSocketMachine.Input.disconnectRequested, .connectRequested] {
      var machine = WebSocketMachine(policy: Self.policy, ping: nil, idle: nil)
      _ = machine.on(.connectRequested)
      _ = machine.on(.failed(generation: 1, .idleTimeout))
      _ = machine.on(input)
      #expect(!machine.isWaitingToRetry)
      #expect(machine.on(.pauseEnded(generation: 2)) == [])
    }
  }
}
