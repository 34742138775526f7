import ScenarioPlan
import World

/// A connection to an endpoint that remembers what led to the bytes on it, and that may get lost on
/// the way.
final class CauseTrackingTransport: Transport {
  private let causes: ConnectionCauses
  private let inner: any Transport
  private let isLost: Bool

  init(_ connections: Connections, to endpoint: EndpointID, isWebSocket: Bool) {
    causes = connections.causes
    let conditions = connections.conditions
    inner = conditions.connect(to: endpoint, isWebSocket: isWebSocket)
    isLost = conditions.losesRequest(to: endpoint)
    guard isLost else { return }
    connections.loop.after(conditions.latency(of: endpoint), phase: .source) { [self] in
      inner.abort()
      let handler = onEvent
      onEvent = nil
      handler?(.failed(.reset))
    }
  }

  var connection: Int { inner.connection }

  var onEvent: ((TransportEvent) -> Void)? {
    didSet {
      guard let handler = onEvent, !isLost else {
        inner.onEvent = nil
        return
      }
      inner.onEvent = { [causes, unowned inner] event in
        causes.received(on: inner.connection) { handler(event) }
      }
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
    causes.setCause(on: inner)
    inner.abort()
  }

  func close() {
    causes.setCause(on: inner)
    inner.close()
  }
}
