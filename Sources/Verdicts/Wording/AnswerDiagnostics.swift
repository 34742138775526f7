import Diagnostics
import Events
import ScenarioPlan
import Values

/// The texts about an answer that is not as expected, or missing.
extension FailureWriter {
  func unexpectedAnswer(_ failure: Failure, _ answer: AnswerMismatch) -> Diagnostic {
    let response = exchange(at: answer.event)?.response
    let status = response?.status ?? 0
    let isRefusal = status >= 400 && answer.expected["status"] == nil
    let addition = isRefusal ? " has status \(status), and" : ""
    var diagnostic = Diagnostic(
      "unexpected-answer",
      "the answer to \(requestText(answer.event))\(addition) is not the one expected",
      labels: [label(of: answer)] + turnLabel(failure),
      facts: facts(of: answer),
      help: hint(for: answer.differences, in: "answer"),
      differences: data(of: answer.differences))
    diagnostic.notes += notes(ofExchangeAt: answer.event)
    if answer.isNoJSON, !answer.differences.first.path.isEmpty, response?.body.isEmpty == false {
      diagnostic.notes += note("body", reasonForNoJSON(at: answer.event, subject: "it"))
    }
    if answer.isAboutText, let reason = response.flatMap(\.unreadable) {
      diagnostic.notes += note("body", "it is no text: \(reason)")
    }
    return diagnostic
  }

  func label(of answer: AnswerMismatch) -> Diagnostic.Label {
    let first = answer.differences.first
    if answer.isNoJSON, first.path.isEmpty {
      return .init(first.range, reasonForNoJSON(at: answer.event, subject: "the body"))
    }
    return label(of: answer.differences.pointedAt)
  }

  /// Returns why a body is not read as JSON, and at which place.
  private func reasonForNoJSON(at event: EventID, subject: String) -> String {
    guard let text = exchange(at: event)?.response?.text, !text.isEmpty,
      let reason = reasonForNoJSON(text)
    else { return "\(subject) is not JSON" }
    return "\(subject) \(reason)"
  }

  /// Returns the facts of an answer: the body itself if there is no JSON to compare.
  func facts(of answer: AnswerMismatch) -> [Diagnostic.Fact] {
    let place = place(of: answer.event)
    guard answer.isNoJSON, answer.differences.first.path.isEmpty,
      let response = exchange(at: answer.event)?.response
    else { return facts(answer.actual, answer.expected, answer.differences, place) }
    let body = response.text.map { Value.string($0) } ?? .bytes(response.body)
    return [
      .init("actual", "\(names.text(body))   \(place)"),
      .init("expected", names.text(answer.expected)),
    ]
  }

  private func turnLabel(_ failure: Failure) -> [Diagnostic.Label] {
    guard let step = failure.step, let turn = turnText(step) else { return [] }
    return [.init(step.range, turn)]
  }

  func slowAnswer(_ failure: Failure, _ limit: TimeLimit, _ event: EventID) -> Diagnostic {
    var range = failure.step?.range ?? .none
    if let assertion = failure.assertion,
      case .answer(let expected) = judge.plan.assertions[assertion].kind,
      let within = expected.within
    {
      range = within.range
    }
    let took = failure.time - limit.base
    var diagnostic = Diagnostic(
      "slow-answer",
      "the answer to \(requestText(event)) came \(durationText(took - limit.span)) too late",
      labels: [.init(range)] + turnLabel(failure),
      facts: [
        .init("actual", "\(durationText(took))   \(place(of: event))"),
        .init("expected", "at most \(durationText(limit.span))"),
      ])
    diagnostic.notes += notes(ofExchangeAt: event)
    return diagnostic
  }

  func requestFailed(
    _ step: StepReference, _ exchange: Exchange, _ error: Value, _ message: String
  ) -> Diagnostic {
    let request = exchange.hops.first?.request
    let text = request.map { "`\($0.method) \($0.target)`" } ?? "the request"
    return Diagnostic(
      "request-failed", "\(names.masked(text)) failed: \(message)",
      labels: [.init(step.range, turnText(step) ?? "")],
      facts: [.init("error", names.text(error))], notes: ExchangeText(exchange, names).notes,
      help: (limitHelp(of: exchange, message).map { $0 + "; " } ?? "")
        + (error["problem"] == .string("refused") ? "is the server running? " : "")
        + "if it is expected to fail, put the step under `fails`")
  }

  private func limitHelp(of exchange: Exchange, _ message: String) -> String? {
    let limit = "no answer came within \(durationText(judge.plan.timeout))"
    guard message == limit || message.hasPrefix(limit + ";") else { return nil }
    return limitHelp(for: judge.plan.timeout, keys: ["timeout"])
  }

  private func requestText(_ event: EventID) -> String {
    guard let first = exchange(at: event)?.hops.first else { return "the request" }
    return names.masked("`\(first.request.method) \(first.request.target)`")
  }

  func notes(ofExchangeAt event: EventID) -> [Diagnostic.Fact] {
    exchange(at: event).map { ExchangeText($0, names).notes } ?? []
  }

  private func exchange(at event: EventID) -> Exchange? {
    let kind = log[event]?.kind
    if case .assertion(.exchanged(_, _, let exchange, _)) = kind { return exchange }
    if case .network(.driftObserved(let driftObserved)) = kind,
      case .answer(let exchange, _) = driftObserved.part
    {
      return exchange
    }
    return nil
  }
}

extension AnswerMismatch {
  /// True if the expectation reads the body as text or JSON.
  fileprivate var isAboutText: Bool { isNoJSON || actual["text"] != nil }
}

extension EventNames {
  func masked(_ text: String) -> String { mask.masked(text) }
}
