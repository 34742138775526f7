import Diagnostics
import Events
import ScenarioEngine
import ScenarioPlan
import Traces
import Values
import Verdicts

/// Judges a scenario by lines while they come. It ends with the first failure, with the line
/// `verdict`, or with the end of the lines.
///
/// - Parameter read: Waits for bytes; nil at the end.
package func judge(
  _ plan: ScenarioPlan, following path: String, inputs: RunInputs, sources: SourceMap,
  rerun: String? = nil, read: @escaping () -> [UInt8]?
) -> JudgedTrace {
  var inputs = inputs
  inputs.complete(for: plan)
  let judged = plan.changed { $0.timeout = .max / 4 }
  let judge = ScenarioJudge(judged)
  let lines = FollowedLines(plan, path, read: read)
  let recording = Recording(
    facts: TraceFacts(isVirtual: false, isComplete: false), events: [], end: 0)
  let rehearsal = Rehearsal(
    of: SharedPlan(judged), inputs: inputs, judge: judge, hiding: OutsideParties())
  let log = rehearsal.run(as: .judged(recording, more: lines.next))
  var verdict = judge.verdict(on: log, sources: sources, rerun: rerun)
  if verdict.outcome == .passed {
    verdict.warnings += judge.warningsOfTrace(beside: verdict.neverExercised)
  }
  return JudgedTrace(verdict: verdict, log: log)
}

/// The events of lines that still come.
private final class FollowedLines {
  private let names: [String: SourceID]
  private let read: () -> [UInt8]?
  private var mapper: LineMapper?
  private var reader = TraceReader()
  private var writer = TraceWriter()
  private var pending: [UInt8] = []
  private var count = 0
  private var isOver = false

  init(_ plan: ScenarioPlan, _ path: String, read: @escaping () -> [UInt8]?) {
    names = plan.namesInTraces
    self.read = read
    if plan.mapsLines {
      mapper = LineMapper(plan)
      _ = reader.receive(writer.write(TraceHeader()).bytes)
    }
  }

  /// Waits for the next lines that are events; nil at the end.
  func next() -> Recording.Piece? {
    while !isOver {
      guard let bytes = read() else {
        isOver = true
        let rest = pending.isEmpty ? [] : items(inLine: pending) + reader.finish()
        return piece(of: rest)
      }
      pending += bytes
      var items: [TraceReader.Item] = []
      while let end = pending.firstIndex(of: UInt8(ascii: "\n")) {
        items += self.items(inLine: Array(pending[..<end]))
        pending.removeFirst(end + 1)
      }
      let piece = piece(of: items)
      if !piece.events.isEmpty || piece.isComplete { return piece }
    }
    return nil
  }

  private func items(inLine line: [UInt8]) -> [TraceReader.Item] {
    guard mapper != nil else { return reader.receive(line + [UInt8(ascii: "\n")]) }
    count += 1
    let place = TracePlace(line: count, column: 1, offset: 0)
    return logRecords(inLine: line).flatMap { value -> [TraceReader.Item] in
      guard mapper != nil else { return [] }
      return LogRecord(value: value, place: place).lines(by: &mapper!).flatMap {
        reader.receive(writer.write($0, splits: false).bytes)
      }
    }
  }

  private func piece(of items: [TraceReader.Item]) -> Recording.Piece {
    var piece = Recording.Piece()
    for case .line(let entry) in items {
      piece.end = entry.time
      if entry.line.knownKind == .verdict {
        (piece.isComplete, isOver) = (true, true)
        break
      }
      if let event = event(of: entry) { piece.events.append(event) }
    }
    return piece
  }

  private func event(of entry: TraceReader.Entry) -> RecordedEvent? {
    guard let source = entry.line.source.flatMap({ names[$0] }),
      case .success(let value) = (entry.line.value ?? TraceValue(.null)).decoded()
    else { return nil }
    switch entry.line.knownKind {
    case .emitted: return RecordedEvent(.emitted(source, value), time: entry.time)
    case .finished:
      return RecordedEvent(
        .finished(source, error: value == .null ? nil : value), time: entry.time)
    default: return nil
    }
  }
}
