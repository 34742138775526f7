import Events
import ScenarioPlan
import Secrets
import Values

/// The length of a value beside the excerpt, in characters; in a line of many it is shorter.
let factLength = 120
let timelineValueLength = 28

/// The display names of values, sources and events in reports.
struct EventNames {
  let plan: ScenarioPlan
  let mask: SecretMask
  /// The most lines of a body that are shown.
  var bodyLines = usualBodyLines

  init(_ plan: ScenarioPlan, _ mask: SecretMask) {
    self.plan = plan
    self.mask = mask
  }

  func name(of source: SourceID) -> String {
    plan.sources[ifPresent: source]?.name ?? "?"
  }

  /// Returns whether a source has an initial value: a node, a subject with a value, or a stream
  /// that follows one.
  func beginsWithValue(_ source: SourceID) -> Bool {
    if case .node? = plan.sources[ifPresent: source]?.kind { return true }
    var open = [source]
    var seen: Set<SourceID> = []
    while let next = open.popLast() {
      guard seen.insert(next).inserted, let stream = stream(of: next) else { continue }
      if case .subject(_?) = stream.origin { return true }
      open += stream.sources
    }
    return false
  }

  func isStream(_ source: SourceID) -> Bool { stream(of: source) != nil }

  private func stream(of source: SourceID) -> StreamPlan? {
    guard case .stream(let id)? = plan.sources[ifPresent: source]?.kind else { return nil }
    return plan.streams[id]
  }

  /// The tick of a stream that is a diagram as it is drawn.
  func tick(of source: SourceID) -> Microseconds? {
    guard case .marble(let marble, _)? = stream(of: source)?.origin else { return nil }
    return marble.tick
  }

  func text(_ value: Value, maxLength: Int = factLength) -> String {
    mask.masked(value).display(maxLength: maxLength)
  }

  /// An event's value in few words: a request by its method and path, a named event by its name.
  func brief(_ value: Value, of source: SourceID) -> String {
    if isEndpoint(source), let request = RequestLine(value) {
      return mask.masked(.string(request.text)).plainText
    }
    if let event = NamedEvent(value) { return event.name }
    // Of a server-sent event the data says the most.
    if isConnection(source), let data = value["data"] {
      return text(data, maxLength: timelineValueLength)
    }
    let tellsReason = isState(source) || value["error"] != nil
    return text(value, maxLength: tellsReason ? stateLength : timelineValueLength)
  }

  /// Why a connection ended is what its state is read for.
  private func isState(_ source: SourceID) -> Bool {
    plan.connections.contains { plan.nodes[ifPresent: $0.state]?.source == source }
  }

  func isConnection(_ source: SourceID) -> Bool {
    if case .connection? = plan.sources[ifPresent: source]?.kind { true } else { false }
  }

  private func isEndpoint(_ source: SourceID) -> Bool {
    if case .endpoint? = plan.sources[ifPresent: source]?.kind { true } else { false }
  }
}

/// The first line of a request, as endpoints log requests.
struct RequestLine {
  let text: String

  init?(_ value: Value) {
    guard case .string(let method)? = value["method"], case .string(let path)? = value["path"]
    else { return nil }
    text = method + " " + path
  }
}

/// `first`, `second`, … `10th`.
func ordinal(_ number: Int) -> String {
  let words = [
    "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth",
  ]
  if (1...words.count).contains(number) { return words[number - 1] }
  let isTeen = (11...13).contains(number % 100)
  let endings = [1: "st", 2: "nd", 3: "rd"]
  return "\(number)" + (isTeen ? "th" : endings[number % 10] ?? "th")
}

/// `in turn 3`; of loops inside loops, the outermost first: `in turn 2.3`.
func turnText(_ step: StepReference?) -> String? {
  guard let turns = step?.turns, !turns.isEmpty else { return nil }
  return "in turn " + turns.map(String.init).joined(separator: ".")
}
