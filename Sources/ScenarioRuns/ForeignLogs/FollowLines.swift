import Diagnostics
import Events
import ScenarioEngine
import ScenarioPlan
import Traces
import Verdicts

/// A trace that was judged while its lines came.
package struct FollowedTrace: Sendable {
  package var verdict: Verdict
  /// The problems of lines; with errors, nothing behind them was judged.
  package var diagnostics: [Diagnostic]
}

/// Judges a scenario by lines while they come. It ends with the first failure, with the line
/// `verdict`, with a line that cannot be read, or with the end of the lines.
///
/// - Parameters:
///   - file: The number of the lines among the sources.
///   - read: Waits for bytes; nil at the end.
package func judge(
  _ plan: ScenarioPlan, following file: Int32, inputs: RunInputs, sources: SourceMap,
  rerun: String? = nil, read: @escaping () -> [UInt8]?
) -> FollowedTrace {
  var inputs = inputs
  inputs.complete(for: plan)
  let judged = plan.changed { $0.timeout = .max / 4 }
  let judge = ScenarioJudge(judged)
  let lines = FollowedLines(plan, read)
  var recording = Recording(facts: TraceFacts(isVirtual: false, isComplete: false), end: 0)
  recording.eventsKept = EventLog.passingKept
  let rehearsal = Rehearsal(
    of: SharedPlan(judged), inputs: inputs, judge: judge, hiding: OutsideParties())
  let log = rehearsal.run(as: .judged(recording, nextPiece: lines.next))
  var verdict = judge.verdict(on: log, sources: sources, rerun: rerun)
  if verdict.outcome == .passed {
    verdict.warnings += judge.warningsOfTrace(beside: verdict.neverExercised)
  }
  return FollowedTrace(verdict: verdict, diagnostics: lines.diagnostics(in: file))
}

/// The events of lines that still come.
private final class FollowedLines {
  private let read: () -> [UInt8]?
  private var mapper: LineMapper?
  private var matcher: LineMatcher
  private var reader = TraceReader()
  private var writer = TraceWriter()
  private var pending: [UInt8] = []
  /// The lines that were mapped, and their bytes.
  private var (lineCount, byteCount) = (0, 0)
  private var problems: [TraceProblem] = []
  private var isOver = false

  init(_ plan: ScenarioPlan, _ read: @escaping () -> [UInt8]?) {
    self.read = read
    matcher = LineMatcher(nil, plan)
    if plan.mapsLines {
      mapper = LineMapper(plan)
      _ = reader.receive(writer.write(TraceHeader()).bytes)
    }
  }

  /// Waits for the next lines that are events; nil at the end.
  func next() -> Recording.Piece? {
    while !isOver {
      let bytes = read()
      isOver = bytes == nil
      let items = mapper == nil ? ownItems(in: bytes) : mappedItems(in: bytes)
      let piece = piece(of: items)
      if !piece.events.isEmpty || piece.isComplete { return piece }
    }
    return nil
  }

  /// The problems of all lines so far. Lines that are gone cannot be quoted.
  func diagnostics(in file: Int32) -> [Diagnostic] {
    let found = matcher.found
    let unreadable = problems.map { problem in
      var diagnostic = problem.diagnostic(in: file)
      diagnostic.notes.append(.init("line", "\(problem.place.line) of those that came"))
      return diagnostic
    }
    let all =
      unreadable + (mapper?.warnings(in: file) ?? []) + found.stray.warnings(in: file)
      + found.problems.diagnostics(in: file)
    return all.map { diagnostic in
      var diagnostic = diagnostic
      diagnostic.labels.removeAll { $0.range.file == file }
      return diagnostic
    }
  }

  private func ownItems(in bytes: [UInt8]?) -> [TraceReader.Item] {
    bytes.map { reader.receive($0) } ?? reader.finish()
  }

  private func mappedItems(in bytes: [UInt8]?) -> [TraceReader.Item] {
    pending += bytes ?? []
    var items: [TraceReader.Item] = []
    var rest = pending[...]
    while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
      items += mappedItems(inLine: rest[..<end])
      rest = rest[(end + 1)...]
    }
    if bytes == nil { items += mappedItems(inLine: rest) }
    pending = bytes == nil ? [] : Array(rest)
    if pending.count > TraceLimit.lineBytes { items.append(.problem(tooLong)) }
    return items
  }

  private var tooLong: TraceProblem {
    TraceProblem(.lineTooLong, TracePlace(line: lineCount + 1, column: 1, offset: byteCount))
  }

  private func mappedItems(inLine line: ArraySlice<UInt8>) -> [TraceReader.Item] {
    let place = TracePlace(line: lineCount + 1, column: 1, offset: byteCount)
    (lineCount, byteCount) = (place.line, place.offset + line.count + 1)
    return line.withUnsafeBufferPointer(logRecords).flatMap { value -> [TraceReader.Item] in
      guard mapper != nil else { return [] }
      return LogRecord(value: value, place: place).lines(by: &mapper!).flatMap {
        reader.receive(writer.write($0, splits: false).bytes).map { $0.moved(to: place) }
      }
    }
  }

  private func piece(of items: [TraceReader.Item]) -> Recording.Piece {
    var piece = Recording.Piece()
    for item in items where !isComplete(piece) {
      switch item {
      case .line(let entry):
        piece.end = entry.time
        piece.isComplete = entry.line.knownKind == .verdict
        if !piece.isComplete, let event = matcher.event(of: entry) { piece.events.append(event) }
      case .problem(let problem): problems.append(problem)
      case .header, .cut: break
      }
    }
    isOver = isOver || isComplete(piece)
    return piece
  }

  private func isComplete(_ piece: Recording.Piece) -> Bool {
    piece.isComplete || !problems.isEmpty
  }
}

extension TraceReader.Item {
  /// Returns the item at the place of the line that it was made from.
  fileprivate func moved(to place: TracePlace) -> TraceReader.Item {
    guard case .line(var entry) = self else { return self }
    entry.place = place
    return .line(entry)
  }
}
