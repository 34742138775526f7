import Traces
import Values

extension [TraceReader.Entry] {
  /// Returns the lines in the order of their times. Lines of one time keep their order.
  ///
  /// A line that comes more than `span` after a line with a later time stays where it is, at the
  /// time of the line before it: what it belongs to has been judged by then.
  func reordered(within span: Microseconds) -> [TraceReader.Entry] {
    var latest = Microseconds.min / 2
    var lines = self
    for place in lines.indices {
      let isTooLate = lines[place].ownTime < latest - span
      lines[place].isEarlier = isTooLate
      lines[place].time = isTooLate ? latest : lines[place].ownTime
      latest = Swift.max(latest, lines[place].time)
    }
    let start = Swift.min(lines.map(\.time).min() ?? 0, 0)
    let order = lines.indices.sorted {
      (lines[$0].time, $0) < (lines[$1].time, $1)
    }
    return order.map { place in
      var line = lines[place]
      line.time -= start
      return line
    }
  }
}
