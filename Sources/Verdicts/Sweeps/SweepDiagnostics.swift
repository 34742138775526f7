import Diagnostics
import ScenarioPlan
import Secrets
import Values

extension Diagnostic {
  static let otherEndID: DiagnosticID = "swept-end-differs"
  static let eventTwiceID: DiagnosticID = "swept-event-twice"
  static let leftPendingID: DiagnosticID = "swept-left-pending"

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

private func shown(_ value: Value?) -> String { value?.display(maxLength: 200) ?? "no value" }
