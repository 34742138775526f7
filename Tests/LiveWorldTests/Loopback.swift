import Testing
import World

@testable import LiveWorld

/// A network of sockets on this machine, and what happened on it.
final class Loopback {
  let scheduler = Scheduler()
  let loop: EventLoop
  let network: SocketNetwork
  /// The ends that servers accepted, in that order.
  var accepted: [Party] = []

  init() throws {
    loop = try #require(EventLoop(scheduler))
    network = SocketNetwork(on: loop)
  }

  deinit {
    scheduler.discardAll()
    network.discardAll()
  }

  /// Runs the loop until a condition holds, for ten seconds at most.
  func run(until isSo: () -> Bool) -> Bool {
    let end = scheduler.now + 10_000_000
    while !isSo() {
      if scheduler.runNext(upTo: scheduler.now) { continue }
      guard scheduler.now < end else { return false }
      loop.poll(until: min(end, scheduler.nextDue ?? end))
    }
    return true
  }

  /// Runs the loop for a number of microseconds.
  func run(for time: Int64) {
    let end = scheduler.now + time
    while scheduler.now < end {
      if scheduler.runNext(upTo: scheduler.now) { continue }
      loop.poll(until: min(end, scheduler.nextDue ?? end))
    }
  }

  func listen(
    at name: String = "server", _ place: ListeningPlace? = nil,
    _ setUp: @escaping (Party) -> Void = { _ in }
  ) -> Bool {
    network.places[name] = place
    return network.listen(at: name) { [unowned self] transport in
      let party = Party(transport)
      accepted.append(party)
      setUp(party)
    }
  }

  func connect(to name: String = "server") -> Party { Party(network.connect(to: name)) }
}

/// One end of a connection, and the events it received.
final class Party {
  let transport: any Transport
  var lines: [String] = []
  var received: [UInt8] = []
  var then: ((TransportEvent) -> Void)?
  var failure: TransportFailure?
  /// Whether an event arrived from inside a call.
  var isCalling = false
  var wasInterrupted = false

  init(_ transport: any Transport) {
    self.transport = transport
    transport.onEvent = { [unowned self] event in take(event) }
  }

  func send(_ bytes: [UInt8]) -> Bool { calling { transport.send(bytes) } }

  func send(_ text: String) { _ = send(Array(text.utf8)) }

  func calling<Result>(_ call: () -> Result) -> Result {
    isCalling = true
    defer { isCalling = false }
    return call()
  }

  var text: String { String(decoding: received, as: UTF8.self) }

  private var hasEnded: Bool { lines.contains("ended") || lines.contains("half closed") }
  var isOver: Bool { hasEnded || failure != nil }

  private func take(_ event: TransportEvent) {
    if isCalling { wasInterrupted = true }
    switch event {
    case .connected: lines.append("connected")
    case .received(let bytes): received += bytes
    case .ended: lines.append("ended")
    case .halfClosed: lines.append("half closed")
    case .writable: lines.append("writable")
    case .failed(let failure):
      self.failure = failure
      lines.append(failure.name)
    }
    then?(event)
  }
}

extension Party {
  /// Sends back what arrives, and ends when the other side does.
  func echo() {
    then = { [unowned self] event in
      switch event {
      case .received(let bytes): transport.send(bytes)
      case .ended, .halfClosed: transport.close()
      case .connected, .writable, .failed: break
      }
    }
  }
}
