import Traces
import Values

/// The moment from which on the events of a trace ask for no answer. What they lead to may not be
/// recorded yet.
package enum AskingEnd: Sendable, Equatable {
  /// A time since the start of the trace.
  case afterStart(Microseconds)
  case beforeEnd(Microseconds)
  case timeOfDay(Timestamp)

  /// Returns the moment since the start; nil if it is a time of day and the trace has none.
  func time(in lines: JudgedLines, _ header: TraceHeader) -> Microseconds? {
    switch self {
    case .afterStart(let time): return time
    case .beforeEnd(let span): return (lines.last?.time ?? 0) - span
    case .timeOfDay(let timestamp):
      // The time of a line that comes too late is that of the line above it.
      let dated = lines.lazy.filter { !$0.isEarlier }.compactMap { line in
        line.line.timestamp.map { ($0, line.time) }
      }.first
      let began = (header.clock ?? header.began).flatMap { Timestamp(text: $0) }
      guard let (date, time) = dated ?? began.map({ ($0, 0) }) else { return nil }
      return time + microseconds(from: date, to: timestamp)
    }
  }
}

private func microseconds(from start: Timestamp, to end: Timestamp) -> Microseconds {
  let seconds = Microseconds(end.seconds &- start.seconds)
  return seconds &* 1_000_000 &+ Microseconds(end.nanoseconds - start.nanoseconds) / 1_000
}
