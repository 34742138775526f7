import Diagnostics
import Events
import ScenarioEngine
import ScenarioPlan
import Values
import Verdicts

/// Compares a run of programs with another one, if that is wanted: with a second one in virtual
/// time, or with one by the machine's clock.
func comparedRuns(
  _ log: EventLog, _ plan: ScenarioPlan, _ inputs: RunInputs, in kind: WorldKind
) -> [Diagnostic] {
  guard let asked = plan.virtualTime else { return [] }
  if plan.hasMachineClock { return comparedClocks(log, plan, inputs, in: kind) }
  guard inputs.options.isTwice else { return [] }
  var again = inputs
  again.options.isTwice = false
  let second = runScenario(plan, inputs: again, in: kind).log
  guard let (one, other) = firstDifference(log.lines(of: plan), second.lines(of: plan)) else {
    return []
  }
  var diagnostic = Diagnostic.notRepeatable(at: asked)
  diagnostic.facts = [.init("first", one), .init("second", other)]
  return [diagnostic]
}

/// Compares a run by the machine's clock with the same one in virtual time. Returns a warning about
/// the first source whose events differ.
///
/// It is the one check against virtual time that jumps too far, which looks like a client's
/// time-out.
private func comparedClocks(
  _ log: EventLog, _ plan: ScenarioPlan, _ inputs: RunInputs, in kind: WorldKind
) -> [Diagnostic] {
  guard let asked = plan.virtualTime else { return [] }
  let virtual = runScenario(
    plan.changed { ($0.hasMachineClock, $0.isInRealTime) = (false, false) }, inputs: inputs,
    in: kind)
  if virtual.verdict.outcome == .couldNotRun {
    return virtual.verdict.failures.map { $0.asWarning }
  }
  let sources = plan.sources.indices
  let differing = sources.lazy.compactMap { source in
    firstDifference(virtual.log.texts(of: source), log.texts(of: source)).map { (source, $0) }
  }.first
  guard let (source, (inVirtual, inReal)) = differing else { return [] }
  return [
    Diagnostic(
      "clocks-differ", severity: .warning,
      "`\(plan.sources[source].name)` has other events by the machine's clock",
      labels: [.init(asked, "than in virtual time")],
      notes: [.init("virtual", inVirtual), .init("machine", inReal)],
      help: "look for what depends on the machine's speed: a race, or a time-out that is too short")
  ]
}

private func firstDifference(_ one: [String], _ other: [String]) -> (String, String)? {
  if one == other { return nil }
  let place = zip(one, other).prefix { $0 == $1 }.count
  func text(_ texts: [String]) -> String {
    texts.indices.contains(place) ? texts[place] : "nothing more"
  }
  return (text(one), text(other))
}

extension EventLog {
  /// The events of all sources, with their times.
  fileprivate func lines(of plan: ScenarioPlan) -> [String] {
    events.compactMap { event in
      guard case .source(.emitted(let source, let value)) = event.kind else { return nil }
      let text = value.display(maxLength: 200)
      return "\(durationText(event.time))  \(plan.sources[source].name) \(text)"
    }
  }

  /// The events of a source. Requests are without headers, which have the numbers of ports, and
  /// lines without their texts, which may have times.
  fileprivate func texts(of wanted: SourceID) -> [String] {
    events.compactMap { event in
      guard case .source(.emitted(wanted, let value)) = event.kind else { return nil }
      if case .string = value { return "a line" }
      // A client that leaves as it is ended is no part of the scenario.
      if value["cancelled"] != nil { return nil }
      guard let method = value["method"], let path = value["path"] else {
        return value.display(maxLength: 200)
      }
      return "\(method.display(maxLength: 20)) \(path.display(maxLength: 200))"
    }
  }
}

extension Verdict {
  /// Adds what was found about a run: errors fail it.
  mutating func addFindings(_ found: [Diagnostic]) {
    warnings += found.filter { $0.severity != .error }
    failures += found.filter { $0.severity == .error }
    if found.hasErrors, outcome == .passed { outcome = .failed }
  }
}

extension Diagnostic {
  /// Makes the error of two runs in virtual time that differ.
  static func notRepeatable(at range: SourceRange) -> Diagnostic {
    Diagnostic(
      "not-repeatable", "a second run of the scenario differs from the first",
      labels: [.init(range)],
      help: "look for chance that no seed decides: the number of a process, threads side by side")
  }

  fileprivate var asWarning: Diagnostic {
    var warning = self
    warning.severity = .warning
    return warning
  }
}
