import LiveConnections
import World

/// A function that makes the connection to a server. It is called on the client's loop.
public typealias TransportMaker = @Sendable (ServerAddress) -> any ClientTransport

/// A connection of a client, however its bytes travel. Tests use it in place of sockets.
///
/// The client calls it on its loop. Events may be reported on any thread, and from inside a call;
/// the client receives them later, in order.
public protocol ClientTransport: AnyObject {
  /// Begins to connect. It is called once, before the first `send`.
  func start(_ report: @escaping @Sendable (ClientTransportEvent) -> Void)

  /// Accepts bytes for the server, also before it is connected.
  func send(_ bytes: [UInt8])

  /// Ends sending; the server may go on.
  func finishSending()

  /// Ends the connection. Later reports are ignored.
  func close()
}

/// An event of a custom transport.
public enum ClientTransportEvent: Sendable, Equatable {
  /// The server accepted the connection. A transport need not report it.
  case connected
  case received([UInt8])
  /// The server sends no more.
  case ended
  /// The connection is gone. No event follows.
  case failed(ConnectionFailure)
}

/// A custom transport, as clients use it.
final class TransportAdapter: Transport {
  /// Zero, because no network counts it.
  let connection = 0
  private let inner: any ClientTransport
  private let loop: any ClientLoop
  private var outbox = Outbox()
  private var isStarted = false

  var onEvent: ((TransportEvent) -> Void)? {
    get { outbox.handler }
    set {
      outbox.setHandler(newValue)
      if newValue != nil { start() }
      deliverLater()
    }
  }

  var isReceiving: Bool {
    get { outbox.isReceiving }
    set {
      outbox.isReceiving = newValue
      deliverLater()
    }
  }

  init(_ inner: any ClientTransport, on loop: any ClientLoop) {
    self.inner = inner
    self.loop = loop
  }

  @discardableResult
  func send(_ bytes: [UInt8]) -> Bool {
    start()
    if outbox.isOpen { inner.send(bytes) }
    return outbox.isOpen
  }

  func shutDownWriting() { inner.finishSending() }

  func abort() { close() }

  func close() {
    outbox.close()
    inner.close()
  }

  private func start() {
    guard !isStarted else { return }
    isStarted = true
    let place = LoopConfined(WeakAdapter(adapter: self))
    inner.start { [loop] event in
      loop.perform { place.value.adapter?.receive(TransportEvent(event)) }
    }
  }

  private func receive(_ event: TransportEvent) { outbox.pass(event)?(event) }

  private func deliverLater() {
    guard outbox.needsJob() else { return }
    let place = LoopConfined(self)
    loop.perform { place.value.deliverWaiting() }
  }

  private func deliverWaiting() {
    outbox.jobBegan()
    while let delivery = outbox.next() { delivery.handler(delivery.event) }
  }

  private struct WeakAdapter {
    weak var adapter: TransportAdapter?
  }
}

/// A value that only jobs of one loop use.
struct LoopConfined<Value>: @unchecked Sendable {
  let value: Value

  init(_ value: Value) { self.value = value }
}

/// The transport of a loop that has no network.
final class MissingTransport: ClientTransport {
  func start(_ report: @escaping @Sendable (ClientTransportEvent) -> Void) {
    report(.failed(ConnectionFailure(reason: "connectionFailed", problem: "noTransport")))
  }

  func send(_ bytes: [UInt8]) {}
  func finishSending() {}
  func close() {}
}

extension TransportEvent {
  init(_ event: ClientTransportEvent) {
    switch event {
    case .connected: self = .connected
    case .received(let bytes): self = .received(bytes)
    case .ended: self = .ended
    case .failed(let failure): self = .failed(TransportFailure(failure))
    }
  }
}

extension TransportFailure {
  fileprivate init(_ failure: ConnectionFailure) {
    let details = failure.message ?? failure.problem ?? failure.reason
    if let problem = failure.problem, let known = Self(name: problem, details: details) {
      self = known
    } else if failure.reason == "connectionLost" {
      self = .reset
    } else if failure.reason == "offline" {
      self = .unreachable
    } else {
      self = .system(details)
    }
  }
}
