import Diagnostics
import Events
import Traces
import Values
import Verdicts

/// The reading of lines of a part, with the texts that they quote.
struct PartReader {
  let sources: QuotedSources

  func scenario(_ line: Value, in file: [Diagnostic]) -> ScenarioReport {
    let verdict = verdict(line, in: file)
    var report = ScenarioReport(
      title: line.text("title") ?? "", line: max(1, line.number("line") ?? 1),
      row: line.text("row"), rowPlace: line.text("rowPlace"), tags: texts(line.items("tags")),
      seed: line.number("seed"), verdict: verdict, wall: line.milliseconds("wallMilliseconds"))
    report.hasTimes = line["virtualMicroseconds"] != nil
    report.trace = line.text("trace")
    report.isNotRun = line["notRun"] == .bool(true)
    if let timeline = line["timeline"], let facts = timeline["facts"] {
      report.timeline = RunTimeline(facts: facts, pieces: pieces(timeline))
    }
    return report
  }

  /// Returns the pieces of a timeline. What is not Base64 could become markup, and is left out.
  private func pieces(_ timeline: Value) -> [String] {
    texts(timeline.items("pieces")).filter { Base64.decode($0) != nil }
  }

  private func verdict(_ line: Value, in file: [Diagnostic]) -> Verdict {
    let failures = diagnostics(line.items("failures"))
    var verdict: Verdict
    switch line.text("outcome") {
    case "passed": verdict = Verdict(.passed)
    case "failed": verdict = Verdict(.failed)
    case "flaky": verdict = Verdict(.flaky)
    case "skipped": verdict = Verdict(.skipped(reason: line.text("reason") ?? ""))
    default:
      let isOfText = failures.allSatisfy(file.contains)
      verdict = Verdict(couldNotRunBecauseOf: isOfText ? .scenario : .system, failures: [])
    }
    verdict.failures = failures
    verdict.tries = line.items("tries").map { attempt in
      if case .list(let items) = attempt { diagnostics(items) } else { [] }
    }
    verdict.warnings = diagnostics(line.items("warnings"))
    verdict.duration = line.microseconds("virtualMicroseconds")
    verdict.eventCount = line.number("events") ?? 0
    verdict.assertionsReached = line.number("assertions") ?? 0
    verdict.assertionsMet = line.number("assertionsMet") ?? 0
    addFacts(of: line, to: &verdict)
    return verdict
  }

  private func addFacts(of line: Value, to verdict: inout Verdict) {
    verdict.faults = FirstOfMany(line.items("faults").map(fault), left: line.number("moreFaults"))
    verdict.pendingAtEnd = FirstOfMany(
      line.items("leftOpen").map(pending), left: line.number("moreLeftOpen"))
    verdict.leftOpen = line.number("openObligations") ?? 0
    verdict.neverExercised = line.items("neverExercised").map {
      NeverExercised(
        part: $0.text("part") ?? "", path: $0.text("path") ?? "", line: $0.number("line") ?? 0,
        range: .none)
    }
  }

  private func fault(_ fault: Value) -> FaultStruck {
    FaultStruck(
      time: fault.microseconds("microseconds"),
      event: EventID(max(0, fault.number("event") ?? 0)), endpoint: fault.text("endpoint") ?? "",
      connection: fault.number("connection") ?? 0, kind: fault.text("kind") ?? "",
      isToServer: fault.text("to").map { $0 == "server" },
      delay: fault["delayMicroseconds"].map { _ in fault.microseconds("delayMicroseconds") })
  }

  private func pending(_ operation: Value) -> PendingAtEnd {
    PendingAtEnd(
      kind: operation.text("kind") ?? "", name: operation.text("name") ?? "",
      endpoint: operation.text("endpoint") ?? "", state: operation.text("state") ?? "",
      since: operation.microseconds("sinceMicroseconds"))
  }

  func diagnostics(_ values: [Value]) -> [Diagnostic] { values.map(diagnostic) }

  private func diagnostic(_ value: Value) -> Diagnostic {
    Diagnostic(
      DiagnosticID(rawValue: value.text("id") ?? ""),
      severity: value.text("severity").flatMap(Diagnostic.Severity.init) ?? .error,
      value.text("message") ?? "", labels: value.items("labels").map(label),
      facts: value.items("facts").map(fact), notes: value.items("notes").map(fact),
      help: value.text("help"), differences: value.items("differences").compactMap(difference),
      fix: value["fix"].map { .text(label($0).range, label($0).text) })
  }

  private func label(_ value: Value) -> Diagnostic.Label {
    let start = (value.number("line") ?? 1, value.number("column") ?? 1)
    let end = (value.number("endLine") ?? start.0, value.number("endColumn") ?? start.1)
    let range = value.text("path").map { sources.range($0, from: start, to: end) }
    return Diagnostic.Label(range ?? .none, value.text("text") ?? "")
  }

  private func fact(_ value: Value) -> Diagnostic.Fact {
    Diagnostic.Fact(value.text("name") ?? "", value.text("text") ?? "")
  }

  private func difference(_ value: Value) -> Diagnostic.Difference? {
    guard let kind = Diagnostic.Difference.Kind(rawValue: value.text("kind") ?? "") else {
      return nil
    }
    return Diagnostic.Difference(
      path: value.text("path") ?? "", kind: kind, actual: value["actual"]?.json(),
      expected: value["expected"]?.json())
  }

  private func texts(_ values: [Value]) -> [String] {
    values.compactMap { if case .string(let text) = $0 { text } else { nil } }
  }
}

extension FirstOfMany {
  fileprivate init(_ elements: [Element], left: Int?) {
    self.init(elements)
    add(left: min(left ?? 0, 1 << 50))
  }
}
