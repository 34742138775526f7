import Values

/// A file of traces that was read, split into its runs: a log may hold several.
package struct ReadTrace: Sendable {
  package private(set) var runs: [TraceRun] = []
  /// What is wrong with lines, in their order.
  package private(set) var problems: [TraceProblem] = []
  /// The place after which the file was cut; nil if its last line has its end.
  package var cut: TracePlace? { runs.last?.cut ?? cutBeforeRuns }
  private var cutBeforeRuns: TracePlace?

  package init(_ bytes: [UInt8]) {
    for item in TraceReader.read(bytes) { add(item) }
    for index in runs.indices {
      let end = index + 1 < runs.count ? runs[index + 1].start : bytes.count
      runs[index].bytes = end - runs[index].start
    }
  }

  /// The run of a file that holds no other.
  package var onlyRun: TraceRun? { runs.count == 1 ? runs[0] : nil }

  private mutating func add(_ item: TraceReader.Item) {
    switch item {
    case .header(let header, let place): runs.append(TraceRun(header, at: place))
    case .line(let entry):
      // The missing header is a problem of its own; the lines are shown all the same.
      if runs.isEmpty { runs.append(TraceRun(TraceHeader(), at: nil)) }
      runs[runs.count - 1].add(entry)
    case .problem(let problem): problems.append(problem)
    case .cut(let place):
      if runs.isEmpty { cutBeforeRuns = place } else { runs[runs.count - 1].cut = place }
    }
  }
}

/// One run of a trace.
package struct TraceRun: Sendable {
  package var header: TraceHeader
  /// The place of the header; nil if it is missing.
  package let place: TracePlace?
  package private(set) var entries: [TraceReader.Entry] = []
  /// The bytes of the lines, with their header.
  package fileprivate(set) var bytes = 0
  /// The place after which the run was cut; nil if its last line has its end.
  package fileprivate(set) var cut: TracePlace?
  private var places: [Int: Int] = [:]

  fileprivate init(_ header: TraceHeader, at place: TracePlace?) {
    self.header = header
    self.place = place
  }

  fileprivate var start: Int { place?.offset ?? 0 }

  /// True if the last line is the verdict, which only a complete run has.
  package var hasVerdict: Bool { entries.last?.line.knownKind == .verdict }

  /// True if the trace holds its run to the end.
  package var isComplete: Bool { cut == nil && hasVerdict }

  /// Returns the event with a number.
  package func entry(_ number: Int) -> TraceReader.Entry? { index(of: number).map { entries[$0] } }

  package func index(of number: Int) -> Int? { places[number] }

  fileprivate mutating func add(_ entry: TraceReader.Entry) {
    places[entry.number] = places[entry.number] ?? entries.count
    entries.append(entry)
  }

  /// The time of the last event.
  package var duration: Microseconds { entries.last?.time ?? 0 }

  /// The date at which the run began: its clock, else the first date of a line, else 1970.
  var beginning: Timestamp {
    header.clock.flatMap { Timestamp(text: $0) }
      ?? entries.lazy.compactMap(\.line.timestamp).first ?? Timestamp(seconds: 0, nanoseconds: 0)
  }
}

extension TraceLine {
  /// True if the line is the last value of its source from here on, until the next one comes.
  ///
  /// What a client sends is what its endpoint emits.
  var setsValue: Bool {
    switch knownKind {
    case .emitted?, .finished?, .request?, .left?: true
    case .message?: from != .server
    case nil, .subscribed?, .unsubscribed?, .response?, .stream?, .upgrade?, .event?, .line?,
      .pong?, .bytes?, .goodbye?, .drop?, .reset?, .unreachable?, .exit?, .now?, .step?, .branch?,
      .phase?, .assertion?, .read?, .idle?, .network?, .fault?, .log?, .ignored?, .problem?,
      .failure?, .listening?, .pending?, .verdict?:
      false
    }
  }
}

extension TraceReader.Entry {
  /// The members that programs get of an event.
  var json: Value {
    var map = ValueMap([("n", .int(number)), ("us", .int(Int(time)))])
    map["kind"] = .string(line.kind.name)
    for member in [TraceMember.source, .cause, .value, .connection, .from, .at] {
      map[member.rawValue] = line.json(of: member)
    }
    return .map(map)
  }
}

/// The answer to a question about a trace, for people and for programs.
package struct TraceAnswer: Sendable, Equatable {
  package var lines: [String]
  package var json: Value

  /// The most lines that people see unless they ask for all.
  package static let mostLines = 40

  /// Returns the text for people, cut after the most lines unless all are wanted.
  package func text(all: Bool) -> String {
    guard !all, lines.count > TraceAnswer.mostLines else {
      return lines.map { $0 + "\n" }.joined()
    }
    let shown = lines.prefix(TraceAnswer.mostLines - 1)
    let rest = "… \(lines.count - shown.count) more lines; --all shows them"
    return (shown + [rest]).map { $0 + "\n" }.joined()
  }
}
