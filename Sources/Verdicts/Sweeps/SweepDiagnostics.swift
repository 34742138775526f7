import Diagnostics
import Events
import ScenarioPlan
import Secrets
import Values
import World

extension Diagnostic {
  static let otherEndID: DiagnosticID = "swept-end-differs"
  static let eventTwiceID: DiagnosticID = "swept-event-twice"
  static let leftPendingID: DiagnosticID = "swept-left-pending"
  static let programFailedID: DiagnosticID = "program-failed"
  static let leftRunningID: DiagnosticID = "swept-left-running"

  static func otherEnd(
    _ source: SourcePlan, _ value: Value?, _ good: Value?, _ mask: SecretMask
  ) -> Diagnostic {
    Diagnostic(
      otherEndID, "`\(source.name)` does not end as without the disturbance",
      labels: [.init(source.range)],
      facts: [
        .init("actual", mask.masked(shown(value))), .init("expected", mask.masked(shown(good))),
      ],
      help: "`sweep: { same: … }` names what must end alike")
  }

  static func eventTwice(
    _ id: String, of client: String, _ plan: ScenarioPlan, _ mask: SecretMask
  ) -> Diagnostic {
    let connection = plan.connections.first { $0.name == client }
    return Diagnostic(
      eventTwiceID, "`\(client)` received the event with id \(mask.masked(id)) twice",
      labels: connection.map { [.init($0.range)] } ?? [],
      help: "a client that resumes sends `Last-Event-ID`; one that cannot, leaves out ids it knows")
  }

  static func otherEnd(
    of program: ProgramPlan, _ end: ProgramEnd, insteadOf good: ProgramEnd?
  ) -> Diagnostic {
    Diagnostic(
      programFailedID, "`\(program.name)` ends in another way than without the disturbance",
      labels: [.init(program.range)],
      facts: [
        .init("actual", end.value.display(maxLength: 200)),
        .init("expected", good?.value.display(maxLength: 200) ?? "it is still running"),
      ],
      help: "correct the program, or let a `check` say how it may end")
  }

  static func leftRunning(_ program: ProgramPlan, _ plan: ScenarioPlan) -> Diagnostic {
    let patience = SweepPatience.disturbed(plan, good: nil).length(of: plan)
    let settle = plan.sweep.settleTime(isInRealTime: plan.isInRealTime)
    return leftRunning(
      program.name, program.range, after: later(settle, by: patience), "`settle` and `timeout` set")
  }

  static func leftRunning(_ action: ActionPlan, _ plan: ScenarioPlan) -> Diagnostic {
    let settle = plan.sweep.settleTime(isInRealTime: plan.isInRealTime)
    return leftRunning(action.name, action.range, after: settle, "`sweep: { settle: … }` sets")
  }

  private static func leftRunning(
    _ name: String, _ range: SourceRange, after time: Microseconds, _ settings: String
  ) -> Diagnostic {
    Diagnostic(
      leftRunningID,
      "`\(name)` is still running at the end; without the disturbance it ends by itself",
      labels: [.init(range)],
      help: "let it give up after some time: it had \(durationText(time)), which \(settings)")
  }

  static func leftPending(
    _ operation: PendingAtEnd, _ plan: ScenarioPlan, _ mask: SecretMask
  ) -> Diagnostic {
    let connection = plan.connections.first { $0.name == operation.name }
    let name = mask.masked(operation.name)
    return Diagnostic(
      leftPendingID,
      "`\(name)` is still \(operation.state) at the end, which it is not without the disturbance",
      labels: connection.map { [.init($0.range)] } ?? [],
      help:
        "it had \(durationText(plan.sweep.settleTime(isInRealTime: false))) to recover, which "
        + "`sweep: { settle: … }` sets"
    )
  }
}

extension Diagnostic {
  /// Returns the failure of a client that asks again sooner than an answer allowed.
  package static func earlyRepetition(
    of place: PiecePlace, after waited: Microseconds, insteadOf pause: Microseconds,
    _ plan: ScenarioPlan
  ) -> Diagnostic {
    Diagnostic(
      "early-reconnection",
      "the client asks again after \(durationText(waited)), and `Retry-After` is "
        + durationText(pause),
      labels: plan.endpoints.first { $0.name == place.line }.map { [.init($0.range)] } ?? [],
      help: "wait as long as `Retry-After` says; `sweep: { disturb: { \(place.line): [status] } }` "
        + "demands it")
  }
}

private func shown(_ value: Value?) -> String { value?.display(maxLength: 200) ?? "no value" }
