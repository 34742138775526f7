import Values

/// Returns a run in the Trace Event Format, as a JSON array: a lane for each source, a complete
/// event of a microsecond for each line, and a flow event from each cause to what it caused.
/// Viewers draw flows between complete events alone.
package func chromeTrace(of run: TraceRun) -> Value {
  ChromeTrace(run).events
}

private struct ChromeTrace {
  private let run: TraceRun
  /// The lane of each source. Lane 1 has what has no source: the scenario's own lines.
  private let lanes: [String: Int]
  /// By event: the events that it caused, in their order.
  private var effects: [Int: [TraceReader.Entry]] = [:]
  private static let process: Value = .int(1)
  private static let scenarioLane = 1

  init(_ run: TraceRun) {
    self.run = run
    let names = Set(run.entries.compactMap(\.line.source)).sorted {
      $0.utf8.lexicographicallyPrecedes($1.utf8)
    }
    lanes = Dictionary(
      uniqueKeysWithValues: names.enumerated().map { ($1, $0 + ChromeTrace.scenarioLane + 1) })
    for entry in run.entries {
      if let cause = entry.line.cause, run.entry(cause) != nil {
        effects[cause, default: []].append(entry)
      }
    }
  }

  var events: Value {
    let title = run.header.scenario?.title ?? "trace"
    var events = [metadata("process_name", 0, ["name": .string(title)])]
    events += laneEvents(ChromeTrace.scenarioLane, "scenario")
    for (name, lane) in lanes.sorted(by: { $0.value < $1.value }) {
      events += laneEvents(lane, name)
    }
    // A flow event belongs to the event before it in its lane.
    for entry in run.entries {
      events.append(complete(entry))
      if let cause = entry.line.cause, run.entry(cause) != nil {
        events.append(flow("f", of: entry, at: entry))
      }
      for effect in effects[entry.number] ?? [] {
        events.append(flow("s", of: effect, at: entry))
      }
    }
    return .list(events)
  }

  private func laneEvents(_ lane: Int, _ name: String) -> [Value] {
    [
      metadata("thread_name", lane, ["name": .string(name)]),
      metadata("thread_sort_index", lane, ["sort_index": .int(lane)]),
    ]
  }

  private func metadata(_ name: String, _ lane: Int, _ arguments: Value) -> Value {
    [
      "name": .string(name), "ph": "M", "pid": ChromeTrace.process, "tid": .int(lane),
      "args": arguments,
    ]
  }

  private func complete(_ entry: TraceReader.Entry) -> Value {
    [
      "name": .string(entry.line.valueText), "cat": .string(entry.line.kind.name), "ph": "X",
      "dur": 1, "ts": .int(Int(entry.time)), "pid": ChromeTrace.process,
      "tid": .int(lane(of: entry)), "args": entry.json,
    ]
  }

  /// The two ends of a flow have one name, category and id: the number of what was caused.
  private func flow(
    _ phase: String, of effect: TraceReader.Entry, at entry: TraceReader.Entry
  ) -> Value {
    let members: [(Value, Value)] = [
      ("name", "cause"), ("cat", "cause"), ("ph", .string(phase)), ("id", .int(effect.number)),
      ("ts", .int(Int(entry.time))), ("pid", ChromeTrace.process), ("tid", .int(lane(of: entry))),
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
