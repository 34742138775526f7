import Diagnostics
import LiveWorld
import Reports
import ScenarioEngine
import ScenarioPlan
import ScenarioRuns
import ScenarioSpec
import Values
import World

/// The commands that come on standard input under `serve --json`, a JSON object a line.
struct ServeCommands: Sendable {
  /// A scenario that commands can be for.
  struct Target: Sendable {
    var id: String
    var plan: ScenarioPlan
    var mailbox: ServingMailbox
  }

  let targets: [Target]

  /// Reads the commands on a thread of its own. The end of the input ends serving what no command
  /// has ended.
  func listen() {
    _ = startThread {
      var stopped: Set<String> = []
      while let line = readLine() {
        if !line.allSatisfy(\.isWhitespace) { stopped.formUnion(obey(line)) }
      }
      let stop = ServingRequest(.stop(within: restOfTime)) { _ in }
      for target in targets where !stopped.contains(target.id) { target.mailbox.put(stop) }
    }
  }

  /// Carries a command out, and returns the ids of the scenarios that it stops.
  private func obey(_ line: String) -> [String] {
    var id: Value?
    do throws(ServeCommandProblem) {
      let message = try ServeCommand(line)
      id = message["id"]
      let commands = try commands(of: message)
      for (target, command) in commands {
        target.mailbox.put(
          ServingRequest(command) { [id] refusal in
            answer(id, refusal.map { .badMessage("`\(message.type)` failed: \($0)") })
          })
      }
      return message.type == "stop" ? commands.map(\.0.id) : []
    } catch {
      answer(id, .badMessage(error.message, help: error.help))
      return []
    }
  }

  private func answer(_ id: Value?, _ refusal: Diagnostic?) {
    Terminal.say(ServeMessage.answer(id: id, refusal).line, as: .json)
  }

  private func commands(
    of message: ServeCommand
  ) throws(ServeCommandProblem) -> [(Target, ServingCommand)] {
    let targets = try targets(of: message)
    if message.type == "stop" {
      let command = ServingCommand.stop(within: try message.duration("within") ?? restOfTime)
      return targets.map { ($0, command) }
    }
    guard targets.count == 1, let target = targets.first else {
      throw ServeCommandProblem(
        "\(targets.count) scenarios are served, and the message does not say for which it is",
        help: "add `scenario` with the id that `ready` has")
    }
    if message.type == "send" { return [(target, try message.act(in: target.plan))] }
    return [(target, .disturb(try message.disturbances(in: target.plan)))]
  }

  private func targets(of message: ServeCommand) throws(ServeCommandProblem) -> [Target] {
    guard let id = try message.text("scenario") else { return targets }
    let found = targets.filter { $0.id == id }
    if found.isEmpty { throw .unknown(id, "scenario", among: targets.map(\.id)) }
    return found
  }
}

/// The time for which steps may still wait for events once no client does anything.
private let restOfTime: Microseconds = 1_000_000

/// The reason why a message is no command.
struct ServeCommandProblem: Error {
  var message: String
  var help: String?

  init(_ message: String, help: String? = nil) {
    self.message = message
    self.help = help
  }

  fileprivate static func unknown(
    _ name: String, _ what: String, among known: [String]
  ) -> ServeCommandProblem {
    let names = known.map { "`\($0)`" }.joined(separator: ", ")
    return ServeCommandProblem(
      "there is no \(what) `\(name)`",
      help: nearestName(to: name, among: known).map { "did you mean `\($0)`?" }
        ?? "there is \(names)")
  }
}

/// A message that was read: a map with a known type and no unknown member.
struct ServeCommand {
  let type: String
  private let members: ValueMap
  private let known: ServeCommandMembers

  init(_ line: String) throws(ServeCommandProblem) {
    guard case .success(.map(let members)) = parseJSON(line) else {
      throw ServeCommandProblem(
        "a message is a JSON object on a line of its own",
        help: "write `{\"type\":\"stop\"}`, for example")
    }
    self.members = members
    guard case .string(let type)? = members["type"] else {
      throw ServeCommandProblem(
        "the message has no `type`", help: "`type` is `send`, `disturb` or `stop`")
    }
    self.type = type
    guard let known = ServeCommandMembers(of: type) else {
      throw .unknown(type, "message", among: serveCommandTypes)
    }
    self.known = known
    for (name, _) in members where name != "type" && !known.all.contains(name.plainText) {
      throw .unknown(name.plainText, "member", among: known.all)
    }
  }

  subscript(_ name: String) -> Value? { members[.string(name)] }

  func text(_ name: String) throws(ServeCommandProblem) -> String? {
    guard let value = self[name] else { return nil }
    guard case .string(let text) = value else {
      throw ServeCommandProblem("`\(name)` is a text, not \(value.display(maxLength: 80))")
    }
    return text
  }

  private func needed(_ name: String) throws(ServeCommandProblem) -> String {
    guard let text = try text(name) else {
      throw ServeCommandProblem("`\(type)` needs `\(name)`")
    }
    return text
  }

  func duration(_ name: String) throws(ServeCommandProblem) -> Microseconds? {
    guard let text = try text(name) else { return nil }
    guard case .success(let duration) = parseDuration(text), duration >= 0 else {
      throw ServeCommandProblem("`\(name)` is a duration such as `3s`, not `\(text)`")
    }
    return duration
  }

  /// Returns what is to go wrong. As on the command line, several have `;` between them.
  func disturbances(in plan: ScenarioPlan) throws(ServeCommandProblem) -> [Disturbance] {
    let names = plan.servedEndpoints.map(\.name)
    return try needed("name").split(separator: ";", omittingEmptySubsequences: false).map {
      name throws(ServeCommandProblem) in
      guard let disturbance = Disturbance(name: String(name)) else {
        throw ServeCommandProblem(
          "`\(name)` names no disturbance",
          help: "write it as `rehearse sweep` does: `cut after event 3 of feed, connection 1`")
      }
      if let line = disturbance.line, !names.contains(line) {
        throw .unknown(line, "endpoint", among: names)
      }
      return disturbance
    }
  }

  /// Returns what a mock is to do.
  func act(in plan: ScenarioPlan) throws(ServeCommandProblem) -> ServingCommand {
    let name = try needed("endpoint")
    let names = plan.servedEndpoints.map(\.name)
    let found = plan.endpoints.withIDs.first { names.contains(name) && $0.1.name == name }
    guard let (id, _) = found else { throw .unknown(name, "endpoint", among: names) }
    let given = known.alternatives.filter { self[$0] != nil }
    guard given.count == 1, let act = given.first, let value = self[act] else {
      throw ServeCommandProblem(
        "`send` has one of \(known.alternatives.map { "`\($0)`" }.joined(separator: ", "))")
    }
    let values = ServedValues(range: plan.range)
    let command = try values.command(act, value)
    return .serve(
      ServePlan(endpoint: id, command: command, range: plan.range), to: try audience)
  }

  private var audience: AudiencePlan {
    get throws(ServeCommandProblem) {
      switch self["to"] {
      case nil, "all": return .all
      case "last": return .last
      case .int(let number) where number > 0:
        return .connection(DataPlan(.constant(.int(number)), .none))
      case let other?:
        throw ServeCommandProblem(
          "`to` is `all`, `last` or the number of a connection, not \(other.display(maxLength: 80))"
        )
      }
    }
  }
}

/// The plans of values that a message has, which are sent as they are.
private struct ServedValues {
  let range: SourceRange

  func command(_ act: String, _ value: Value) throws(ServeCommandProblem) -> ServePlan.Command {
    switch act {
    case "event": .act(.event(try event(value)))
    case "message": .act(.message(constant(value)))
    case "bytes": .act(.bytes([.constant(try bytes(value))]))
    case "close": .act(try close(value))
    case "pings": .act(.pings(areAnswered: try word(value, ["ignore", "answer"]) == "answer"))
    default: try lineCommand(value)
    }
  }

  private func constant(_ value: Value) -> DataPlan { DataPlan(.constant(value), range) }

  private func event(_ value: Value) throws(ServeCommandProblem) -> ServerEventPlan {
    var event = ServerEventPlan()
    let names: Set<Value> = ["data", "id", "event", "comment", "retry"]
    guard case .map(let map) = value, !map.isEmpty, map.allSatisfy({ names.contains($0.key) })
    else {
      event.data = constant(value)
      return event
    }
    event.data = map["data"].map(constant)
    event.id = map["id"].map(constant)
    event.event = map["event"].map(constant)
    event.comment = map["comment"].map(constant)
    if let retry = map["retry"] {
      guard case .success(let duration) = parseDuration(retry.plainText) else {
        throw ServeCommandProblem(
          "`retry` is a duration such as `500ms`, not \(retry.display(maxLength: 80))")
      }
      event.retry = .constant(duration)
    }
    return event
  }

  private func bytes(_ value: Value) throws(ServeCommandProblem) -> [UInt8] {
    if case .string(let text) = value { return Array(text.utf8) }
    guard case .string(let digits)? = value["hex"],
      let bytes = ScenarioSpec.bytes(ofHexadecimal: digits)
    else {
      throw ServeCommandProblem("`bytes` is a text, or a map with digits in `hex`")
    }
    return bytes
  }

  private func close(_ value: Value) throws(ServeCommandProblem) -> ServerActPlan {
    switch value {
    case true: return .close(code: nil, reason: nil)
    case .map(let map):
      return .close(code: map["code"].map(constant), reason: map["reason"].map(constant))
    default: throw ServeCommandProblem("`close` is true, or a map with `code` and `reason`")
    }
  }

  private func lineCommand(_ value: Value) throws(ServeCommandProblem) -> ServePlan.Command {
    switch try word(
      value, ["drop", "reset", "stall", "halfClose", "stop", "start", "restart"])
    {
    case "drop": .act(.drop)
    case "reset": .act(.reset)
    case "stall": .act(.stall)
    case "halfClose": .act(.halfClose)
    case "stop": .stop
    case "start": .start
    default: .restart
    }
  }

  private func word(_ value: Value, _ known: [String]) throws(ServeCommandProblem) -> String {
    guard known.contains(value.plainText) else {
      throw .unknown(value.plainText, "act", among: known)
    }
    return value.plainText
  }
}

extension Diagnostic {
  fileprivate static func badMessage(_ message: String, help: String? = nil) -> Diagnostic {
    Diagnostic("bad-message", message, help: help)
  }
}
