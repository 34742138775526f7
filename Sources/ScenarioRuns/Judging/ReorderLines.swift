import Traces
import Values

/// A line at its place in the order of times.
struct ReorderedLine: Sendable {
  /// The index of the line among the entries of its run.
  var index: Int
  var time: Microseconds
  var isEarlier: Bool
}

extension TraceRun {
  /// Returns the lines in the order of their times. Lines of one time keep their order.
  ///
  /// A line that comes more than `span` after a line with a later time stays where it is, at the
  /// time of the line before it: what it belongs to has been judged by then.
  func reordered(within span: Microseconds) -> [ReorderedLine] {
    var latest = Microseconds.min / 2
    var lines = entries.indices.map { index -> ReorderedLine in
      let own = entries[index].ownTime
      let isTooLate = own < latest - span
      latest = max(latest, own)
      return ReorderedLine(index: index, time: isTooLate ? latest : own, isEarlier: isTooLate)
    }
    let start = min(lines.lazy.map(\.time).min() ?? 0, 0)
    lines.sort { ($0.time, $0.index) < ($1.time, $1.index) }
    for place in lines.indices { lines[place].time -= start }
    return lines
  }
}
