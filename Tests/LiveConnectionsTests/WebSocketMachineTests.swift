import Testing

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
    #expect(machine.on(.connectRequested) == [.tell(.connecting), .open(generation: 1)])
    #expect(
      machine.on(.opened(generation: 1, subprotocol: "chat")) == [
        .tell(.connected(subprotocol: "chat"))
      ])
  }

  @Test func `what fails before the connection was there is a failure to connect`() {
    var machine = WebSocketMachine(ping: nil, idle: nil)
    _ = machine.on(.connectRequested)
    let error = WebSocketError.status(401, reason: "Unauthorized")
    #expect(
      machine.on(.failed(generation: 1, error)).last
        == .tell(.disconnected(.failedToConnect(error))))
    var other = connected()
    #expect(
      other.on(.failed(generation: 1, error)).last
        == .tell(.disconnected(.connectionLost(error))))
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
        == .tell(.disconnected(.connectionLost(.pongTimeout))))
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
        == .tell(.disconnected(.connectionLost(.pongTimeout))))
  }

  @Test func `leaving says goodbye with code 1000, being left behind with 1001`() {
    var machine = connected()
    #expect(machine.on(.disconnectRequested).first == .leave(code: 1000))
    var other = connected(idle: 5)
    #expect(other.on(.silenceLasted(generation: 1)).first == .leave(code: 1001))
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
        .leave(code: 1000), .tell(.disconnected(.terminated)), .finish,
      ])
    #expect(machine.refusal == .terminated)
    #expect(machine.on(.connectRequested) == [])
  }
}
