import Diagnostics
import Values

/// The characters of a value that a line for people shows.
private let longestText = 160

extension TraceReader.Entry {
  /// The line for people: `12ms  api → request GET /tasks (connection 1)`.
  package var text: String { traceText(of: line, at: time) }

  var timeText: String { "at \(durationText(time))" }
}

extension TraceLine {
  /// The value for people; the kind, if there is none or it alone says little.
  package var valueText: String {
    let summary = summary(of: self)
    if knownKind == .emitted || knownKind == .request { return summary ?? "null" }
    if knownKind == .finished, value == nil || value?.json == .null { return "finished" }
    return visibleText(kind.name) + (summary.map { " " + $0 } ?? "")
  }
}

/// Returns a line of a trace for people.
package func traceText(of line: TraceLine, at time: Microseconds) -> String {
  var parts = [durationText(time)]
  if let source = line.source { parts.append(visibleText(source)) }
  if let from = line.from { parts.append(from == .client ? "→" : "←") }
  if let text = line.scriptText {
    parts.append(cut(text))
  } else {
    parts.append(visibleText(line.kind.name))
    if let summary = summary(of: line) { parts.append(summary) }
  }
  if let number = line.connection { parts.append("(connection \(number))") }
  if let at = line.at { parts.append("at \(visibleText(at))") }
  return parts.joined(separator: " ")
}

extension TraceLine {
  /// The words for a line about the script; nil for other lines.
  fileprivate var scriptText: String? {
    guard let json = value?.json else { return nil }
    let verb = json["verb"]?.plainText ?? "step"
    switch knownKind {
    case .step?: return verb + loops(json)
    case .assertion?:
      return verb + (json["held"] == .bool(true) ? " held" : " failed") + loops(json)
    case .read? where json["as"] == "invariants": return "the invariants are sampled"
    case .read?:
      guard case .string(let way)? = json["as"], let word = readings[way] else { return nil }
      return "\(verb) \(word)\(loops(json))" + reads(json)
    case .idle?:
      guard case .int(let due) = json else { return "nothing is due any more" }
      return "nothing happens until \(durationText(Microseconds(due)))"
    case .phase?: return json == "stepsEnded" ? "the steps have ended" : "`finally` begins"
    case .branch?:
      if let count = json["count"] { return "\(count.plainText) branches begin" }
      if json["joined"] != nil { return "the branches have ended" }
      return "a mock's script begins"
    case .emitted?, .finished?, .subscribed?, .unsubscribed?, .request?, .response?, .stream?,
      .upgrade?, .event?, .line?, .message?, .ping?, .pong?, .bytes?, .goodbye?, .drop?, .reset?,
      .left?, .unreachable?, .stdin?, .signal?, .ready?, .exit?, .now?, .network?, .fault?, .log?,
      .ignored?, .problem?, .failure?, .listening?, .pending?, .verdict?, nil:
      return nil
    }
  }

  /// The branch, if it is not the main one, and the turns of the loops around a step.
  private func loops(_ json: Value) -> String {
    let branch = json["branch"].flatMap { $0 == .int(0) ? nil : "branch \($0.plainText)" }
    let turns = json["turns"].map { "turn \($0.json(sortedKeys: true))" }
    let parts = [branch, turns].compactMap(\.self)
    return parts.isEmpty ? "" : " (\(parts.joined(separator: ", ")))"
  }

  private func reads(_ json: Value) -> String {
    guard case .list(let values)? = json["values"], !values.isEmpty else { return "" }
    return " and reads " + values.map { $0.json(sortedKeys: true) }.joined(separator: ", ")
  }
}

/// The words for the ways in which an assertion reads values.
private let readings = [
  "opened": "begins", "checked": "is checked", "attempted": "was tried",
  "exchanged": "has its answer", "received": "has its message", "snapshot": "takes a snapshot",
]

private func summary(of line: TraceLine) -> String? {
  guard let json = line.value?.json else { return nil }
  switch line.knownKind {
  case .request?: return request(json)
  case .response?, .stream?, .upgrade?: return response(json)
  case .failure?: return json["message"].map { cut($0.plainText) }
  case .log?: return cut(json["value"]?.plainText ?? json.json(sortedKeys: true))
  case .verdict?: return json["outcome"].map { cut($0.plainText) }
  case nil, .emitted?, .finished?, .subscribed?, .unsubscribed?, .event?, .line?, .message?, .ping?,
    .pong?,
    .bytes?, .goodbye?, .drop?, .reset?, .left?, .unreachable?, .stdin?, .signal?, .ready?, .exit?,
    .now?, .step?, .branch?,
    .phase?, .assertion?, .read?, .idle?, .network?, .fault?, .ignored?, .problem?,
    .listening?, .pending?:
    return cut(json.json(sortedKeys: true))
  }
}

private func request(_ json: Value) -> String {
  var text = "\(json["method"]?.plainText ?? "") \(json["path"]?.plainText ?? "")"
  if case .map(let query)? = json["query"] {
    text += "?" + query.map { "\($0.key.plainText)=\($0.value.plainText)" }.joined(separator: "&")
  }
  return cut(text) + body(json)
}

private func response(_ json: Value) -> String {
  (json["status"]?.plainText ?? "") + body(json)
}

private func body(_ json: Value) -> String {
  json["body"].map { " " + cut($0.json(sortedKeys: true)) } ?? ""
}

private func cut(_ text: String) -> String {
  let start = text.prefix(longestText)
  return visibleText(String(start)) + (start.endIndex < text.endIndex ? "…" : "")
}
