import Diagnostics
import Events
import ScenarioEngine
import ScenarioPlan
import Values
import Verdicts

/// Compares a run by the machine's clock with the same one in virtual time. Returns a warning about
/// the first source whose events differ.
///
/// It is the one check against virtual time that jumps too far, which looks like a client's
/// time-out.
func comparedClocks(
  _ log: EventLog, _ plan: ScenarioPlan, _ inputs: RunInputs, in kind: WorldKind
) -> [Diagnostic] {
  guard let asked = plan.virtualTime, plan.hasMachineClock else { return [] }
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

extension Diagnostic {
  fileprivate var asWarning: Diagnostic {
    var warning = self
    warning.severity = .warning
    return warning
  }
}
