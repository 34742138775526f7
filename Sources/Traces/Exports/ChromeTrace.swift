import Values

/// Returns a run in the Trace Event Format, as a JSON object: a lane for each source, a complete
/// event for each line, and a flow event from each cause to what it caused. Viewers draw flows
/// between complete events alone.
///
/// The lines of one time share its microsecond, one after the other. If they overlapped, a viewer
/// would nest them, drop those below its deepest level, and could not say which one a flow is of.
/// Unless it is asked for nanoseconds, `chrome://tracing` rounds times to microseconds, and nests
/// them as well.
package func chromeTrace(of run: TraceRun) -> Value {
  ["displayTimeUnit": "ns", "traceEvents": ChromeTrace(run).events]
}

private struct ChromeTrace {
  private let run: TraceRun
  /// The lane of each source. Lane 1 has what has no source: the scenario's own lines.
  private let lanes: [String: Int]
  /// By line: the lines that it caused, in their order.
  private var effects: [Int: [Int]] = [:]
  private let moments: TraceMoments
  private static let process: Value = .int(1)
  private static let scenarioLane = 1

  init(_ run: TraceRun) {
    self.run = run
    let names = Set(run.entries.compactMap(\.line.source)).sorted(by: comesBefore)
    lanes = Dictionary(
      uniqueKeysWithValues: names.enumerated().map { ($1, $0 + ChromeTrace.scenarioLane + 1) })
    moments = TraceMoments(run.entries.indices.map { run.entries.time(of: $0) })
    for index in run.entries.indices {
      if let cause = causes(of: index) { effects[cause, default: []].append(index) }
    }
  }

  /// Returns the line that led to another one. A flow leads forwards, so it stands above.
  private func causes(of index: Int) -> Int? {
    run.entries[index].line.cause.flatMap { run.index(of: $0) }.flatMap { $0 < index ? $0 : nil }
  }

  var events: Value {
    let title = run.header.displayName
    var events = [metadata("process_name", 0, ["name": shown(title)])]
    events += laneEvents(ChromeTrace.scenarioLane, "scenario")
    for (name, lane) in lanes.sorted(by: { $0.value < $1.value }) {
      events += laneEvents(lane, name)
    }
    // A flow event belongs to the event before it in its lane.
    for index in run.entries.indices {
      let entry = run.entries[index]
      events.append(complete(entry, index))
      if causes(of: index) != nil { events.append(flow("f", of: index, at: entry, index)) }
      for effect in effects[index] ?? [] {
        events.append(flow("s", of: effect, at: entry, index))
      }
    }
    return .list(events)
  }

  private func laneEvents(_ lane: Int, _ name: String) -> [Value] {
    [
      metadata("thread_name", lane, ["name": shown(name)]),
      metadata("thread_sort_index", lane, ["sort_index": .int(lane)]),
    ]
  }

  /// Perfetto refuses an empty name, and counts it as an error of the file.
  private func shown(_ name: String) -> Value { .string(name.isEmpty ? "\"\"" : name) }

  private func metadata(_ name: String, _ lane: Int, _ arguments: Value) -> Value {
    [
      "name": .string(name), "ph": "M", "pid": ChromeTrace.process, "tid": .int(lane),
      "args": arguments,
    ]
  }

  private func complete(_ entry: TraceReader.Entry, _ index: Int) -> Value {
    [
      "name": .string(entry.line.valueText), "cat": .string(entry.line.kind.name), "ph": "X",
      "dur": moments.duration(of: index), "ts": moments.begin(of: index),
      "pid": ChromeTrace.process,
      "tid": .int(lane(of: entry)), "args": entry.json,
    ]
  }

  /// The two ends of a flow have one name, category and id: the number of what was caused.
  private func flow(
    _ phase: String, of effect: Int, at entry: TraceReader.Entry, _ index: Int
  ) -> Value {
    let members: [(Value, Value)] = [
      ("name", "cause"), ("cat", "cause"), ("ph", .string(phase)),
      ("id", .int(run.entries.number(of: effect))), ("ts", moments.begin(of: index)),
      ("pid", ChromeTrace.process), ("tid", .int(lane(of: entry))),
    ]
    var map = ValueMap(members)
    // Without it, the end of a flow belongs to the next event of its lane.
    if phase == "f" { map["bp"] = "e" }
    return .map(map)
  }

  private func lane(of entry: TraceReader.Entry) -> Int {
    entry.line.source.flatMap { lanes[$0] } ?? ChromeTrace.scenarioLane
  }
}

/// The parts of a microsecond that the lines of one time get, in the order of the lines.
///
/// Viewers count in nanoseconds: more lines than a microsecond has get one each, as far as the time
/// until the next lines allows. A view ends where the last line does, so that one is longer: what
/// stands at the edge cannot be seen.
private struct TraceMoments {
  private static let nanoseconds = 1000
  /// The part of the run that the last line gets behind it: one of so many.
  private static let marginShare = 64
  /// Viewers have no later times than those of 64 bits. A date such as that of the year 1 is far
  /// from the next one.
  private static let latest = Microseconds(Int.max / nanoseconds / 2)
  /// By line: when it begins and ends, in nanoseconds.
  private var spans: [(begin: Int, end: Int)] = []

  init(_ recorded: [Microseconds]) {
    let times = recorded.map { min($0, TraceMoments.latest) }
    var first = 0
    while first < times.count {
      let end = times[first...].firstIndex { $0 != times[first] } ?? times.count
      let start = Int(times[first]) * TraceMoments.nanoseconds
      let count = end - first
      let room =
        end < times.count ? Int(times[end] - times[first]) * TraceMoments.nanoseconds : .max
      let width = max(TraceMoments.nanoseconds, min(count, room))
      for place in 0..<count {
        spans.append((start + place * width / count, start + (place + 1) * width / count))
      }
      first = end
    }
    if let begin = spans.first?.begin, let last = spans.last {
      let margin = (last.begin - begin) / TraceMoments.marginShare
      spans[spans.count - 1].end = max(last.end, last.begin + margin)
    }
  }

  func begin(of line: Int) -> Value { microseconds(spans[line].begin) }

  func duration(of line: Int) -> Value { microseconds(spans[line].end &- spans[line].begin) }

  private func microseconds(_ nanoseconds: Int) -> Value {
    let (whole, rest) = nanoseconds.quotientAndRemainder(dividingBy: TraceMoments.nanoseconds)
    return rest == 0 ? .int(whole) : .double(Double(nanoseconds) / Double(TraceMoments.nanoseconds))
  }
}
