import World

/// A connection that could not begin.
final class FailedTransport: Transport {
  /// Zero, because no network counts it.
  let connection = 0
  private let scheduler: Scheduler
  private var outbox = Outbox()

  var onEvent: ((TransportEvent) -> Void)? {
    get { outbox.handler }
    set {
      outbox.setHandler(newValue)
      guard outbox.needsJob() else { return }
      scheduler.schedule(after: 0, phase: .source) { [self] in
        outbox.jobBegan()
        while let delivery = outbox.next() { delivery.handler(delivery.event) }
      }
    }
  }

  var isReceiving: Bool {
    get { outbox.isReceiving }
    set { outbox.isReceiving = newValue }
  }

  init(_ failure: TransportFailure, _ scheduler: Scheduler) {
    self.scheduler = scheduler
    outbox.append(.failed(failure))
  }

  @discardableResult
  func send(_ bytes: [UInt8]) -> Bool { outbox.isOpen }

  func shutDownWriting() {}
  func abort() { outbox.close() }
  func close() { outbox.close() }
}
