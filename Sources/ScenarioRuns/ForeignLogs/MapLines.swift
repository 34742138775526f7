import Diagnostics
import ScenarioPlan
import Traces
import Values

extension ScenarioPlan {
  /// True if lines that another program logged become events of its sources.
  package var mapsLines: Bool { declaredSources.contains { $0.lines != nil } }
}

/// The mapping from records of a log to lines of a trace, by the sources of a scenario.
struct LineMapper {
  /// A source, and what became of the records that were held against it.
  private struct Source {
    var name: String
    var mapping: LineMappingPlan
    var count = 0
    /// Why its condition could not be evaluated, first.
    var unclear: EvaluationFailure?
  }

  private var sources: [Source]
  /// The records whose value or time could not be made.
  private(set) var problems: [(failure: EvaluationFailure, place: TracePlace)] = []
  private(set) var withoutTime: TracePlace?
  /// Events whose time nobody has said where to find, and of which none is known.
  private(set) var timeless: (count: Int, first: TracePlace)?
  private(set) var count = 0

  init(_ plan: ScenarioPlan) {
    sources = plan.declaredSources.compactMap { source in
      source.lines.map { Source(name: source.nameInTrace, mapping: $0) }
    }
  }

  /// Returns the lines that a record becomes: one for each source that takes it.
  mutating func lines(of record: LogRecord) -> [TraceLine] {
    count += 1
    var lines: [TraceLine] = []
    for index in sources.indices {
      switch sources[index].mapping.takes(record.value) {
      case .failure(let failure): sources[index].unclear = sources[index].unclear ?? failure
      case .success(false): break
      case .success(true):
        sources[index].count += 1
        if let line = line(of: record, sources[index]) { lines.append(line) }
      }
    }
    return lines
  }

  private mutating func line(of record: LogRecord, _ source: Source) -> TraceLine? {
    var line = TraceLine()
    line.source = source.name
    switch source.mapping.value(of: record.value) {
    case .success(let value): line.value = TraceValue(value)
    case .failure(let failure):
      problems.append((failure, record.place))
      return nil
    }
    switch source.mapping.time(of: record.value) {
    case .success(let time)?:
      line.timestamp = Timestamp(logged: time)
      if line.timestamp == nil { withoutTime = withoutTime ?? record.place }
    case .failure(let failure)?: problems.append((failure, record.place))
    case nil:
      line.timestamp = usualTime(of: record.value)
      if line.timestamp == nil {
        timeless = ((timeless?.count ?? 0) + 1, timeless?.first ?? record.place)
      }
    }
    return line
  }

  /// The warnings about records, and about sources that took none.
  func warnings(in file: Int32) -> [Diagnostic] {
    problems.prefix(LineMapper.mostProblems).map {
      .lineNotMapped($0.failure, at: $0.place.range(in: file))
    }
      + (withoutTime.map { [.lineWithoutTime(at: $0.range(in: file))] } ?? [])
      + (timeless.map { [.timeless($0.count, at: $0.first.range(in: file))] } ?? [])
      + sources.filter { $0.count == 0 && count > 0 }.map {
        .noLine(of: $0.name, count, $0.unclear)
      }
  }

  private static let mostProblems = 3
}

/// A log of another program as a trace, and the places that its lines have in the log.
///
/// The trace waits in a file of its own, so that a log of any length takes little memory.
package struct MappedLog: Sendable {
  package let trace: ReadTrace
  package let warnings: [Diagnostic]
  private let places: LogPlaces

  /// - Parameter file: The number of the log among the sources.
  package static func map(
    _ log: TraceBytes, by plan: ScenarioPlan, in file: Int32
  ) -> Result<MappedLog, FileProblem> {
    let mapping = LogMapping(plan, sorts: false)
    return visitRecords(of: log, acceptingBundles: false, mapping.add).flatMap { isInOrder in
      if isInOrder { return mapping.finished(in: file) }
      // Programs log in the order of time, and what bundles records has no order of its own.
      let sorted = LogMapping(plan, sorts: true)
      return visitRecords(of: log, acceptingBundles: true, sorted.add).flatMap { _ in
        sorted.finished(in: file)
      }
    }
  }

  fileprivate init(_ trace: TraceBytes, _ places: LogPlaces, _ warnings: [Diagnostic]) {
    (self.trace, self.places, self.warnings) = (ReadTrace(trace), places, warnings)
  }

  /// Returns where a line of the trace stands in the log.
  package func place(of line: TracePlace) -> TracePlace { places[line.line - 2] }
}

/// By line of a mapped trace, without the header: where it stands in the log.
private struct LogPlaces: Sendable {
  private var lines: [UInt32] = []
  /// By line of the log: where it begins.
  private var offsets = RisingTimes()

  subscript(index: Int) -> TracePlace {
    let line = lines.indices.contains(index) ? Int(lines[index]) : 1
    let offset = line <= offsets.count ? Int(offsets[line - 1]) : 0
    return TracePlace(line: line, column: 1, offset: offset)
  }

  mutating func append(_ place: TracePlace) {
    lines.append(UInt32(clamping: place.line))
    while offsets.count < place.line { offsets.append(Microseconds(place.offset)) }
  }

  mutating func reorder(by order: [Int]) { lines = order.map { lines[$0] } }
}

/// The making of a trace from a log.
private final class LogMapping {
  /// A line of the trace while lines are put in order.
  private struct Line {
    var time: Timestamp
    var start: Int
  }

  private var mapper: LineMapper
  private var writer = TraceWriter()
  private var spool = TraceSpool()
  private var places = LogPlaces()
  private let sorts: Bool
  private var lines: [Line] = []
  private var latest = Timestamp(seconds: .min / 2, nanoseconds: 0)
  private let header: [UInt8]

  init(_ plan: ScenarioPlan, sorts: Bool) {
    mapper = LineMapper(plan)
    self.sorts = sorts
    header = writer.write(TraceHeader()).bytes
    spool.append(header)
  }

  func add(_ record: LogRecord) {
    if sorts { latest = usualTime(of: record.value) ?? latest }
    for line in record.lines(by: &mapper) {
      if sorts { lines.append(Line(time: latest, start: spool.count)) }
      spool.append(writer.write(line, splits: false).bytes)
      places.append(record.place)
    }
  }

  func finished(in file: Int32) -> Result<MappedLog, FileProblem> {
    spool.finish().flatMap { sorts ? inOrder($0) : .success($0) }.map {
      MappedLog($0, places, mapper.warnings(in: file))
    }
  }

  /// Puts the lines in the order of their times; those of one time keep their order.
  private func inOrder(_ unordered: TraceBytes) -> Result<TraceBytes, FileProblem> {
    let order = lines.indices.sorted {
      (lines[$0].time.seconds, lines[$0].time.nanoseconds, $0)
        < (lines[$1].time.seconds, lines[$1].time.nanoseconds, $1)
    }
    places.reorder(by: order)
    spool = TraceSpool()
    spool.append(header)
    for index in order {
      let end = index + 1 < lines.count ? lines[index + 1].start : unordered.count
      spool.append(unordered.bytes(lines[index].start..<end))
    }
    return spool.finish()
  }
}

extension LogRecord {
  /// Returns the lines that the record becomes. A line of a trace stays one.
  func lines(by mapper: inout LineMapper) -> [TraceLine] {
    let mapped = mapper.lines(of: self)
    guard mapped.isEmpty, value["trace"] == nil, case .map(let map) = value,
      map["source"] != nil || map["kind"] != nil
    else { return mapped }
    var bytes: [UInt8] = []
    value.appendJSON(to: &bytes)
    guard case .line(let entry)? = TraceReader.read(Array("{\"trace\":1}\n".utf8) + bytes).last
    else { return [] }
    return [entry.line]
  }
}

extension Diagnostic {
  fileprivate static func lineNotMapped(
    _ failure: EvaluationFailure, at place: SourceRange
  ) -> Diagnostic {
    Diagnostic(
      "line-not-mapped", severity: .warning, "this line is no event: \(failure.message)",
      labels: [.init(place), .init(failure.range, "by this")],
      help: "let `where` choose lines that have it, such as `has(line.msg)`")
  }

  fileprivate static func lineWithoutTime(at place: SourceRange) -> Diagnostic {
    Diagnostic(
      "line-without-time", severity: .warning, "the `time` of this line is no time",
      labels: [.init(place)],
      help: "a time is RFC 3339, or a number of seconds, milliseconds, microseconds or nanoseconds "
        + "since 1970")
  }

  fileprivate static func timeless(_ count: Int, at place: SourceRange) -> Diagnostic {
    Diagnostic(
      "line-without-time", severity: .note,
      (count == 1 ? "1 event has" : "\(count) events have")
        + " no time that is known, and the time of the line above",
      labels: [.init(place)],
      help: "say where it is with `time`, such as `time: line.at`")
  }

  fileprivate static func noLine(
    of source: String, _ count: Int, _ unclear: EvaluationFailure?
  ) -> Diagnostic {
    Diagnostic(
      "no-line-of-source", severity: .warning,
      "none of \(count) lines is an event of `\(source)`",
      labels: unclear.map { [.init($0.range, $0.message)] } ?? [],
      help: "check its `where` against a line of the log")
  }
}
