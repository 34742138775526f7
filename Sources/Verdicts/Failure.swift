import Diagnostics
import Events
import ScenarioPlan
import Values

/// Why a scenario failed, as data; it is put into words by `Verdict` and nowhere else.
package struct Failure: Sendable {
  package indirect enum Kind: Sendable {
    /// The next event of a source is not the one expected.
    case mismatch(Awaited, Differences, event: Int)
    /// An event came before its turn; its own entry is the one at `turn`, from 1.
    case outOfOrder(Awaited, event: Int, turn: Int)
    /// The event came, but not when it was due.
    case wrongTime(Awaited, event: Int, TimeLimit)
    /// The event came, but after the time allowed.
    case tooLate(Awaited, event: Int, TimeLimit)
    /// The event did not come in time; other sources are awaited as well.
    case timeout(Awaited, TimeLimit, others: [Awaited])
    /// The event cannot come any more.
    case nothingLeft([Awaited])
    /// The event cannot come any more, since the stream came to its end with this event.
    case streamEnded(Awaited, event: Int)
    /// A source's events are not as in a diagram.
    case marble(MarbleDifference)
    /// A stream was not subscribed to as in the diagrams.
    case subscriptions(SubscriptionDifference)
    /// What must hold always does not, or what must never hold does.
    case invariant(InvariantID, ConditionReading)
    /// An event did not lead to what it must lead to.
    case unanswered(Unanswered)
    /// A source was not silent, or emitted what it must not.
    case broken(NeverEntryPlan, forbidden: Value?, event: Int)
    case check(ConditionReading)
    case eventually(ConditionReading?, TimeLimit, nothingLeft: Bool)
    /// What steps were tried for did not come to hold in this time.
    case gaveUp(ConditionReading, RetryState, span: Microseconds)
    /// What makes every further try useless holds.
    case aborted(ConditionReading, RetryState)
    /// A value is not as it was recorded.
    case snapshot(SnapshotProblem)
    /// The step under `fails` did not fail.
    case stepSucceeded
    /// The step under `fails` failed in another way.
    case errorMismatch(Differences, error: Value, expected: Value)
    /// A message that a mock received is not the one its script waits for.
    case otherMessage(Differences, message: Value, expected: Value)
    /// An answer is not as its request expects.
    case unexpectedAnswer(AnswerMismatch)
    /// An answer took too long.
    case slowAnswer(TimeLimit, event: Int)
    /// A real endpoint is not as its mock.
    case drift(Drift)
    /// Events of watched sources were never expected.
    case unaccounted([Leftovers])
    case problem(RunProblem)
  }

  package var kind: Kind
  package var time: Microseconds
  package var step: StepReference?
  package var assertion: AssertionID?
  /// The first event the assertion could have judged.
  package var firstEvent = 0
  /// The event that told of a problem.
  package var origin: Int?

  /// The step in which a problem arose.
  var problemStep: StepReference? {
    guard case .problem(let problem) = kind else { return nil }
    switch problem {
    case .evaluation(_, _, let step): return step
    case .stepFailed(let step, _), .endlessWait(let step), .requestFailed(let step, _, _, _):
      return step
    case .interrupted(let step): return step
    case .unmatchedRequest, .actionFailed, .limit: return nil
    }
  }

  /// Whether it is told by diagrams of the events.
  var hasDiagrams: Bool {
    switch kind {
    case .marble, .subscriptions: true
    case .mismatch, .outOfOrder, .wrongTime, .tooLate, .timeout, .nothingLeft, .streamEnded,
      .invariant, .unanswered, .broken, .check, .eventually, .gaveUp, .aborted, .snapshot,
      .stepSucceeded, .errorMismatch, .otherMessage, .drift, .unaccounted, .problem,
      .unexpectedAnswer, .slowAnswer:
      false
    }
  }

  /// The event that was judged wrong.
  package var event: Int? {
    switch kind {
    case .mismatch(_, _, let event), .outOfOrder(_, let event, _), .wrongTime(_, let event, _),
      .tooLate(_, let event, _), .broken(_, _, let event), .streamEnded(_, let event):
      event
    case .marble(let difference): difference.event
    case .unanswered(let unanswered): unanswered.event
    case .unexpectedAnswer(let answer): answer.event
    case .slowAnswer(_, let event): event
    case .drift(let drift): drift.event
    case .timeout, .nothingLeft, .subscriptions, .invariant, .check, .eventually, .gaveUp,
      .aborted, .snapshot, .stepSucceeded, .errorMismatch, .otherMessage, .unaccounted, .problem:
      nil
    }
  }
}

/// The parts of a value that are not as a matcher says.
package struct Differences: Sendable {
  /// Where matching ended.
  package var first: Mismatch
  /// All of them, as far as they are listed.
  package var listed: [Mismatch]
  package var count: Int

  /// What is pointed at in the text: the only difference, or the first.
  var pointedAt: Mismatch { listed.first ?? first }
}

/// A point in time that was set: so much time after some other.
package struct TimeLimit: Sendable {
  package var base: Microseconds
  package var span: Microseconds

  var time: Microseconds { later(base, by: span) }
}

/// An entry of an `expect` that something was held against, or that is still awaited.
package struct Awaited: Sendable {
  package var source: SourceID
  /// Where the source is named.
  package var range: SourceRange
  /// The range of the matcher.
  package var matcherRange: SourceRange
  /// What the matcher wants, its expressions worked out.
  package var expected: Value
  /// Which entry it is, from 1, of how many.
  package var position: Int
  package var count: Int
  /// With `times`: which of how many.
  package var repetition: (number: Int, of: Int)?
  /// With `skip`: how many events were passed over.
  var passedOver = 0
  /// When waiting for it began.
  package var since: Microseconds
  /// Whether `position` counts events of this source alone, as in a map.
  package var isOfSource: Bool
}

/// An event that an invariant says is followed by others, and was not.
package struct Unanswered: Sendable {
  package var invariant: InvariantID
  package var event: Int
  package var limit: TimeLimit?
  /// What was awaited: the source, and what its matcher wants.
  package var awaited: [(source: SourceID, expected: Value)]
}

/// What a `check` or an `eventually` saw: the expression's result and each value it looked at.
package struct ConditionReading: Sendable {
  package var expression: SourceRange
  package var result: Result<Value, EvaluationFailure>
  package var values: [(slot: SlotID, value: Value)]
  /// The addresses in it, as it spells them.
  package var addresses: [String]
}

/// The events of one watched source that no expectation has accounted for.
package struct Leftovers: Sendable {
  package var source: SourceID
  package var events: [Int]
}
