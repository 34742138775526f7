import Events
import Publishers
import Values

/// The rank of a barrier: streams that follow others rank behind them.
struct BarrierRank: Comparable {
  var stream: Int
  var step: Int

  static func < (a: BarrierRank, b: BarrierRank) -> Bool {
    (a.stream, a.step) < (b.stream, b.step)
  }
}

/// A barrier that holds back a stream's values until all nodes of one change have notified.
final class GlitchBarrier {
  let place: BarrierRank
  /// True if all values count; false if only the last does.
  let keepsAll: Bool
  private let passed: PassthroughSubject<Value, StreamFailure>
  private var values: [(value: Value, cause: EventID?)] = []
  /// The end that came while values were held.
  private var end: Completion<StreamFailure>?

  init(
    _ place: BarrierRank, keepsAll: Bool, passed: PassthroughSubject<Value, StreamFailure>
  ) {
    self.place = place
    self.keepsAll = keepsAll
    self.passed = passed
  }

  /// The end comes behind the values that are held.
  func finish(_ end: Completion<StreamFailure>) {
    if values.isEmpty { passed.send(completion: end) } else { self.end = end }
  }

  func hold(_ value: Value, cause: EventID?) {
    if !keepsAll { values = [] }
    values.append((value, cause))
  }

  func release(_ run: RunParts) {
    let released = values
    values = []
    for one in released { run.recorder.caused(by: one.cause) { passed.send(one.value) } }
    if let end { run.recorder.caused(by: released.last?.cause) { passed.send(completion: end) } }
  }
}

/// Streams that join several nodes wait until all nodes of one change have notified.
extension LiveStreams {
  /// Holds back the values that come while the nodes of one change notify. Of a combination only
  /// the last value is emitted, because only it is complete.
  func glitchFree(_ publisher: ValuePublisher, keepsAll: Bool = false) -> ValuePublisher {
    let place = holdingPlace
    return Deferred { [unowned self] in
      let passed = PassthroughSubject<Value, StreamFailure>()
      let held = GlitchBarrier(place, keepsAll: keepsAll, passed: passed)
      let values = publisher.handleEvents(
        receiveOutput: { [unowned self] value in
          if isInBatch { hold(value, in: held) } else { passed.send(value) }
        },
        receiveCompletion: { held.finish($0) })
      return passed.merge(with: values.filter { _ in false }.catch { _ in Empty() })
    }.eraseToAnyPublisher()
  }

  private func hold(_ value: Value, in values: GlitchBarrier) {
    values.hold(value, cause: run.recorder.cause)
    if !held.contains(where: { $0 === values }) { held.append(values) }
  }

  /// Lets go of what is held nearest to the nodes; false when nothing is.
  func releaseNext() -> Bool {
    guard let next = held.min(by: { $0.place < $1.place }) else { return false }
    release(next)
    return true
  }

  private func release(_ values: GlitchBarrier) {
    held.removeAll { $0 === values }
    values.release(run)
  }
}
