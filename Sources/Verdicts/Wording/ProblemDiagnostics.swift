import Diagnostics
import Events
import ScenarioPlan
import TextSearch
import Values

/// The texts about runs that fail without an assertion.
extension FailureWriter {
  func diagnostic(of problem: RunProblem, at event: EventID?) -> Diagnostic {
    switch problem {
    case .unmatchedRequest(let request):
      request.traced.map { notInTrace(request, $0) } ?? unmatched(request)
    case .evaluation(let failure, let step):
      Diagnostic(
        "evaluation-failed", "this expression gives no value: \(failure.message)",
        labels: [.init(failure.range, turnText(step) ?? "")]
          + (step.map { during($0, failure.range) } ?? [])
          + (failure.capture.map { [.init($0, "would be captured here")] } ?? []),
        facts: facts(of: ConditionReading(noValue: failure)),
        help: failure.capture.map { _ in
          "ask with `if` first: what was never captured is null there"
        } ?? failure.help)
    case .actionFailed(let action, let error, let range): actionFailed(action, error, range)
    case .stepFailed(let step, let message):
      Diagnostic(
        "step-failed", "`\(step.verb)` failed: \(message)",
        labels: [.init(step.range, turnText(step) ?? "")])
    case .requestFailed(let step, let exchange, let error, let message):
      requestFailed(step, exchange, error, message)
    case .limit(let name, let value, let message):
      Diagnostic(
        "limit-exceeded", message,
        labels: [
          lastStep(before: event).map { .init($0.range, "after this step") }
            ?? .init(judge.plan.range, "in this scenario")
        ], notes: note("limit", "\(name) = \(value)"), help: help(forLimit: name))
    case .interrupted(let step):
      Diagnostic(
        "interrupted", "the run was interrupted while this scenario was under way",
        labels: [step.map { .init($0.range, "here") } ?? .init(judge.plan.range)])
    case .program(let problem): diagnostic(of: problem)
    case .endlessWait(let step):
      Diagnostic(
        "endless-wait", "nothing is left that could end this wait",
        labels: [.init(step.range, turnText(step) ?? "")])
    case .subject(let failure): .subject(failure)
    }
  }

  /// The step beside its expression, where that does not lie in the step itself.
  private func during(_ step: StepReference, _ range: SourceRange) -> [Diagnostic.Label] {
    let isInside =
      step.range.file == range.file && step.range.start <= range.start
      && range.end <= step.range.end
    return isInside ? [] : [.init(step.range, "while this step was done")]
  }

  func unmatched(_ problem: UnmatchedRequest) -> Diagnostic {
    let plan = judge.plan
    let request = RequestLine(problem.request)?.text ?? names.text(problem.request)
    let endpoint = plan.endpoints[ifPresent: problem.endpoint]
    let closest = problem.closest
    let differences = problem.differences.prefix(differencesListed).joined(separator: "\n")
    let label = closest.map { Diagnostic.Label($0, "the closest entry") }
    let hasClosest = closest != nil || problem.recordedClosest != nil
    return Diagnostic(
      "unmatched-request",
      "no entry of `\(endpoint?.name ?? "?")` matches `\(request)`",
      labels: [label ?? .init(endpoint?.range ?? .none)],
      facts: [.init("request", names.text(problem.request))],
      notes: note("closest", problem.recordedClosest)
        + (hasClosest && !differences.isEmpty ? note("differs", differences) : []),
      help: endpoint?.isOnlyReal == true
        ? "its mock has no entries: run with `--against real`, or write `http` beside `url`"
        : helpWithQuery(problem.differences)
          ?? "write an entry that answers it, or change the one that was meant")
  }

  /// Returns the help for an entry whose query is no text; nil if it differs in another way.
  private func helpWithQuery(_ differences: [String]) -> String? {
    for difference in differences where difference.hasPrefix("query") {
      let name = String(difference.prefix { $0 != " " })
      let rest = difference.dropFirst(name.count)
      guard let middle = rest.firstRange(of: ", not ") else { continue }
      let actual = rest[..<middle.lowerBound].drop { $0 == " " }
      let wanted = rest[middle.upperBound...]
      if actual == "\"\(wanted)\"" {
        let key = name.split(separator: ".").last ?? "page"
        return "the values of a query are text: write `query: { \(key): \(actual) }`"
      }
      if name == "query", wanted.hasPrefix("\"") {
        return "a query is a map from names to text: write `query: \(actual)`"
      }
    }
    return nil
  }

  private func notInTrace(_ problem: UnmatchedRequest, _ traced: TracedRequest) -> Diagnostic {
    let endpoint = judge.plan.endpoints[ifPresent: problem.endpoint]
    let request = RequestLine(problem.request)?.text ?? names.text(problem.request)
    let differences = traced.differences.prefix(differencesListed).joined(separator: "\n")
    let label = traced.step.map { step in
      Diagnostic.Label(step.range, turnText(step) ?? "")
    }
    return Diagnostic(
      "request-not-in-trace",
      "`\(traced.path)` has no request of `\(endpoint?.name ?? "?")` that is `\(request)`",
      labels: [label ?? .init(endpoint?.range ?? .none)],
      facts: [.init("request", names.text(problem.request))],
      notes: note("nearest", traced.nearest ?? "none: the trace has no request of the endpoint")
        + (differences.isEmpty ? [] : note("differs", differences)),
      help: "ask what was recorded, or record this request too: `rehearse run … --record`")
  }

  private func actionFailed(
    _ action: ActionID?, _ error: Value, _ range: SourceRange
  ) -> Diagnostic {
    let name = action.flatMap { judge.plan.actions[ifPresent: $0]?.name } ?? "?"
    return Diagnostic(
      "action-failed", "the action `\(name)` failed, and nothing caught its error",
      labels: [.init(range)], facts: [.init("error", names.text(error))],
      help: "catch it with `try` and `catch`, or expect it with `fails`")
  }
}

extension Diagnostic {
  /// Words the failure of a Swift object.
  package static func subject(_ failure: SubjectFailure) -> Diagnostic {
    let label = Label(failure.range)
    return switch failure.kind {
    case .mismatch:
      Diagnostic("subject-mismatch", failure.message, labels: [label], help: failure.help)
    case .waitsOutside:
      Diagnostic("subject-waits-outside", failure.message, labels: [label], help: failure.help)
    }
  }
}
