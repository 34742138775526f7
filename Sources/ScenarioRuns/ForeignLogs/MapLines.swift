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
package struct MappedLog: Sendable {
  package let trace: ReadTrace
  /// By line of the trace, without the header: where it stands in the log.
  private let places: [TracePlace]
  package let warnings: [Diagnostic]

  /// - Parameter file: The number of the log among the sources.
  package init(_ bytes: [UInt8], _ plan: ScenarioPlan, in file: Int32) {
    var mapper = LineMapper(plan)
    var writer = TraceWriter()
    var text = writer.write(TraceHeader()).bytes
    var places: [TracePlace] = []
    for record in logRecords(bytes) {
      for line in record.lines(by: &mapper) {
        _ = writer.append(line, to: &text, splits: false)
        places.append(record.place)
      }
    }
    self.places = places
    trace = ReadTrace(text)
    warnings = mapper.warnings(in: file)
  }

  /// Returns where a line of the trace stands in the log.
  package func place(of line: TracePlace) -> TracePlace {
    line.line < 2 || line.line - 2 >= places.count
      ? TracePlace(line: 1, column: 1, offset: 0) : places[line.line - 2]
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
