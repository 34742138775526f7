import Diagnostics
import Events
import ScenarioPlan
import Values

/// The reason why a scenario failed, as data. Only `Verdict` puts it into words.
package struct Failure: Sendable {
  /// The topics of failures. Each has its own cases, so that a reader of one topic need not know
  /// the others.
  package enum Kind: Sendable {
    case expectation(UnmetExpectation)
    case diagram(Diagram)
    case state(State)
    case step(StepResult)
    case conversation(Conversation)
    /// A real endpoint is not as its mock.
    indirect case drift(Drift)
    indirect case problem(RunProblem)
  }

  package var kind: Kind
  package var time: Microseconds
  package var step: StepReference?
  package var assertion: AssertionID?
  /// The first event the assertion could have judged.
  package var firstEvent = EventID.first
  /// The event that shows the problem.
  package var origin: EventID?
  /// The tries of the `retry` whose last one failed so.
  package var tries: Tries?

  /// The number of the tries of a `retry`, and when they took place.
  package struct Tries: Sendable {
    package var count: Int
    package var began: Microseconds
    package var ended: Microseconds
  }

  /// The step in which a problem arose.
  var problemStep: StepReference? {
    guard case .problem(let problem) = kind else { return nil }
    switch problem {
    case .evaluation(_, let step): return step
    case .stepFailed(let step, _), .endlessWait(let step), .requestFailed(let step, _, _, _):
      return step
    case .interrupted(let step): return step
    case .program(let problem): return problem.step
    case .unmatchedRequest(let request): return request.traced?.step
    case .actionFailed, .limit, .subject: return nil
    }
  }

  /// True if something that was awaited did not come.
  var lacksEvent: Bool {
    switch kind {
    case .expectation(.nothingLeft), .expectation(.timeout), .state(.eventually): true
    case .expectation, .diagram, .state, .step, .conversation, .drift, .problem: false
    }
  }

  /// True if the report shows diagrams of the events.
  var hasDiagrams: Bool { if case .diagram = kind { true } else { false } }

  /// The events that the report of the failure shows as part of it.
  var shownEvents: [EventID] {
    if case .diagram(.marble(let difference)) = kind { return difference.seen.map(\.event) }
    return event.map { [$0] } ?? []
  }

  /// The event that was judged wrong.
  package var event: EventID? {
    switch kind {
    case .expectation(let expectation): expectation.event
    case .diagram(let diagram): diagram.event
    case .conversation(let conversation): conversation.event
    case .drift(let drift): drift.event
    case .state, .step, .problem: nil
    }
  }
}

/// The parts of a value that are not as a matcher says.
package struct Differences: Sendable {
  /// The first mismatch, at which matching ended.
  package var first: Mismatch
  /// All of them, as far as they are listed.
  package var listed: [Mismatch]
  package var count: Int

  /// The mismatch that the excerpt points at: the only one, or the first.
  var pointedAt: Mismatch { listed.first ?? first }
}

/// A point in time, set as a span after another one.
package struct TimeLimit: Sendable {
  package var base: Microseconds
  package var span: Microseconds
  /// The delay that is still in time, because real time is not exact.
  package var slack: Microseconds = 0

  var time: Microseconds { later(base, by: span) }
  /// The last moment that is in time.
  var end: Microseconds { later(time, by: slack) }
}

/// An entry of an `expect` that an event was compared with, or that is still awaited.
package struct Awaited: Sendable {
  package var source: SourceID
  /// The place that names the source.
  package var range: SourceRange
  /// The range of the matcher.
  package var matcherRange: SourceRange
  /// The value that the matcher expects, with its expressions evaluated.
  package var expected: Value
  /// The number of the entry, from 1; `count` is the number of entries.
  package var position: Int
  package var count: Int
  /// With `times`: which of how many.
  package var repetition: (number: Int, of: Int)?
  /// With `skip`: how many events were passed over.
  var passedOver = 0
  /// The time at which waiting for it began.
  package var since: Microseconds
  /// True if `position` counts the events of this source alone, as in a map.
  package var isOfSource: Bool
}

/// An event that an invariant says is followed by others, and was not.
package struct Unanswered: Sendable {
  package var invariant: InvariantID
  package var event: EventID
  package var limit: TimeLimit?
  /// The awaited events: the source, and the value that its matcher expects.
  package var awaited: [(source: SourceID, expected: Value)]
  /// The event that would have answered it, and came too late.
  package var answer: EventID?
  /// True if the trace ends before the limit and may have been cut, so that the event may still
  /// have been answered.
  package var isUndecided = false
}

/// The result of a condition of `check` or `eventually`, and each value that it read.
package struct ConditionReading: Sendable {
  package var expression: SourceRange
  package var result: Result<Value, EvaluationFailure>
  package var values: [ReadValue]
  /// The texts whose comparison made it false.
  package var unequalTexts: (String, String)?
}

extension ConditionReading {
  /// An expression that has no value.
  init(noValue failure: EvaluationFailure) {
    self.init(expression: failure.range, result: .failure(failure), values: failure.values)
  }
}

/// The events of one watched source that no expectation has accounted for.
package struct Leftovers: Sendable {
  package var source: SourceID
  package var events: [EventID]
}
