import TextSearch

/// Times that never fall, in four bytes each.
///
/// A time is kept as its distance from an earlier one. Where that does not fit, after 71 minutes, a
/// new stretch begins.
package struct RisingTimes: Sendable {
  private struct Stretch: Sendable {
    /// The index of its first time.
    var first: Int
    var start: Microseconds
  }

  private var stretches: [Stretch] = []
  private var distances: [UInt32] = []

  package init() {}

  package init(_ times: some Sequence<Microseconds>) {
    for time in times { append(time) }
  }

  package var count: Int { distances.count }

  /// Adds a time. One before the last is taken as the last.
  package mutating func append(_ time: Microseconds) {
    let time = distances.isEmpty ? time : max(time, self[count - 1])
    let distance = stretches.last.map { UInt64(bitPattern: time &- $0.start) }
    if let distance, let short = UInt32(exactly: distance) {
      distances.append(short)
    } else {
      stretches.append(Stretch(first: count, start: time))
      distances.append(0)
    }
  }

  package subscript(index: Int) -> Microseconds {
    start(of: index) &+ Microseconds(distances[index])
  }

  private func start(of index: Int) -> Microseconds {
    // A run has one stretch, unless it is long.
    if stretches.count == 1 { return stretches[0].start }
    var (low, high) = (0, stretches.count - 1)
    while low < high {
      let middle = (low + high + 1) / 2
      if stretches[middle].first <= index { low = middle } else { high = middle - 1 }
    }
    return stretches[low].start
  }
}
