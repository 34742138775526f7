import Diagnostics
import Values

/// The figures of a run: what it has many of, and where it paused.
package struct TraceStatistics: Sendable {
  package struct Gap: Sendable, Equatable {
    /// The last event before the gap, and the first one after it.
    package var before: Int
    package var after: Int
    package var begin: Microseconds
    package var end: Microseconds
  }

  /// The shortest time without events that is shown.
  package static let shortestGap: Microseconds = 10_000_000
  /// The most sources that are called busy.
  package static let mostBusy = 5

  package let events: Int
  package let bytes: Int
  package let duration: Microseconds
  /// The number of lines by kind and by source, the most frequent first.
  package let kinds: [(name: String, count: Int)]
  package let sources: [(name: String, count: Int)]
  package private(set) var gaps: [Gap] = []

  package init(of run: TraceRun) {
    events = run.entries.count
    bytes = run.bytes
    duration = run.duration
    let entries = run.entries
    kinds = counted(entries.indices.lazy.map { entries.kindName(of: $0) })
    sources = counted(entries.indices.lazy.compactMap { entries.source(of: $0) })
    for index in entries.indices.dropFirst() {
      let (begin, end) = (entries.time(of: index - 1), entries.time(of: index))
      guard end - begin > TraceStatistics.shortestGap else { continue }
      gaps.append(
        Gap(
          before: entries.number(of: index - 1), after: entries.number(of: index), begin: begin,
          end: end))
    }
  }

  package var answer: TraceAnswer {
    TraceAnswer(
      lines: [headline] + busiest + gaps.map(\.text) + table("kind", kinds)
        + table("source", sources),
      json: [
        "events": .int(events), "bytes": .int(bytes), "us": .int(Int(duration)),
        "bytesPerEvent": .int(bytesPerEvent), "kinds": json(kinds), "sources": json(sources),
        "gaps": .list(gaps.map(\.json)),
      ])
  }

  private var bytesPerEvent: Int { events == 0 ? 0 : bytes / events }

  private var headline: String {
    let noun = events == 1 ? "event" : "events"
    return
      "\(events) \(noun) in \(durationText(duration)), \(bytes) bytes, \(bytesPerEvent) an event"
  }

  private var busiest: [String] {
    let busy = sources.prefix(TraceStatistics.mostBusy).map { source in
      let share = source.count * 100 / max(1, events)
      return "\(visibleText(source.name)) \(share)%"
    }
    return busy.isEmpty ? [] : ["busiest: " + busy.joined(separator: ", ")]
  }

  private func table(_ title: String, _ counts: [(name: String, count: Int)]) -> [String] {
    let width = counts.map { String($0.count).count }.max() ?? 0
    guard !counts.isEmpty else { return [] }
    return ["by \(title):"]
      + counts.map { entry in
        let number = String(entry.count)
        let gap = String(repeating: " ", count: width - number.count)
        return "  \(gap)\(number)  \(visibleText(entry.name))"
      }
  }

  private func json(_ counts: [(name: String, count: Int)]) -> Value {
    .map(ValueMap(counts.map { (.string($0.name), .int($0.count)) }))
  }
}

private func counted(_ names: some Sequence<String>) -> [(name: String, count: Int)] {
  var counts: [String: Int] = [:]
  for name in names { counts[name, default: 0] += 1 }
  return counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { ($0.key, $0.value) }
}

extension TraceStatistics.Gap {
  fileprivate var text: String {
    let length = durationText(end - begin)
    return "gap: \(length) between event \(before) at \(durationText(begin)) and event \(after)"
  }

  fileprivate var json: Value {
    ["before": .int(before), "after": .int(after), "us": .int(Int(end - begin))]
  }
}
