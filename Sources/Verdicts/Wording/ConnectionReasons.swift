import Diagnostics
import Events
import Protocols
import ScenarioPlan
import TextSearch
import Values
import World

/// A state says why there is no connection, in words of the system or a library.
let stateLength = 240

/// The texts about connections that were not made, or were lost.
extension FailureWriter {
  /// Returns what may explain the silence of a source: the state of its connection, or the errors
  /// of the parts beside it, such as `tasks.error` where `tasks.items` is awaited.
  func state(of source: SourceID, _ failure: Failure) -> [Diagnostic.Fact] {
    let plan = judge.plan
    if let connection = connection(withState: source) {
      guard let last = lastEvent(of: source, failure) else { return [] }
      return note("reason", reason(of: value(of: last), at: url(of: connection)))
    }
    guard case .connection(let id)? = plan.sources[ifPresent: source]?.kind,
      let connection = plan.connections[ifPresent: id]
    else { return errors(beside: source, failure) }
    guard let last = lastEvent(of: plan.nodes[connection.state].source, failure) else {
      return note("state", "no step asked `\(connection.name)` to `connect`")
    }
    let value = value(of: last)
    if case .string("connected") = value { return [] }
    if case .map(let map) = value, map["connected"] != nil { return [] }
    let shown = "\(names.text(value, maxLength: stateLength))   \(place(of: last))"
    return note("state", shown) + note("reason", reason(of: value, at: url(of: connection)))
  }

  private func errors(beside source: SourceID, _ failure: Failure) -> [Diagnostic.Fact] {
    guard let dot = names.name(of: source).lastIndex(ofASCII: ".") else { return [] }
    let owner = names.name(of: source)[...dot]
    let parts = judge.plan.sources.indices.filter { other in
      other != source && names.name(of: other).hasPrefix(owner)
    }
    let errors = parts.lazy.compactMap { part -> String? in
      let name = names.name(of: part)
      guard let last = lastEvent(of: part, failure), value(of: last).isError(named: name)
      else { return nil }
      return "\(name) \(names.text(value(of: last), maxLength: stateLength))   \(place(of: last))"
    }
    return note("state", errors.first)
  }

  private func lastEvent(of source: SourceID, _ failure: Failure) -> EventID? {
    log.events.last { event in
      guard case .source(.emitted(source, _)) = event.kind else { return false }
      return event.time <= failure.time
    }?.sequence
  }

  /// Returns the reason why there is no connection, if a condition has read the state of one.
  func reasons(of look: ConditionReading) -> [Diagnostic.Fact] {
    let found = look.values.lazy.compactMap { entry -> String? in
      guard case .node(let node)? = judge.plan.slots[ifPresent: entry.slot],
        let source = judge.plan.nodes[ifPresent: node]?.source,
        let connection = connection(withState: source)
      else { return nil }
      return reason(of: entry.value, at: url(of: connection))
    }
    return note("reason", found.first)
  }

  /// Returns what a state means if the source is the state of a connection.
  func reason(ofStateIn source: SourceID, _ state: Value) -> [Diagnostic.Fact] {
    guard let connection = connection(withState: source) else { return [] }
    return note("reason", reason(of: state, at: url(of: connection)))
  }

  private func connection(withState source: SourceID) -> ConnectionPlan? {
    judge.plan.connections.first { judge.plan.nodes[$0.state].source == source }
  }

  private func url(of connection: ConnectionPlan) -> String {
    let endpoint = (connection.request?.endpoint).flatMap { judge.plan.endpoints[ifPresent: $0] }
    return endpoint?.url ?? endpoint?.name ?? connection.name
  }

  /// Returns what the state of a connection to a real endpoint means, in a sentence.
  private func reason(of state: Value, at url: String) -> String? {
    guard case .map(let map) = state else { return limit(of: state) }
    guard case .string(let problem)? = map["problem"] else {
      return map.lazy.compactMap { reason(of: $0.value, at: url) }.first
    }
    let failure = TransportFailure(name: problem, details: map["message"]?.plainText ?? "")
    return failure.map { names.masked($0.sentence(about: url)) }
  }

  /// Returns the limit that a connection's message exceeded; nil for any other problem.
  private func limit(of problem: Value) -> String? {
    guard case .string(let word) = problem else { return nil }
    if word == WebSocketProblem.messageTooBig.id { return WebSocketProblem.messageTooBig.message }
    return word == "eventTooLarge"
      ? "an event, and each line of it, is at most \(SSELimits.eventBytes) bytes long" : nil
  }
}

extension Value {
  /// Whether this is an error: the value of a part named `error`, or a state with one.
  fileprivate func isError(named name: String) -> Bool {
    if case .map(let map) = self, map["error"] != nil { return true }
    return name.hasSuffix(".error") && self != .null
  }
}
