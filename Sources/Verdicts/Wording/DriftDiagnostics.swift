import Diagnostics
import Events
import ScenarioPlan
import Values

/// The texts about real endpoints that differ from their mocks.
extension FailureWriter {
  func drift(_ drift: Drift, _ failure: Failure) -> Diagnostic {
    switch drift.kind {
    case .unforeseen(let request): unforeseen(request)
    case .answer(let answer): driftedAnswer(drift, answer)
    case .otherwise(let differences, let actual, let expected):
      drifted(
        drift, labels: [label(of: differences.pointedAt)],
        facts: facts(actual, expected, differences, place(of: drift.event)),
        differences: differences)
    case .missing(let matcher, let expected):
      drifted(
        drift, labels: [.init(matcher.range, "this did not come")],
        facts: [
          .init("actual", "nothing until \(durationText(failure.time))"),
          .init("expected", names.text(expected)),
        ])
    case .otherMessage(let differences, let message, let expected, let step):
      otherMessage(drift, differences, message, expected, step)
    }
  }

  private func drifted(
    _ drift: Drift, labels: [Diagnostic.Label], facts: [Diagnostic.Fact],
    differences: Differences? = nil
  ) -> Diagnostic {
    Diagnostic(
      "drift",
      "the real endpoint `\(name(of: drift.endpoint))` no longer does what its mock says",
      labels: labels, facts: facts,
      help: help(of: differences?.pointedAt),
      differences: differences.map { data(of: $0) } ?? [])
  }

  /// Returns the help. A literal of a mock may stand for a value that differs each time, and then
  /// has to be an example.
  private func help(of mismatch: Mismatch?) -> String {
    let usual = "change the mock, or report the change to the endpoint's owner"
    guard let mismatch, case .unequal(let expected) = mismatch.reason,
      !mismatch.isOfLiteralPart, expected.isScalar, mismatch.actual.hasType(of: expected)
    else { return usual }
    return usual + "; if the value differs each time, write `{ $like: \(names.text(expected)) }`"
  }

  private func name(of endpoint: EndpointID) -> String {
    judge.plan.endpoints[ifPresent: endpoint]?.name ?? "?"
  }

  private func driftedAnswer(_ drift: Drift, _ answer: AnswerMismatch) -> Diagnostic {
    var diagnostic = drifted(
      drift, labels: [label(of: answer)], facts: facts(of: answer),
      differences: answer.differences)
    diagnostic.notes += notes(ofExchangeAt: drift.event)
    return diagnostic
  }

  private func unforeseen(_ request: UnmatchedRequest) -> Diagnostic {
    var diagnostic = unmatched(request)
    diagnostic.id = "drift"
    diagnostic.help = "add an entry for it to the mock, or change what is sent"
    return diagnostic
  }

  private func otherMessage(
    _ drift: Drift, _ differences: Differences, _ message: Value, _ expected: Value,
    _ step: StepReference
  ) -> Diagnostic {
    let verb = Diagnostic.Label(step.range, turnText(step) ?? "")
    return Diagnostic(
      "drift",
      "the real endpoint `\(name(of: drift.endpoint))` was sent what its mock does not accept",
      labels: labels(verb, differences, matcher: .none),
      facts: facts(message, expected, differences, place(of: drift.event)),
      help: "change the mock, or what is sent", differences: data(of: differences))
  }

  /// Returns the number of drift places that are not shown.
  func moreDrift() -> [Diagnostic.Fact] {
    let more = judge.driftPlaces.count - judge.drifts.count
    return note("drift", more > 0 ? "and at \(counted(more, "more place"))" : nil)
  }
}

extension Mismatch {
  /// True if the part of an answer or an event is one that no example can stand for.
  fileprivate var isOfLiteralPart: Bool {
    guard path.count == 1, case .key(.string(let part)) = path[0] else { return false }
    return ["status", "text", "protocol", "event", "id"].contains(part)
  }
}

extension Value {
  fileprivate var isScalar: Bool {
    switch self {
    case .bool, .int, .uint, .double, .digits, .string: true
    case .null, .bytes, .list, .map, .timestamp, .duration, .type, .optional: false
    }
  }

  fileprivate func hasType(of other: Value) -> Bool {
    switch (self, other) {
    case (.bool, .bool), (.string, .string): true
    case (.int, _), (.uint, _), (.double, _), (.digits, _): other.isNumber
    case (.bool, _), (.string, _), (.null, _), (.bytes, _), (.list, _), (.map, _), (.timestamp, _),
      (.duration, _), (.type, _), (.optional, _):
      false
    }
  }

  private var isNumber: Bool {
    switch self {
    case .int, .uint, .double, .digits: true
    case .bool, .string, .null, .bytes, .list, .map, .timestamp, .duration, .type, .optional: false
    }
  }
}
