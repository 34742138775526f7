import Events
import ScenarioPlan
import Values
import World

/// A connection to an endpoint that remembers what led to the bytes on it, and that may get lost on
/// the way.
final class CauseTrackingTransport: Transport {
  private let causes: ConnectionCauses
  private let inner: any Transport
  private let isLost: Bool
  private let loop: RunLoop
  /// How the connection stands, and since when; nil once it is over.
  private(set) var state: (name: PendingOperation.ConnectionState, since: Microseconds)?

  /// - Parameter isForRequests: True if each request on it may get lost by itself.
  init(
    _ connections: Connections, to endpoint: EndpointID, isWebSocket: Bool,
    isForRequests: Bool = false
  ) {
    causes = connections.run.causes
    loop = connections.run.loop
    state = (.connecting, loop.now)
    let conditions = connections.conditions
    inner = conditions.connect(to: endpoint, isWebSocket: isWebSocket)
    isLost = !isForRequests && conditions.losesRequest(to: endpoint)
    guard isLost else { return }
    loop.after(conditions.latency(of: endpoint), phase: .source, of: .toClient) { [self] in
      inner.abort()
      state = nil
      let handler = onEvent
      onEvent = nil
      handler?(.failed(.reset))
    }
  }

  var connection: Int { inner.connection }
  var stage: ConnectionStage { inner.stage }
  var hasUnconfirmedBytes: Bool { inner.hasUnconfirmedBytes }
  var hasUnreportedInput: Bool { inner.hasUnreportedInput }

  var onEvent: ((TransportEvent) -> Void)? {
    didSet {
      guard let handler = onEvent, !isLost else {
        inner.onEvent = nil
        return
      }
      inner.onEvent = { [weak self, causes, unowned inner] event in
        self?.note(event)
        causes.received(on: inner.connection) { handler(event) }
      }
    }
  }

  private func note(_ event: TransportEvent) {
    switch event {
    case .connected, .received:
      if state?.name == .connecting { state = (.connected, loop.now) }
    case .ended, .halfClosed, .failed: state = nil
    case .writable: break
    }
  }

  var isReceiving: Bool {
    get { inner.isReceiving }
    set { inner.isReceiving = newValue }
  }

  @discardableResult
  func send(_ bytes: [UInt8]) -> Bool {
    guard !isLost else { return true }
    causes.setCause(on: inner)
    return inner.send(bytes)
  }

  func shutDownWriting() {
    causes.setCause(on: inner)
    inner.shutDownWriting()
  }

  func abort() {
    state = nil
    causes.setCause(on: inner)
    inner.abort()
  }

  func close() {
    state = nil
    causes.setCause(on: inner)
    inner.close()
  }
}
