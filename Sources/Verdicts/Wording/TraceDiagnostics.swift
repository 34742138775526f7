import Diagnostics
import ScenarioPlan
import Values

/// Failures that only a trace that is judged can have: it ends too early.
extension FailureWriter {
  func traceTooShort(
    _ failure: Failure, _ wait: UnfinishedWait,
    help: String? = nil
  ) -> Diagnostic {
    Diagnostic(
      "trace-too-short", "the trace ends before this is decided",
      labels: [.init(wait.range)],
      facts: [
        .init("trace", "ends at \(durationText(failure.time))"),
        .init("needed", "until \(durationText(wait.needs))"),
      ], help: help ?? longerTrace)
  }

  func traceIncomplete(_ failure: Failure, _ incomplete: IncompleteTrace) -> Diagnostic {
    let awaited = incomplete.awaited.map {
      "\(names.name(of: $0.source)) \(names.text($0.expected))"
    }
    let silence = incomplete.silence.map {
      "\(durationText($0.lasted)) before the end, and \(durationText($0.needed)) are needed"
    }
    return Diagnostic(
      "trace-incomplete", "the trace does not have the end of a complete one",
      labels: [.init(judge.plan.invariants[ifPresent: incomplete.invariant]?.verbRange ?? .none)],
      facts: [.init("trace", "ends at \(durationText(failure.time))")]
        + (awaited.isEmpty ? [] : [.init("awaited", awaited.joined(separator: "\n"))])
        + (silence.map { [.init("silence", $0)] } ?? []),
      help: longerTrace)
  }

  /// An awaited event that the trace does not hold.
  func missingInTrace(_ failure: Failure, _ awaited: [Awaited]) -> Diagnostic {
    guard let first = awaited.first else {
      return Diagnostic("trace-ended", "the trace ends, and a step still waits")
    }
    let source = names.name(of: first.source)
    return Diagnostic(
      "trace-ended", "the trace ends, and an event of `\(source)` is still awaited",
      labels: [.init(first.range, position(of: first, failure))]
        + awaitedLabels(awaited.dropFirst()),
      facts: [
        .init("actual", "nothing until the trace ends at \(durationText(failure.time))"),
        .init("expected", names.text(first.expected)),
      ], help: eventsInTrace(of: first.source))
  }

  /// A condition that no event of the trace made true.
  func conditionAtTraceEnd(_ failure: Failure, _ reading: ConditionReading?) -> Diagnostic {
    let label = reading.map {
      Diagnostic.Label($0.expression, text(of: $0, failure))
    }
    return Diagnostic(
      "trace-ended", "the trace ends, and the condition does not hold",
      labels: label.map { [$0] } ?? [], facts: reading.map { facts(of: $0) } ?? [],
      notes: note("waited", "until \(durationText(failure.time))"))
  }

  private func eventsInTrace(of source: SourceID) -> String? {
    let count = log.events.count { event in
      if case .source(.emitted(source, _)) = event.kind { true } else { false }
    }
    return count == 0
      ? "the trace has no event of `\(names.name(of: source))`: does it use another name? "
        + "`from:` beside `initial:` gives it"
      : nil
  }
}

/// The advice for a trace that may have been cut.
private let longerTrace =
  "record for longer; the program that writes a trace ends it with a line of kind `verdict` once "
  + "nothing more can come"
