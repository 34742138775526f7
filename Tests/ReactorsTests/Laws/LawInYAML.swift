import Events
import ScenarioPlan
import ScenarioRuns
import TestKit
import Values
import Verdicts

/// A law's reactor, written as a scenario.
struct LawScenario {
  private let law: ReactorLaw

  init(_ law: ReactorLaw) {
    self.law = law
  }

  /// Runs the scenario and returns the log, or why it did not pass.
  func run() -> [String] {
    let loading = Loading(text)
    guard let plan = loading.plan, let run = loading.run() else { return loading.complaints }
    let failures = run.verdict.failures.map { "\($0.id): \($0.message)" }
    let log = run.log.events.compactMap { line(of: $0, plan) }
    return failures + log
      + law.outcomes { name, what in log.contains { $0.hasSuffix(" \(name) \(what)") } }
  }

  var text: String {
    let loads = law.actions.flatMap(\.steps).compactMap(LoadText.init)
    return """
      scenario: A law
      endpoints:
        api:
          http:
            - { get: "/", respond: {} }
      \(loads.map(\.route).joined())providers:
        unused: { endpoint: api, get: "/" }
      \(loads.map(\.provider).joined())reactors:
        subject:
          state: { last: "", result: none }
          actions:
      \(law.actions.map(text).joined())steps:
        - ignore: [api, subject.events, subject.last, subject.result]
      \(script)
        - wait: 1s

      """
  }

  private var script: String {
    var now = 0
    return law.script.map { message in
      let pause = message.time - now
      now = message.time
      let wait = pause > 0 ? "  - wait: \(pause)ms\n" : ""
      return wait + "  - " + text(of: message)
    }.joined(separator: "\n")
  }

  private func text(of message: LawMessage) -> String {
    switch message {
    case .send(_, let action, let run):
      fails(action)
        ? "fails: { send: { subject.\(action): \(run) } }"
        : "send: { subject.\(action): \(run) }"
    case .endLifecycle: "terminate: subject"
    }
  }

  private func fails(_ action: String) -> Bool {
    law.actions.contains { candidate in
      candidate.name == action
        && candidate.steps.contains { if case .fail = $0 { true } else { false } }
    }
  }

  private func text(of action: LawAction) -> String {
    let policy =
      switch action.overlap {
      case .allowed: ""
      case .inFlight(let id): "        inFlight: \(id)\n"
      case .join(let id): "        join: \(id)\n"
      }
    let lifecycle = action.endsWithLifecycle ? "        lifecycle: true\n" : ""
    let steps = (["began"].map(report) + action.steps.flatMap(lines) + ["ended"].map(report))
      .map { "          - \($0)\n" }
    return "      \(action.name):\n" + policy + lifecycle + "        steps:\n" + steps.joined()
  }

  private func report(_ word: String) -> String { "emit: { \(word): \"${payload}\" }" }

  private func lines(of step: LawStep) -> [String] {
    switch step {
    case .note(let word): [report(word)]
    case .set: ["set: { last: \"${payload}\" }"]
    case .wait(let time): ["wait: \(time)ms"]
    case .send(let action, let run): ["send: { subject.\(action): \(run) }"]
    case .endLifecycle: ["terminate: subject"]
    case .fail: [report("failed"), "fail: broken"]
    case .load, .loadFailing: LoadText(step).map { [$0.step] } ?? []
    }
  }

  /// Reads a line of the log from an event.
  private func line(of event: Event, _ plan: ScenarioPlan) -> String? {
    guard case .source(.emitted(let source, let value)) = event.kind else { return nil }
    let time = event.time / 1_000
    return switch plan.sources[source].name {
    case "subject.events": "\(time) \(text(value["payload"])) \(text(value["name"]))"
    case "subject.last": "\(time) last = \(text(value))"
    case "subject.result": "\(time) result = \(result(value))"
    default: nil
    }
  }

  private func text(_ value: Value?) -> String { value?.plainText ?? "" }

  private func result(_ value: Value) -> String {
    if let item = value["loaded"] { return "loaded \(text(item))" }
    if let error = value["error"] { return "error \(text(error["status"]))" }
    return text(value)
  }
}

/// The texts of a step that loads: the step, its provider, and the route that answers it.
private struct LoadText {
  let route: String
  let provider: String
  let step: String

  init?(_ step: LawStep) {
    switch step {
    case .load(let time): self.init("good\(time)", "json: \"${request.params.run}\"", time)
    case .loadFailing(let time): self.init("bad\(time)", "status: 503", time)
    case .note, .set, .wait, .send, .endLifecycle, .fail: return nil
    }
  }

  private init(_ name: String, _ answer: String, _ time: Int) {
    route = "      - { get: \"/\(name)/{run}\", respond: { \(answer), after: \(time)ms } }\n"
    provider = "  \(name): { params: [run], endpoint: api, get: \"/\(name)/${run}\" }\n"
    step = "load: { result: { provider: \(name), with: { run: \"${payload}\" } } }"
  }
}
