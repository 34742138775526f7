/// A connection that a fault refused before it was made.
package final class RefusedTransport: Transport {
  /// Zero, because no network counts it.
  package let connection = 0

  package var onEvent: ((TransportEvent) -> Void)? {
    get { outbox.handler }
    set {
      outbox.setHandler(newValue)
      if outbox.needsJob() { later { [self] in deliverWaiting() } }
    }
  }

  package var isReceiving: Bool {
    get { outbox.isReceiving }
    set { outbox.isReceiving = newValue }
  }

  private var outbox = Outbox()
  private let later: (@escaping () -> Void) -> Void

  /// Takes a function that runs a job soon, but not at once.
  package init(_ later: @escaping (@escaping () -> Void) -> Void) {
    self.later = later
    later { [self] in
      let refused = TransportEvent.failed(.refused)
      outbox.pass(refused)?(refused)
    }
  }

  @discardableResult
  package func send(_ bytes: [UInt8]) -> Bool { outbox.isOpen }

  package func shutDownWriting() {}

  package func abort() { outbox.close() }

  package func close() { outbox.close() }

  private func deliverWaiting() {
    outbox.jobBegan()
    while let delivery = outbox.next() { delivery.handler(delivery.event) }
  }
}
