import Diagnostics
import ScenarioPlan
import Traces
import Values

/// The places of captured secrets in the lines of a trace.
struct SecretPlaces {
  private static let mostStepsKept = 1 << 10
  private let sources: [String: SourceID]
  /// By the place of a `request` step that captures secrets of its answer, as lines have it.
  private let steps: [String: SourceRange]
  /// The last of these steps that began, by the numbers of their lines.
  private var begun: [(line: Int, step: SourceRange)] = []
  /// By connection: the step that sent the last request.
  private var asking: [ConnectionKey: SourceRange] = [:]

  /// - Parameter place: Returns `path:line:column` of a place in a scenario.
  init(_ plan: ScenarioPlan, _ place: (SourceRange) -> String?) {
    var steps: [String: SourceRange] = [:]
    for case .answer(_, let step) in plan.secretMatchers.map(\.place) {
      if let text = place(step) { steps[text] = step }
    }
    self.steps = steps
    sources = Dictionary(
      plan.sources.withIDs.map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// Returns what occurred by a line.
  mutating func occurrences(in line: TraceLine) -> [SecretOccurrence] {
    guard let kind = line.knownKind, let json = line.value?.json else { return [] }
    switch kind {
    case .step:
      note(line)
      return []
    case .request:
      if let key = ConnectionKey(line) { asking[key] = step(behind: line.cause) }
      return [.fromClient(json)]
    case .response:
      var found = [answer(line, json)]
      if case .map(let parts) = json, let cookies = parts.cookiesSet {
        found.append(.other(cookies))
      }
      return found
    case .message, .event, .line:
      return [line.from == .client ? .fromClient(json) : .fromServer(json)]
    case .emitted:
      return [line.source.flatMap { sources[$0] }.map { .event($0, json) } ?? .other(json)]
    case .finished, .subscribed, .unsubscribed, .stream, .upgrade, .ping, .pong, .bytes, .goodbye,
      .drop, .reset, .left, .unreachable, .stdin, .signal, .ready, .exit, .now, .branch, .phase,
      .assertion, .read, .idle, .network, .fault, .log, .ignored, .problem, .failure, .listening,
      .pending, .verdict:
      return [.other(json)]
    }
  }

  private mutating func note(_ line: TraceLine) {
    guard let number = line.number, let step = line.at.flatMap({ steps[$0] }) else { return }
    if begun.count >= SecretPlaces.mostStepsKept { begun.removeFirst() }
    begun.append((number, step))
  }

  private func step(behind cause: Int?) -> SourceRange? {
    cause.flatMap { cause in begun.last { $0.line == cause }?.step }
  }

  /// The parts of an answer, by the names that matchers have for them.
  private func answer(_ line: TraceLine, _ json: Value) -> SecretOccurrence {
    guard case .map(var parts) = json else { return .other(json) }
    if let body = parts["body"] {
      parts["json"] = body
      parts["text"] = line.text?.json ?? body
      parts["bytes"] = body
    }
    return .answer(parts, step: ConnectionKey(line).flatMap { asking[$0] })
  }
}

extension ValueMap {
  /// The cookies that the headers of an answer set.
  fileprivate var cookiesSet: Value? {
    guard case .map(let headers)? = self["headers"], let field = headers["set-cookie"] else {
      return nil
    }
    var cookies = ValueMap()
    for line in field.plainTexts {
      let pair = line.prefix { $0 != ";" }
      guard let sign = pair.firstIndex(of: "=") else { continue }
      let name = pair[..<sign].drop { $0 == " " }
      cookies[.string(String(name))] = .string(String(pair[pair.index(after: sign)...]))
    }
    return .map(cookies)
  }
}

extension Value {
  /// A text, or the texts of a list.
  fileprivate var plainTexts: [String] {
    if case .list(let elements) = self { elements.map(\.plainText) } else { [plainText] }
  }
}
