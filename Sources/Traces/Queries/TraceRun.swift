import Values

/// A file of traces that was read, split into its runs: a log may hold several.
package struct ReadTrace: Sendable {
  package private(set) var runs: [TraceRun] = []
  /// The problems of lines, in their order.
  package private(set) var problems: [TraceProblem] = []
  /// The place after which the file was cut; nil if its last line has its end.
  package var cut: TracePlace? { runs.last?.cut ?? cutBeforeRuns }
  private var cutBeforeRuns: TracePlace?
  private var numbering = TraceNumbering()
  private var unknownCauses = UnknownCauses()
  /// The lines that cannot be read, and the place of the first one that is only counted.
  private var unreadable: (count: Int, rest: TracePlace?) = (0, nil)
  /// The most lines that cannot be read and are shown. A file that is no trace has no others.
  package static let mostUnreadable = 10

  package init(_ bytes: [UInt8]) { self.init(TraceBytes(bytes)) }

  /// Reads a trace whose lines stay where they are.
  package init(_ bytes: TraceBytes) {
    var reader = TraceReader()
    var offset = 0
    while offset < bytes.count {
      var (next, isTooLong) = (offset, false)
      let scanned = bytes.withLine(at: offset) { line, end in
        isTooLong = end == .more
        next += line.count + (isTooLong ? 0 : 1)
        return reader.scan(line, at: offset, end)
      }
      offset = isTooLong ? bytes.nextLine(after: next) : next
      add(scanned, bytes)
    }
    if let problem = reader.end() { add(.item(problem), bytes) }
    addUnknownCause(bytes)
    if let rest = unreadable.rest {
      problems.append(
        TraceProblem(.moreUnreadable(unreadable.count - ReadTrace.mostUnreadable), rest))
    }
    for index in runs.indices {
      let end = index + 1 < runs.count ? runs[index + 1].start : bytes.count
      runs[index].bytes = end - runs[index].start
    }
  }

  /// The run of a file that holds no other.
  package var onlyRun: TraceRun? { runs.count == 1 ? runs[0] : nil }

  private mutating func add(_ scanned: TraceReader.Scanned, _ bytes: TraceBytes) {
    switch scanned {
    case .line(let facts):
      // The missing header is a problem of its own; the lines are shown all the same.
      if runs.isEmpty { runs.append(TraceRun(TraceHeader(), at: nil, bytes)) }
      runs[runs.count - 1].entries.append(facts)
      if let cause = facts.cause, runs[runs.count - 1].entries.index(of: cause) == nil {
        unknownCauses.note(cause, of: facts)
      }
      if let expected = numbering.expectedNumber(at: facts.number) {
        problems.append(bytes.problem(.wrongNumber(facts.number, expected: expected), at: facts))
      }
    case .item(.header(let header, let place)):
      addUnknownCause(bytes)
      numbering = TraceNumbering()
      runs.append(TraceRun(header, at: place, bytes))
    case .item(.problem(let problem)):
      numbering.passOverLine()
      addUnreadable(problem)
    case .item(.cut(let place)):
      if runs.isEmpty { cutBeforeRuns = place } else { runs[runs.count - 1].cut = place }
    case .item(.line), .nothing: break
    }
  }
}

extension ReadTrace {
  /// Ends a run: says which event names a cause that none of its lines is.
  private mutating func addUnknownCause(_ bytes: TraceBytes) {
    if let run = runs.last, let (cause, line) = unknownCauses.take(from: run) {
      problems.append(bytes.problem(.unknownCause(cause), at: line, in: .cause))
    }
  }

  private mutating func addUnreadable(_ problem: TraceProblem) {
    unreadable.count += 1
    if unreadable.count <= ReadTrace.mostUnreadable {
      problems.append(problem)
    } else if unreadable.rest == nil {
      unreadable.rest = problem.place
    }
  }
}

/// The numbers of a run's lines, which rise by one: `cause` and the commands name events by them.
///
/// Of each kind of mistake the first one is found. Those behind it have the same reason.
struct TraceNumbering {
  private var last: Int?
  private var hasGap = false
  private var hasRepetition = false

  /// Takes the number of a line. Returns the expected one if it is another and new to complain of.
  mutating func expectedNumber(at number: Int) -> Int? {
    defer { last = number }
    guard let last, number != last &+ 1 else { return nil }
    if number > last {
      defer { hasGap = true }
      return hasGap ? nil : last + 1
    }
    defer { hasRepetition = true }
    return hasRepetition ? nil : last &+ 1
  }

  /// Passes over a line that cannot be read: nobody knows its number.
  mutating func passOverLine() { last = nil }
}

/// The events whose causes no line of the run had when they were read.
///
/// A later line may still have the number, so they are asked again at the end of the run.
private struct UnknownCauses: Sendable {
  private var pending: [(cause: Int, line: TraceReader.Facts)] = []
  /// The most events that are asked again. Only a damaged trace has so many.
  private static let most = 1_000

  mutating func note(_ cause: Int, of line: TraceReader.Facts) {
    if pending.count < UnknownCauses.most { pending.append((cause, line)) }
  }

  /// Returns the first event whose cause the run does not have, and begins another run.
  mutating func take(from run: TraceRun) -> (cause: Int, line: TraceReader.Facts)? {
    defer { pending = [] }
    return pending.first { run.index(of: $0.cause) == nil }
  }
}

extension TraceBytes {
  /// Returns a problem with a line, and the place of a member in it.
  fileprivate func problem(
    _ kind: TraceProblem.Kind, at line: TraceReader.Facts, in member: TraceMember = .n
  ) -> TraceProblem {
    withLine(at: line.place.offset) { bytes, _ in
      guard case .success(let object) = readTraceObject(Array(bytes), at: line.place) else {
        return TraceProblem(kind, line.place)
      }
      return object.problem(kind, at: member.rawValue)
    }
  }
}

/// One run of a trace.
package struct TraceRun: Sendable {
  package var header: TraceHeader
  /// The place of the header; nil if it is missing.
  package let place: TracePlace?
  package fileprivate(set) var entries: TraceEntries
  /// The bytes of the lines, with their header.
  package fileprivate(set) var bytes = 0
  /// The place after which the run was cut; nil if its last line has its end.
  package fileprivate(set) var cut: TracePlace?

  fileprivate init(_ header: TraceHeader, at place: TracePlace?, _ bytes: TraceBytes) {
    self.header = header
    self.place = place
    entries = TraceEntries(bytes)
  }

  fileprivate var start: Int { place?.offset ?? 0 }

  /// True if the last line is the verdict, which only a complete run has.
  package var hasVerdict: Bool {
    !entries.isEmpty && entries.kind(of: entries.count - 1) == .verdict
  }

  /// True if the trace holds its run to the end.
  package var isComplete: Bool { cut == nil && hasVerdict && !wasInterrupted }

  /// True if a person or a build server ended the run: what would have followed never happened.
  private var wasInterrupted: Bool {
    let ends: Set<TraceKind> = [.failure, .pending, .problem]
    let last = entries.indices.dropLast().reversed().prefix { index in
      entries.kind(of: index).map(ends.contains) ?? false
    }
    return last.contains { index in
      entries.kind(of: index) == .failure
        && entries[index].line.value?.json["id"] == "interrupted"
    }
  }

  /// Returns the event with a number.
  package func entry(_ number: Int) -> TraceReader.Entry? { index(of: number).map { entries[$0] } }

  package func index(of number: Int) -> Int? { entries.index(of: number) }

  /// The help for who names an event that is not there.
  package var eventsHelp: String {
    guard let last = entries.last else { return "it has none" }
    return "its events are \(entries.first?.number ?? 0) to \(last.number)"
  }

  /// The time of the last event.
  package var duration: Microseconds {
    entries.isEmpty ? 0 : entries.time(of: entries.count - 1)
  }

  /// The date at which the run began, else 1970.
  var beginning: Timestamp { recordedBeginning ?? Timestamp(seconds: 0, nanoseconds: 0) }

  /// The date at which the run began: its clock, else the first date of a line; nil if the trace
  /// has none.
  package var recordedBeginning: Timestamp? {
    (header.clock ?? header.began).flatMap { Timestamp(text: $0) }
      ?? entries.lazy.compactMap(\.line.timestamp).first
  }
}

extension TraceLine {
  /// True if the line is the last value of its source from here on, until the next one comes.
  ///
  /// What a client sends is what its endpoint emits.
  package var setsValue: Bool {
    switch knownKind {
    case .emitted?, .finished?, .request?, .left?, .exit?: true
    case .message?: from != .server
    case nil, .subscribed?, .unsubscribed?, .response?, .stream?, .upgrade?, .event?, .line?,
      .ping?, .pong?, .bytes?, .goodbye?, .drop?, .reset?, .unreachable?, .stdin?, .signal?,
      .ready?, .now?,
      .step?, .branch?,
      .phase?, .assertion?, .read?, .idle?, .network?, .fault?, .log?, .ignored?, .problem?,
      .failure?, .listening?, .pending?, .verdict?:
      false
    }
  }
}

extension TraceLine {
  /// Returns the number of the line of what a client sent, if this one says when its endpoint
  /// emitted it. The end of a connection that broke was sent by nobody, whatever opened it.
  package func lineEmitted(causes kind: (Int) -> TraceKind?) -> Int? {
    guard let cause else { return nil }
    return value?.json["cancelled"] == nil || kind(cause) == .left ? cause : nil
  }
}

extension TraceRun {
  /// Returns the number of the line of what a client sent, if a line of its endpoint says when it
  /// was emitted.
  package func lineEmitted(by line: TraceLine) -> Int? {
    line.lineEmitted { index(of: $0).flatMap { entries.kind(of: $0) } }
  }
}

extension TraceReader.Entry {
  /// The members that programs get of an event.
  package var json: Value {
    var map = ValueMap([("n", .int(number)), ("us", .int(Int(time)))])
    map["kind"] = .string(line.kind.name)
    for member in [TraceMember.source, .cause, .value, .connection, .from, .at, .step] {
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
