import Diagnostics
import ScenarioPlan
import Values

/// Something that happened in a run. The log of all events is the engine's only output, and all
/// that a verdict is made from.
package struct Event: Sendable {
  /// What emits, for rooms that know events and no plan.
  package typealias Source = SourceID

  /// What kinds of events there are; a closed list. Those that are large and rare stand apart, so
  /// that the many others are small.
  package enum Kind: Sendable {
    /// The run keeps to the clock on the wall; logged first of all, and in no other run.
    case inWallTime
    /// In wall time: the longest that something ran after it was due.
    case lagged(Microseconds)
    /// A source emitted a value.
    case emitted(SourceID, Value)
    /// A stream came to its end: with this error, or, nil, complete. It emits nothing any more.
    case finished(SourceID, error: Value?)
    /// Somebody subscribed to a stream, or left it; subscriptions of one stream count from 1.
    case subscribed(SourceID, subscription: Int)
    case unsubscribed(SourceID, subscription: Int)
    /// A change is complete, and an invariant reads these values.
    case invariantSampled(InvariantID, reads: [Value])
    /// An acting step began; it begins a span of its branch.
    case stepBegan(StepReference)
    /// The script parted into branches, numbered from `first`.
    case branched(from: BranchID, first: BranchID, count: Int)
    case branchesJoined(into: BranchID)
    /// An assertion was reached; `reads` are the values of its plan's `reads` at that moment.
    case opened(AssertionID, StepReference, reads: [Value])
    /// A `check` or an `eventually` looked at the stage.
    case checked(AssertionID, StepReference, reads: [Value])
    /// The step under `fails` came to its end: with this error, or, nil, without one.
    case attempted(AssertionID, StepReference, error: Value?)
    /// A snapshot was taken; the name of the file it belongs to, and the value.
    indirect case snapshotTaken(AssertionID, StepReference, file: String, value: Value)
    /// A mock accepted a connection; what its script captures belongs to this branch.
    case connectionAccepted(branch: BranchID)
    /// A mock's script took a message of its client, and an assertion says what it is like.
    indirect case received(AssertionID, StepReference, message: Value, reads: [Value])
    /// An endpoint that is served to others did this on one of its connections; logged only where
    /// clients may come that are not ours.
    case served(SourceID, connection: Int, ServerActivity)
    /// A `request` came to its end; `reads` are the values of its assertion's `reads` then.
    indirect case exchanged(AssertionID, StepReference, Exchange, reads: [Value])
    /// What a real endpoint did or was sent, to be held against its mock.
    indirect case driftObserved(DriftObservation)
    /// A fault struck a connection.
    case faulted(Fault)
    /// Nothing is left to do at this instant; the next timer is due then, or there is none.
    /// Logged only while an assertion waits.
    case idle(next: Microseconds?)
    /// These sources need no longer be accounted for.
    case ignored([SourceID])
    /// What went wrong without being an assertion's business.
    indirect case failed(RunProblem)
    /// This was still open when the run ended; logged only where there is any.
    case pendingAtEnd([PendingOperation])
    /// The last step's instant is drained.
    case stepsEnded
    case finallyBegan
    case ended
  }

  /// Its place in the log, from 0.
  package var sequence: EventID
  /// On the scenario's clock.
  package var time: Microseconds
  /// The event that led to it.
  package var cause: EventID?
  package var kind: Kind

  package init(sequence: EventID, time: Microseconds, cause: EventID?, kind: Kind) {
    self.sequence = sequence
    self.time = time
    self.cause = cause
    self.kind = kind
  }
}

/// An event's place in the log of its run.
package typealias EventID = Int

package typealias BranchID = ID<Branch>

/// A part of a script that runs beside others. Branches come while a scenario runs, so the plan has
/// no table of them.
package enum Branch {}

extension BranchID {
  /// The scenario's own.
  package static var main: BranchID { BranchID(0) }
}

/// Which step, in which branch, and in which turn of the loops around it (from 1, outermost first).
package struct StepReference: Sendable {
  package var verb: String
  package var range: SourceRange
  package var branch: BranchID
  package var turns: [Int]
  /// Where the files around it are included, outermost first.
  package var includes: [SourceRange]

  package init(
    verb: String, range: SourceRange, branch: BranchID, turns: [Int], includes: [SourceRange] = []
  ) {
    self.verb = verb
    self.range = range
    self.branch = branch
    self.turns = turns
    self.includes = includes
  }
}

/// Everything that happened in a run, in order; of a run without an end, what happened last.
package struct EventLog: Sendable {
  /// Those that are kept, which in nearly all runs are all.
  package private(set) var events: [Event] = []
  private let most: Int
  private var forgotten = 0

  /// At least so many events are kept, if there are as many, and never much more than twice that.
  package init(keeping most: Int = .max / 2) {
    self.most = most
    events.reserveCapacity(32)
  }

  /// How many there were; the next one has this number.
  package var count: Int { forgotten + events.count }

  package mutating func append(_ event: consuming Event) {
    events.append(event)
    if events.count >= 2 * most { forget(events.count - most) }
  }

  private mutating func forget(_ number: Int) {
    events.removeFirst(number)
    forgotten += number
  }

  /// The event with this number, where there is one and it is kept.
  package subscript(sequence: Int) -> Event? {
    events.indices.contains(sequence - forgotten) ? events[sequence - forgotten] : nil
  }

  /// Those before the one with this number, as far as they are kept.
  package func events(before sequence: Int) -> ArraySlice<Event> {
    events.prefix(max(0, sequence - forgotten))
  }
}
