import Values

/// Returns a run in the Trace Event Format, as a JSON object: a lane for each source, a complete
/// event for each line, and a flow event from each cause to what it caused. Viewers draw flows
/// between complete events alone.
///
/// The lines of one time share its microsecond, one after the other. If they overlapped, a viewer
/// would nest them, drop those below its deepest level, and could not say which one a flow is of.
/// Unless it is asked for nanoseconds, `chrome://tracing` rounds times to microseconds, and nests
/// them as well.
package func chromeTrace(of run: TraceRun) -> LongJSON {
  let trace = ChromeTrace(run)
  return .map([
    ("displayTimeUnit", .value("ns")), ("traceEvents", .list([trace.stage, trace.lines].joined())),
  ])
}

private struct ChromeTrace {
  private let run: TraceRun
  /// The lane of each source. Lane 1 has what has no source: the scenario's own lines.
  private let lanes: [String: Int]
  /// By line: the first line that it caused, and the next one that has the same cause; 0 for none,
  /// as the first line has no cause.
  private var firstEffect: [UInt32]
  private var nextEffect: [UInt32]
  private static let process: Value = .int(1)
  private static let scenarioLane = 1

  init(_ run: TraceRun) {
    self.run = run
    let entries = run.entries
    let names = Set(entries.indices.lazy.compactMap { entries.source(of: $0) })
      .sorted(by: comesBefore)
    lanes = Dictionary(
      uniqueKeysWithValues: names.enumerated().map { ($1, $0 + ChromeTrace.scenarioLane + 1) })
    firstEffect = Array(repeating: 0, count: entries.count)
    nextEffect = firstEffect
    for index in entries.indices.reversed() {
      guard let cause = cause(entries.cause(of: index), of: index) else { continue }
      nextEffect[index] = firstEffect[cause]
      firstEffect[cause] = UInt32(index)
    }
  }

  /// Returns the line that led to another one. A flow leads forwards, so it stands above.
  private func cause(_ number: Int?, of index: Int) -> Int? {
    number.flatMap { run.index(of: $0) }.flatMap { $0 < index ? $0 : nil }
  }

  /// The names of the run and of its lanes.
  var stage: AnySequence<LongJSON> {
    let title = run.header.displayName
    var events = [metadata("process_name", 0, ["name": shown(title)])]
    events += laneEvents(ChromeTrace.scenarioLane, "scenario")
    for (name, lane) in lanes.sorted(by: { $0.value < $1.value }) {
      events += laneEvents(lane, name)
    }
    return AnySequence(events.map { .value($0) })
  }

  var lines: AnySequence<LongJSON> {
    AnySequence { [self] in
      var moments = TraceMoments(run.entries)
      return run.entries.indices.lazy.flatMap { index in
        events(of: index, moments.next(index)).lazy.map { LongJSON.value($0) }
      }.makeIterator()
    }
  }

  /// A flow event belongs to the event before it in its lane.
  /// One line may have caused all others, so they are made one by one.
  private func events(of index: Int, _ moment: TraceMoments.Moment) -> some Sequence<Value> {
    let entry = run.entries[index]
    var own = [complete(entry, moment)]
    if cause(entry.line.cause, of: index) != nil {
      own.append(flow("f", of: index, at: entry, moment))
    }
    let effects = sequence(state: firstEffect[index]) { effect -> Value? in
      guard effect > 0 else { return nil }
      defer { effect = nextEffect[Int(effect)] }
      return flow("s", of: Int(effect), at: entry, moment)
    }
    return [AnySequence(own), AnySequence(effects)].joined()
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

  private func complete(_ entry: TraceReader.Entry, _ moment: TraceMoments.Moment) -> Value {
    [
      "name": .string(entry.line.valueText), "cat": .string(entry.line.kind.name), "ph": "X",
      "dur": moment.duration, "ts": moment.begin,
      "pid": ChromeTrace.process,
      "tid": .int(lane(of: entry)), "args": entry.json,
    ]
  }

  /// The two ends of a flow have one name, category and id: the number of what was caused.
  private func flow(
    _ phase: String, of effect: Int, at entry: TraceReader.Entry, _ moment: TraceMoments.Moment
  ) -> Value {
    let members: [(Value, Value)] = [
      ("name", "cause"), ("cat", "cause"), ("ph", .string(phase)),
      ("id", .int(run.entries.number(of: effect))), ("ts", moment.begin),
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
  private let entries: TraceEntries
  /// The lines of one time that the current one belongs to.
  private var group = 0..<0

  /// When a line begins and how long it is, in microseconds.
  struct Moment {
    var begin: Value
    var duration: Value
  }

  init(_ entries: TraceEntries) { self.entries = entries }

  /// Returns the moment of a line. The lines are asked for in their order.
  mutating func next(_ line: Int) -> Moment {
    if line >= group.upperBound {
      let end = (line..<entries.count).first { time(of: $0) != time(of: line) }
      group = line..<(end ?? entries.count)
    }
    let start = Int(time(of: line)) * TraceMoments.nanoseconds
    let following = group.upperBound < entries.count ? time(of: group.upperBound) : nil
    let room = following.map { Int($0 - time(of: line)) * TraceMoments.nanoseconds } ?? .max
    let width = max(TraceMoments.nanoseconds, min(group.count, room))
    let place = line - group.lowerBound
    let begin = start + place * width / group.count
    var end = start + (place + 1) * width / group.count
    if line == entries.count - 1 {
      let first = Int(time(of: 0)) * TraceMoments.nanoseconds
      end = max(end, begin + (begin - first) / TraceMoments.marginShare)
    }
    return Moment(begin: microseconds(begin), duration: microseconds(end &- begin))
  }

  private func time(of line: Int) -> Microseconds {
    min(entries.time(of: line), TraceMoments.latest)
  }

  private func microseconds(_ nanoseconds: Int) -> Value {
    let (whole, rest) = nanoseconds.quotientAndRemainder(dividingBy: TraceMoments.nanoseconds)
    return rest == 0 ? .int(whole) : .double(Double(nanoseconds) / Double(TraceMoments.nanoseconds))
  }
}
