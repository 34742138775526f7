import Events
import ScenarioPlan
import Values

/// An assertion that a script has reached, and its progress.
///
/// Its properties are read and written one at a time, for each event of a run, so that no two
/// accesses can overlap, and checking for that would take as long as the work.
final class OpenAssertion {
  let assertion: AssertionID
  let step: StepReference
  let openedAt: Microseconds
  @exclusivity(unchecked) var isNever = false
  /// The first event it could have judged; reports show nothing before it.
  @exclusivity(unchecked) var firstEvent: EventID
  /// The time from which the first entry is measured.
  let base: Microseconds
  /// The values that its expressions read, as they were when it was opened.
  @exclusivity(unchecked) var inputSnapshot: [Value]
  @exclusivity(unchecked) var state = State.waiting
  /// The sources an `expect` names, each once.
  @exclusivity(unchecked) var sources: [SourceID] = []
  /// The progress of each source's sequence, in a map.
  @exclusivity(unchecked) var chains: [Chain] = []
  @exclusivity(unchecked) var unfinishedChains = 0
  /// True if one of a map's sources has a diagram.
  @exclusivity(unchecked) var hasMarbles = false
  /// The number of failures before the first difference of a diagram; nil while none differs. The
  /// assertion has failed then, and waits for the diagrams' end, so that a report can draw them.
  @exclusivity(unchecked) var failuresBefore: Int?
  /// The current entry of a list, and the number of its matches.
  @exclusivity(unchecked) var entry = 0
  @exclusivity(unchecked) var repeats = 0
  /// The number of events that this entry's `skip` has passed over.
  @exclusivity(unchecked) var passedOver = 0
  /// True if a later entry's `skip` has passed over an event before its turn.
  @exclusivity(unchecked) var hasPassedEarly = false
  /// The time of the entry before; during a group, of the one before the group.
  @exclusivity(unchecked) var previous: Microseconds
  /// The time at which waiting for the entry began: that of the entry before, or of the opening.
  @exclusivity(unchecked) var waitingSince: Microseconds
  @exclusivity(unchecked) var group: GroupMatching?
  /// True once an `eventually` has evaluated its condition; its `reads` are then the latest ones.
  @exclusivity(unchecked) var hasEvaluated = false

  /// The state of an assertion.
  enum State {
    case waiting, met, failed
    /// It does not hold, and the steps go on.
    case failedSoftly
    /// It does not hold, and the `retry` around it tries again.
    case retried
  }

  /// The progress of one source's sequence.
  struct Chain {
    let source: SourceID
    var next = 0
    var waitingSince: Microseconds
    var isDone = false
    /// Of a diagram: the time of its first tick, and the events it has matched.
    var zero: Microseconds
    var matched: [EventID] = []
    /// Of a diagram: the first difference between it and what came.
    var difference: FirstDifference?

    /// True if nothing that comes can change what is known of the sequence.
    var isDecided: Bool { isDone || difference != nil }
  }

  /// The first difference between a diagram and what came, and when it was noticed. It is an
  /// object, so that the many chains without one stay small.
  final class FirstDifference {
    enum Problem {
      case events(MarbleDifference.Problem, MarblePlan<MatcherPlan>)
      case subscriptions(SubscriptionDifference)
    }

    let problem: Problem
    let time: Microseconds

    init(_ problem: Problem, at time: Microseconds) {
      self.problem = problem
      self.time = time
    }
  }

  init(
    _ assertion: AssertionID, _ step: StepReference, at event: Event, base: Microseconds,
    inputSnapshot: [Value]
  ) {
    self.assertion = assertion
    self.step = step
    openedAt = event.time
    firstEvent = event.sequence
    self.base = base
    self.inputSnapshot = inputSnapshot
    previous = base
    waitingSince = event.time
  }

  /// An entry was matched by an event of this time.
  func matched(at time: Microseconds) {
    previous = time
    waitingSince = max(openedAt, time)
  }
}

/// A later point in time; what lies beyond the clock's end is the clock's end.
package func later(_ time: Microseconds, by span: Microseconds) -> Microseconds {
  let (sum, overflow) = time.addingReportingOverflow(span)
  return overflow ? .max : sum
}
