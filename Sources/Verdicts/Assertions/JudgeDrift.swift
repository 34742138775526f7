import Diagnostics
import Events
import ScenarioPlan
import Values

/// The number of drift places that a report shows; the others are counted.
let driftsReported = 5

/// A difference between a real endpoint and its mock.
package struct Drift: Sendable {
  /// The kinds of differences.
  package enum Kind: Sendable {
    /// A request that nothing is written for.
    case unforeseen(UnmatchedRequest)
    case answer(AnswerMismatch)
    /// The next message of a connection, or its opening, differs from the mock's.
    case otherwise(Differences, actual: Value, expected: Value)
    /// The connection ended, or the scenario failed, and this was still to come.
    case missing(MatcherPlan, expected: Value)
    /// A sent message differs from what the mock's script receives.
    case otherMessage(Differences, message: Value, expected: Value, StepReference)
  }

  package var kind: Kind
  package var endpoint: EndpointID
  package var event: EventID
}

/// The identity of a drift. A drift that a repeated request shows again is reported once.
struct DriftPlace: Hashable {
  var range: SourceRange
  var request = ""
}

extension Drift.Kind {
  fileprivate var place: DriftPlace {
    switch self {
    case .unforeseen(let request):
      DriftPlace(
        range: request.closest ?? .none, request: RequestLine(request.request)?.text ?? "")
    case .answer(let answer): DriftPlace(range: answer.differences.pointedAt.range)
    case .otherwise(let differences, _, _), .otherMessage(let differences, _, _, _):
      DriftPlace(range: differences.pointedAt.range)
    case .missing(let matcher, _): DriftPlace(range: matcher.range)
    }
  }
}

/// Judging real endpoints by their mocks. Drift ends no steps.
extension AssertionState {
  mutating func driftObserved(_ driftObserved: DriftObservation, _ event: Event) {
    hasAsserted = true
    if let branch = driftObserved.branch, driftedBranches.contains(branch) { return }
    guard let kind = drift(in: driftObserved.part, event) else { return }
    if let branch = driftObserved.branch { driftedBranches.insert(branch) }
    guard driftPlaces.insert(kind.place).inserted, drifts.count < driftsReported else { return }
    let drift = Drift(kind: kind, endpoint: driftObserved.endpoint, event: event.sequence)
    drifts.append(Failure(kind: .drift(drift), time: event.time))
  }

  private mutating func drift(in part: DriftObservation.Part, _ event: Event) -> Drift.Kind? {
    switch part {
    case .unforeseen(let request): .unforeseen(request)
    case .answer(let exchange, let matcher): drift(in: exchange, matcher, event)
    case .opening(let actual, let matcher), .came(let actual?, let matcher):
      differences(of: actual, from: matcher).map {
        .otherwise($0, actual: actual, expected: slots.shown(matcher))
      }
    case .came(nil, let matcher): .missing(matcher, expected: slots.shown(matcher))
    case .sent(let assertion, let step, let message, let reads):
      drift(in: message, assertion, step, reads, event)
    }
  }

  /// Compares a value with a mock's message. The run has logged the message as constants, so that
  /// no value needs to be looked up.
  private func differences(of value: Value, from matcher: MatcherPlan) -> Differences? {
    // The matcher of an example captures nothing.
    defer { slots.pendingCaptures.removeAll(keepingCapacity: true) }
    return self.matcher.mismatch(of: value, with: matcher).map {
      Differences(first: $0, of: value, with: matcher, by: self.matcher)
    }
  }

  private func drift(
    in exchange: Exchange, _ matcher: MatcherPlan, _ event: Event
  ) -> Drift.Kind? {
    guard case .map(let parts) = matcher.content, let response = exchange.response else {
      return nil
    }
    let answer = response.value(of: parts.map(\.key), in: exchange)
    guard let found = differences(of: answer, from: matcher) else { return nil }
    let isNoJSON = answer["json"] == nil && parts.contains { $0.key == .string("json") }
    return .answer(
      AnswerMismatch(
        differences: found, actual: answer, expected: slots.shown(matcher), isNoJSON: isNoJSON,
        event: event.sequence))
  }

  /// Judges a message that was sent; its captures are kept for messages that the script sends
  /// later.
  private mutating func drift(
    in message: Value, _ assertion: AssertionID, _ step: StepReference, _ reads: [Value],
    _ event: Event
  ) -> Drift.Kind? {
    guard branches.indices.contains(step.branch),
      case .receive(let matcher)? = assertions[ifPresent: assertion]?.kind
    else { return nil }
    let open = OpenAssertion(
      assertion, step, at: event, base: branches[step.branch].base, inputSnapshot: reads)
    guard let mismatch = mismatch(of: message, with: matcher, in: open) else {
      branches[step.branch].capture(slots.pendingCaptures)
      slots.pendingCaptures.removeAll(keepingCapacity: true)
      return nil
    }
    let expected = shown(matcher, in: open)
    let found = differences(mismatch, of: message, with: matcher, in: open)
    return .otherMessage(found, message: message, expected: expected, step)
  }
}
