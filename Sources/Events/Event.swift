import Diagnostics
import ScenarioPlan
import Values

/// One entry of a run's log. The log of all events is the engine's only output, and verdicts depend
/// on it alone.
package struct Event: Sendable {
  /// The kinds of events; a closed list. Large and rare ones are indirect, so that the many others
  /// are small.
  package enum Kind: Sendable {
    /// The run uses real time; the first event of such a run, and of no other.
    case inWallTime
    /// In real time: the longest delay of a job after it was due.
    case lagged(Microseconds)
    /// A source emitted a value.
    case emitted(SourceID, Value)
    /// A stream ended: with this error, or completed if nil. It emits nothing any more.
    case finished(SourceID, error: Value?)
    /// A subscription to a stream began or ended; subscriptions of one stream count from 1.
    case subscribed(SourceID, subscription: Int)
    case unsubscribed(SourceID, subscription: Int)
    /// A change is complete, and an invariant reads these values.
    case invariantSampled(InvariantID, reads: [Value])
    /// An acting step began, and with it a new span of its branch.
    case stepBegan(StepReference)
    /// The script split into branches, numbered from `first`.
    case branched(from: BranchID, first: BranchID, count: Int)
    case branchesJoined(into: BranchID)
    /// The script reached an assertion; `reads` are the values of its plan's `reads` at that
    /// moment.
    case opened(AssertionID, StepReference, reads: [Value])
    /// A `check` or an `eventually` read the stage.
    case checked(AssertionID, StepReference, reads: [Value])
    /// The step under `fails` ended: with this error, or without one if nil.
    case attempted(AssertionID, StepReference, error: Value?)
    /// A snapshot was taken: the name of its file, and the value.
    indirect case snapshotTaken(AssertionID, StepReference, file: String, value: Value)
    /// A mock accepted a connection; captures of its script belong to this branch.
    case connectionAccepted(branch: BranchID)
    /// A mock's script received a message of its client, and an assertion describes it.
    indirect case received(AssertionID, StepReference, message: Value, reads: [Value])
    /// A served endpoint did this on one of its connections; logged only if clients from outside
    /// may connect.
    case served(SourceID, connection: Int, ServerActivity)
    /// A `request` ended; `reads` are the values of its assertion's `reads` then.
    indirect case exchanged(AssertionID, StepReference, Exchange, reads: [Value])
    /// An observation of a real endpoint, to compare with its mock.
    indirect case driftObserved(DriftObservation)
    /// A fault struck a connection.
    case faulted(Fault)
    /// Nothing is left to do at this instant; the next timer is due at `next`, or there is none.
    /// Logged only while an assertion waits.
    case idle(next: Microseconds?)
    /// These sources are no longer watched.
    case ignored([SourceID])
    /// A failure that belongs to no assertion.
    indirect case failed(RunProblem)
    /// The operations that were still open when the run ended; logged only if there are any.
    case pendingAtEnd([PendingOperation])
    /// The last step's instant is drained.
    case stepsEnded
    case finallyBegan
    case ended
  }

  /// The position in the log, from 0.
  package var sequence: Int
  /// The time on the scenario's clock.
  package var time: Microseconds
  /// The number of the event that led to it.
  package var cause: Int?
  package var kind: Kind

  package init(sequence: Int, time: Microseconds, cause: Int?, kind: Kind) {
    self.sequence = sequence
    self.time = time
    self.cause = cause
    self.kind = kind
  }
}

/// A branch of a script; 0 is the scenario's own.
package typealias BranchID = Int

/// A step, its branch, and the turns of the loops around it (from 1, outermost first).
package struct StepReference: Sendable {
  package var verb: String
  package var range: SourceRange
  package var branch: BranchID
  package var turns: [Int]
  /// The places of the `include` steps around it, outermost first.
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

/// The log of a run, in order. A run without an end keeps only the last events.
package struct EventLog: Sendable {
  /// The events that are kept; in nearly all runs all of them.
  package private(set) var events: [Event] = []
  private let most: Int
  private var forgotten = 0

  /// Makes a log that keeps at least this many events, and never much more than twice that.
  package init(keeping most: Int = .max / 2) {
    self.most = most
    events.reserveCapacity(32)
  }

  /// The number of events so far, which is the number of the next one.
  package var count: Int { forgotten + events.count }

  package mutating func append(_ event: consuming Event) {
    events.append(event)
    if events.count >= 2 * most { forget(events.count - most) }
  }

  private mutating func forget(_ number: Int) {
    events.removeFirst(number)
    forgotten += number
  }

  /// Returns the event with this number, if it exists and is kept.
  package subscript(sequence: Int) -> Event? {
    events.indices.contains(sequence - forgotten) ? events[sequence - forgotten] : nil
  }

  /// Returns the events before the one with this number, as far as they are kept.
  package func events(before sequence: Int) -> ArraySlice<Event> {
    events.prefix(max(0, sequence - forgotten))
  }
}
