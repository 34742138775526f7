import Events
import ScenarioPlan
import Values

/// The helps about limits: where one comes from, and how to change it.
extension FailureWriter {
  /// Returns the help for a wait that has reached the limit of the scenario; nil if it had a limit
  /// of its own.
  func limitHelp(_ failure: Failure, _ span: Microseconds) -> String? {
    guard let assertion = failure.assertion,
      judge.plan.assertions[ifPresent: assertion]?.within == nil
    else { return nil }
    let due = nextDue(failure).map { $0 - (failure.time - span) }
    return limitHelp(for: span, keys: ["within", "timeout"], due: due)
  }

  /// Returns when the next thing is due that is known at the time of a failure. Nobody knows what
  /// comes from programs and sockets.
  private func nextDue(_ failure: Failure) -> Microseconds? {
    for event in log.events.reversed() where event.time <= failure.time {
      guard case .run(.idle(let next)) = event.kind else { continue }
      return next.flatMap { $0 > failure.time && $0 < .max ? $0 : nil }
    }
    return nil
  }

  /// Returns the help for something that has reached the limit of the scenario.
  ///
  /// - Parameters:
  ///   - keys: The keys that give a step, or the scenario, another limit.
  ///   - due: When the next thing is due, counted as the limit is; nil if it is not known.
  func limitHelp(for span: Microseconds, keys: [String], due: Microseconds? = nil) -> String? {
    let limit = judge.plan.timeout
    guard span == limit else { return nil }
    let longer = durationText(max(2 * limit, due ?? 0))
    let isDefault = limit == ScenarioPlan.defaultTimeout
    let origin =
      isDefault
      ? "`timeout` is \(durationText(limit)) by default" : "the limit is the scenario's `timeout`"
    let lines = keys.map { "`\($0): \(longer)`" }.joined(separator: " or ")
    let next = due.map { ", and nothing is due before \(durationText($0))" } ?? ""
    return "\(origin)\(next); write \(lines) for more"
  }

  /// Returns what to do about a limit of the run.
  func help(forLimit name: String) -> String? {
    switch name {
    case "events-in-one-chain", "jobs-at-one-instant", "stream-values-at-one-instant":
      "something sets itself off: stop it by a condition (`if`), or let time pass (`wait`)"
    case "events-per-run", "bytes-in-log":
      "`ignore` a source that floods: the log keeps none of its events; or divide the scenario"
    case "jobs-per-run", "steps-per-run", "queued-jobs":
      "give the repetition an end, or divide the scenario"
    case "connections-at-once": "end connections with `disconnect` before others begin"
    case "actions-at-once": "let an action end before it is sent again"
    case "groups-at-once": "group by something that has few values"
    default: nil
    }
  }

  /// Returns the step that was under way at an event, or at the end of the log; nil before the
  /// first. `finally` has steps behind the problem that ended the others.
  func lastStep(before last: EventID?) -> StepReference? {
    for event in log.events.reversed() where last.map({ event.sequence <= $0 }) ?? true {
      if case .script(.stepBegan(let step)) = event.kind { return step }
    }
    return nil
  }
}
