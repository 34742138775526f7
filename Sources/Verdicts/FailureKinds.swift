import Events
import ScenarioPlan
import Values

extension Failure {
  /// Events that did not come as an assertion says, or that came unexpected.
  package indirect enum UnmetExpectation: Sendable {
    /// The next event of a source is not the one expected.
    case mismatch(Awaited, Differences, event: EventID)
    /// An event came before its turn; its own entry is the one at `turn`, from 1.
    case outOfOrder(Awaited, event: EventID, turn: Int)
    /// The event came, but not when it was due.
    case wrongTime(Awaited, event: EventID, TimeLimit)
    /// The event came, but after the time allowed.
    case tooLate(Awaited, event: EventID, TimeLimit)
    /// The event did not come in time; other sources are awaited as well.
    case timeout(Awaited, TimeLimit, others: [Awaited])
    /// The event cannot come any more.
    case nothingLeft([Awaited])
    /// The event cannot come any more, since the stream came to its end with this event.
    case streamEnded(Awaited, event: EventID)
    /// An event did not lead to what it must lead to.
    case unanswered(Unanswered)
    /// A source was not silent, or emitted what it must not.
    case broken(NeverEntryPlan, forbidden: Value?, event: EventID)
    /// The time of an assertion reaches beyond the end of the trace.
    case traceTooShort(UnfinishedWait)
    /// The trace does not have the end of a complete one.
    case traceIncomplete(IncompleteTrace)
    /// Events of watched sources were never expected.
    case unaccounted([Leftovers])

    /// The event that was judged wrong.
    var event: EventID? {
      switch self {
      case .mismatch(_, _, let event), .outOfOrder(_, let event, _), .wrongTime(_, let event, _),
        .tooLate(_, let event, _), .broken(_, _, let event), .streamEnded(_, let event):
        event
      case .unanswered(let unanswered): unanswered.event
      case .timeout, .nothingLeft, .traceTooShort, .traceIncomplete, .unaccounted: nil
      }
    }
  }

  /// A stream that is not as it was drawn.
  package indirect enum Diagram: Sendable {
    /// A source's events are not as in a diagram.
    case marble(MarbleDifference)
    /// A stream was not subscribed to as in the diagrams.
    case subscriptions(SubscriptionDifference)

    /// The event that was judged wrong.
    var event: EventID? {
      switch self {
      case .marble(let difference): difference.event
      case .subscriptions: nil
      }
    }
  }

  /// Values of the stage that are not as an assertion says.
  package indirect enum State: Sendable {
    /// An invariant is broken: an `always` that does not hold, or a `never` that does.
    case invariant(InvariantID, ConditionReading)
    /// An invariant about events, or about a value that stays, is broken.
    case brokenInvariant(BrokenInvariant)
    case check(ConditionReading)
    case eventually(ConditionReading?, TimeLimit, nothingLeft: Bool)
    /// The `until` of a `retry` did not hold in this time.
    case gaveUp(ConditionReading, RetryState, span: Microseconds)
    /// The `failIf` of a `retry` holds, so that more tries are useless.
    case aborted(ConditionReading, RetryState)
    /// A value is not as it was recorded.
    case snapshot(SnapshotProblem)
  }

  /// A step under `fails` that ended otherwise.
  package indirect enum StepResult: Sendable {
    /// The step did not fail.
    case stepSucceeded
    /// The step failed in another way.
    case errorMismatch(Differences, error: Value, expected: Value)
  }

  /// A message or an end of the other side of a connection that is not as expected.
  package indirect enum Conversation: Sendable {
    /// A message that a mock received is not the one its script waits for.
    case otherMessage(Differences, message: Value, expected: Value)
    /// An answer is not as its request expects.
    case unexpectedAnswer(AnswerMismatch)
    /// An answer took too long.
    case slowAnswer(TimeLimit, event: EventID)

    /// The event that was judged wrong.
    var event: EventID? {
      switch self {
      case .unexpectedAnswer(let answer): answer.event
      case .slowAnswer(_, let event): event
      case .otherMessage: nil
      }
    }
  }
}

/// Makes a failure of each kind, so that the judge need not know its topic.
extension Failure.Kind {
  static func mismatch(
    _ awaited: Awaited, _ differences: Differences, event: EventID
  ) -> Failure.Kind {
    .expectation(.mismatch(awaited, differences, event: event))
  }

  static func outOfOrder(_ awaited: Awaited, event: EventID, turn: Int) -> Failure.Kind {
    .expectation(.outOfOrder(awaited, event: event, turn: turn))
  }

  static func wrongTime(_ awaited: Awaited, event: EventID, _ due: TimeLimit) -> Failure.Kind {
    .expectation(.wrongTime(awaited, event: event, due))
  }

  static func tooLate(_ awaited: Awaited, event: EventID, _ limit: TimeLimit) -> Failure.Kind {
    .expectation(.tooLate(awaited, event: event, limit))
  }

  static func timeout(
    _ awaited: Awaited, _ limit: TimeLimit, others: [Awaited]
  ) -> Failure.Kind {
    .expectation(.timeout(awaited, limit, others: others))
  }

  static func nothingLeft(_ awaited: [Awaited]) -> Failure.Kind {
    .expectation(.nothingLeft(awaited))
  }

  static func streamEnded(_ awaited: Awaited, event: EventID) -> Failure.Kind {
    .expectation(.streamEnded(awaited, event: event))
  }

  static func unanswered(_ unanswered: Unanswered) -> Failure.Kind {
    .expectation(.unanswered(unanswered))
  }

  static func broken(
    _ entry: NeverEntryPlan, forbidden: Value?, event: EventID
  ) -> Failure.Kind {
    .expectation(.broken(entry, forbidden: forbidden, event: event))
  }

  static func traceTooShort(_ wait: UnfinishedWait) -> Failure.Kind {
    .expectation(.traceTooShort(wait))
  }

  static func unaccounted(_ leftovers: [Leftovers]) -> Failure.Kind {
    .expectation(.unaccounted(leftovers))
  }

  static func marble(_ difference: MarbleDifference) -> Failure.Kind {
    .diagram(.marble(difference))
  }

  static func subscriptions(_ difference: SubscriptionDifference) -> Failure.Kind {
    .diagram(.subscriptions(difference))
  }

  static func invariant(_ invariant: InvariantID, _ look: ConditionReading) -> Failure.Kind {
    .state(.invariant(invariant, look))
  }

  static func brokenInvariant(_ broken: BrokenInvariant) -> Failure.Kind {
    .state(.brokenInvariant(broken))
  }

  static func check(_ look: ConditionReading) -> Failure.Kind { .state(.check(look)) }

  static func eventually(
    _ look: ConditionReading?, _ limit: TimeLimit, nothingLeft: Bool
  ) -> Failure.Kind {
    .state(.eventually(look, limit, nothingLeft: nothingLeft))
  }

  static func gaveUp(
    _ look: ConditionReading, _ retry: RetryState, span: Microseconds
  ) -> Failure.Kind {
    .state(.gaveUp(look, retry, span: span))
  }

  static func aborted(_ look: ConditionReading, _ retry: RetryState) -> Failure.Kind {
    .state(.aborted(look, retry))
  }

  static func snapshot(_ problem: SnapshotProblem) -> Failure.Kind { .state(.snapshot(problem)) }

  static var stepSucceeded: Failure.Kind { .step(.stepSucceeded) }

  static func errorMismatch(
    _ differences: Differences, error: Value, expected: Value
  ) -> Failure.Kind {
    .step(.errorMismatch(differences, error: error, expected: expected))
  }

  static func otherMessage(
    _ differences: Differences, message: Value, expected: Value
  ) -> Failure.Kind {
    .conversation(.otherMessage(differences, message: message, expected: expected))
  }

  static func unexpectedAnswer(_ answer: AnswerMismatch) -> Failure.Kind {
    .conversation(.unexpectedAnswer(answer))
  }

  static func slowAnswer(_ limit: TimeLimit, event: EventID) -> Failure.Kind {
    .conversation(.slowAnswer(limit, event: event))
  }
}
