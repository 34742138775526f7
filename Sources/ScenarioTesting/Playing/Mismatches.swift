import Diagnostics
import Events
import ScenarioPlan

/// The ways in which a Swift object and a scenario do not fit together. Each names both sides.
@MainActor
extension SubjectFailure {
  nonisolated static func missing(
    _ kind: String, _ name: String, of known: [String], for part: String?, in plan: ScenarioPlan
  ) -> SubjectFailure {
    let use = part.map { "the Swift object of `\($0)` uses" } ?? "Swift binds"
    let nearest = nearestName(to: name, among: known).map { "did you mean `\($0)`?" }
    let all =
      known.isEmpty
      ? "the scenario has none" : "it has " + known.map { "`\($0)`" }.joined(separator: ", ")
    return SubjectFailure(
      .mismatch, "\(use) the \(kind) `\(name)`, which the scenario does not have",
      at: plan.range, help: nearest ?? all)
  }

  nonisolated static func boundTwice(
    _ part: String, _ first: Binding, _ second: Binding, in plan: ScenarioPlan
  ) -> SubjectFailure {
    let names = first.kind == second.kind ? "" : " as the \(first.kind.rawValue) `\(first.name)`"
    return SubjectFailure(
      .mismatch,
      "Swift binds the \(part) twice: at \(first.place)\(names), and at \(second.place)",
      at: plan.range, help: "remove one of the two: a part is played by one object")
  }

  static func lacksAction(
    _ action: ActionPlan, _ name: String, sentAt range: SourceRange, _ reactor: any PlayedReactor
  ) -> SubjectFailure {
    let names = reactor.actionNames
    let nearest = nearestName(to: name, among: names).map { "did you mean `\($0)`?" }
    let listed = names.isEmpty ? nil : "it has " + names.map { "`\($0)`" }.joined(separator: ", ")
    return SubjectFailure(
      .mismatch,
      "the scenario sends `\(action.name)`, and `\(reactor.typeName).Action` has no case `\(name)`",
      at: range, help: nearest ?? listed ?? "add the case to `\(reactor.typeName).Action`")
  }

  static func unmakeableActions(
    of reactor: any PlayedReactor, named name: String, sentAt range: SourceRange
  ) -> SubjectFailure {
    SubjectFailure(
      .mismatch,
      "the scenario sends `\(name)`, and no `\(reactor.typeName).Action` can be made from a name",
      at: range,
      help:
        "make `\(reactor.typeName).Action` `Decodable`; without payloads, `CaseIterable` will do")
  }

  static func lacksMember(
    _ node: NodePlan, _ member: String, _ reactor: any PlayedReactor
  ) -> SubjectFailure {
    let names = reactor.members.map(\.name)
    let nearest = nearestName(to: member, among: names).map { "did you mean `\($0)`?" }
    let listed = "it has " + names.map { "`\($0)`" }.joined(separator: ", ")
    let state = "`\(reactor.typeName).State`"
    return SubjectFailure(
      .mismatch,
      "the scenario reads `\(node.name)`, and \(state) has no member `\(member)`",
      at: node.range, help: nearest ?? (names.isEmpty ? nil : listed))
  }

  static func writes(
    _ node: NodePlan, at range: SourceRange, _ reactor: any PlayedReactor
  ) -> SubjectFailure {
    SubjectFailure(
      .mismatch, "this step writes `\(node.name)`, and only `\(reactor.typeName)` sets its state",
      at: range, help: "send an action, or bind the field to one under `bindings`")
  }

  static func beginsDifferently(
    _ node: NodePlan, _ written: String, _ actual: String, _ reactor: any PlayedReactor
  ) -> SubjectFailure {
    let state = "the state of `\(reactor.typeName)`"
    return SubjectFailure(
      .mismatch, "`\(node.name)` begins with \(written), and \(state) with \(actual)",
      at: node.range, help: "write the value with which the Swift state begins")
  }

  static func unfed(_ source: SourcePlan) -> SubjectFailure {
    SubjectFailure(
      .mismatch, "nothing feeds the source `\(source.name)`", at: source.range,
      help: "bind it: `stage.bind(source: \"\(source.name)\") { … }`")
  }

  static func unfit(
    _ client: PlayedConnection, as connection: ConnectionPlan
  ) -> SubjectFailure {
    let fitting =
      switch connection.kind {
      case .eventStream: "an `EventStreamClient`"
      case .lines: "an `EventStreamClient` with `format: .lines`"
      case .webSocket: "a `WebSocketClient`"
      }
    let declared = "`\(connection.name)` is \(connection.kind.description)"
    return SubjectFailure(
      .mismatch, "\(declared), and \(client.description) plays it",
      at: connection.range, help: "bind \(fitting)")
  }

  nonisolated static func unknownServer(
    _ host: String, of part: String, in plan: ScenarioPlan
  ) -> SubjectFailure {
    let names = plan.endpoints.map(\.name)
    let nearest = nearestName(to: host, among: names).map { "did you mean `\($0)`?" }
    return SubjectFailure(
      .mismatch,
      "a client of the Swift object of `\(part)` connects to `\(host)`, and no endpoint of the "
        + "scenario has this name, or a `url` with this host",
      at: plan.range,
      help: nearest ?? "declare the endpoint, with the client's server as its `url`")
  }

  static func fedByStep(_ source: SourcePlan, at range: SourceRange) -> SubjectFailure {
    SubjectFailure(
      .mismatch, "this step sends to `\(source.name)`, whose events come from Swift", at: range,
      help: "remove the step, or the binding")
  }

  static func payload(
    of action: ActionPlan, _ message: String, _ reactor: any PlayedReactor
  ) -> SubjectFailure {
    SubjectFailure(
      .mismatch,
      "the payload of `\(action.name)` does not fit `\(reactor.typeName).Action`: \(message)",
      at: action.range)
  }

  static func written(
    to node: NodePlan, _ message: String, _ reactor: any PlayedReactor
  ) -> SubjectFailure {
    SubjectFailure(
      .mismatch,
      "what is written to `\(node.name)` does not fit `\(reactor.typeName).Action`: \(message)",
      at: node.range)
  }

  static func lacksSetter(
    _ node: NodePlan, _ setter: String, at range: SourceRange, _ reactor: any PlayedReactor
  ) -> SubjectFailure {
    let action = "`\(reactor.typeName).Action`"
    return SubjectFailure(
      .mismatch, "this step writes `\(node.name)`, and \(action) has no case `\(setter)`",
      at: range, help: "add the case `\(setter)`, which takes the value")
  }

  static func waitsOutside(_ what: String, _ by: String, at range: SourceRange) -> SubjectFailure {
    SubjectFailure(
      .waitsOutside, "\(what) of \(by) waits for something that nothing in the scenario continues",
      at: range,
      help: "sleep by the context's `clock`, ask by its `http` or `loop`, and replace what other "
        + "threads do")
  }

  static func continuedOutside(
    _ what: String?, _ by: String, at range: SourceRange
  ) -> SubjectFailure {
    SubjectFailure(
      .waitsOutside, "another thread continued \(what.map { "\($0) of " } ?? "")\(by)", at: range,
      help: "what another thread does has no place in virtual time: replace it by something that "
        + "runs where the scenario does")
  }
}
