import Events
import ScenarioPlan
import TextSearch
import Values

/// The difference between an answer and its request's `expect`.
package struct AnswerMismatch: Sendable {
  package var differences: Differences
  /// The parts of the answer that are named, and what they should be.
  package var actual: Value
  package var expected: Value
  /// True if the body should be JSON and is not.
  package var isNoJSON: Bool
  package var event: EventID
}

/// Judging the answers to `request` steps.
extension AssertionState {
  mutating func exchanged(
    _ assertion: AssertionID, _ step: StepReference, _ exchange: Exchange, _ reads: [Value],
    _ event: Event
  ) {
    guard branches.indices.contains(step.branch), plan.assertions.indices.contains(assertion),
      case .answer(let expected) = assertions[assertion].kind,
      let response = exchange.response
    else { return }
    if expected.isAssertion {
      assertionsReached += 1
      hasAsserted = true
    }
    branches[step.branch].notBefore = exchange.retryAfter.map { later(exchange.ended, by: $0) } ?? 0
    hideSecrets(
      in: .answer(response.map(of: Exchange.Response.parts, in: exchange), step: step.range))
    let open = OpenAssertion(
      assertion, step, at: event, base: branches[step.branch].base, inputSnapshot: reads)
    branches[step.branch].open = open
    if judgeParts(of: exchange, response, expected, open, event) {
      if let capture = expected.capture {
        branches[step.branch].capture([(capture, response.wholeValue)])
      }
      if expected.isAssertion { close(open, .met) } else { open.state = .met }
    }
  }

  /// Returns whether the answer is as expected; otherwise records the failure.
  private mutating func judgeParts(
    of exchange: Exchange, _ response: Exchange.Response, _ expected: ExpectedAnswerPlan,
    _ open: OpenAssertion, _ event: Event
  ) -> Bool {
    if let matcher = expected.matcher, case .map(let parts) = matcher.content {
      let answer = response.value(of: parts.map(\.key), in: exchange)
      if let mismatch = mismatch(of: answer, with: matcher, in: open) {
        let found = differences(mismatch, of: answer, with: matcher, in: open)
        let isNoJSON = answer["json"] == nil && parts.contains { $0.key == .string("json") }
        let failure = AnswerMismatch(
          differences: found, actual: answer, expected: shown(matcher, in: open),
          isNoJSON: isNoJSON, event: event.sequence)
        fail(open, .unexpectedAnswer(failure), at: event.time)
        return false
      }
      branches[open.step.branch].capture(slots.pendingCaptures)
      slots.pendingCaptures.removeAll(keepingCapacity: true)
    }
    let limit = expected.within.map { timeLimit($0.span, from: exchange.began) }
    if let limit, exchange.ended > limit.end {
      fail(open, .slowAnswer(limit, event: event.sequence), at: event.time)
      return false
    }
    return true
  }
}

extension Exchange.Response {
  /// The parts of an answer that may hold secrets.
  fileprivate static let parts: [Value] = ["headers", "cookies", "json", "text", "bytes", "path"]

  /// The parts of an answer that a matcher names; a body that is no JSON has no such part.
  func value(of parts: [Value], in exchange: Exchange) -> Value {
    .map(map(of: parts, in: exchange))
  }

  func map(of parts: [Value], in exchange: Exchange) -> ValueMap {
    var map = ValueMap(minimumCapacity: parts.count)
    for part in parts {
      switch part {
      case "status": map[part] = .int(status)
      case "headers": map[part] = headersValue
      case "cookies": map[part] = .map(cookies)
      case "json": if let json { map[part] = json }
      case "text": map[part] = textValue
      case "bytes": map[part] = .bytes(body)
      case "path": map[part] = exchange.hops.last.map { .string($0.request.target) }
      case "redirects": map[part] = .int(exchange.hops.count - 1)
      default: break
      }
    }
    return map
  }

  /// The value that `as` captures: the body is `json` if its content type says so, otherwise
  /// `text`.
  var wholeValue: Value {
    var map = ValueMap(minimumCapacity: 3)
    map["status"] = .int(status)
    map["headers"] = headersValue
    if !body.isEmpty {
      if self["content-type"]?.lowercasedASCII.contains("json") == true, let json {
        map["json"] = json
      } else {
        map["text"] = textValue
      }
    }
    return .map(map)
  }

  private var json: Value? {
    let parsed =
      switch reading {
      case .plain: parseJSON(body, refusingDuplicateKeys: true)
      case .decoded(let text): parseJSON(Array(text.utf8), refusingDuplicateKeys: true)
      case .unreadable: Result<Value, JSONProblem>?.none
      }
    if case .success(let value)? = parsed { return value }
    return nil
  }

  /// Bytes that are no text stay bytes, which no matcher for text matches.
  private var textValue: Value { text.map { .string($0) } ?? .bytes(body) }

  /// Names in lower case. A field that comes several times has the list of its values.
  private var headersValue: Value {
    .map(ValueMap(gathering: headers.map { ($0.name.lowercasedASCII, $0.value) }))
  }
}
