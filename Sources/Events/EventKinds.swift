import Diagnostics
import ScenarioPlan
import Secrets
import Values
import World

/// The course of a run.
package enum RunEvent: Sendable {
  /// The run keeps to the machine's clock; recorded first of all, and in no other run.
  case inRealTime
  /// Nothing is run: the events are those of a trace. Recorded first of all.
  case tracePlayed(TraceFacts)
  /// The trace has no further event.
  case traceEnded
  /// The values of secret columns and variables that were not known before the run; recorded before
  /// all that may show them, and only if there are any.
  indirect case secretsKnown([Value])
  /// Texts that a step would capture as secrets, as a mock that is served has sent them.
  indirect case secretsCaptured([NamedSecret])
  /// Texts that an expression has computed from secrets, and the name that stands for them.
  indirect case secretsComputed([String], name: String)
  /// In real time: the longest delay between the time a job was due and the time it ran.
  case lagged(Microseconds)
  /// Nothing is left to do at this instant; the next timer is due at `next`, or no timer runs. The
  /// end of time (`.max`) is for what may come from programs and sockets. Recorded only while an
  /// assertion waits.
  case idle(next: Microseconds?)
  /// A problem that is no assertion's business.
  indirect case failed(RunProblem)
  /// The operations that were pending when the run ended; recorded only if there are any.
  case pendingAtEnd([PendingOperation])
  /// The actions that had ended and those that ran when the run ended; recorded only if somebody
  /// asks.
  case actionsAtEnd(ended: [ActionID], running: [ActionID])
  /// The last step's instant is drained.
  case stepsEnded
  case finallyBegan
  /// The run is over, and never used these parts of the stage. If its steps stopped at a failure,
  /// `standstill` is what it still waited for. `parts` are all parts of the stage, if they are
  /// asked for.
  indirect case ended(
    unused: [UnusedPart] = [], standstill: Standstill? = nil, parts: [StagePart]? = nil)
}

/// The events of a source.
package enum SourceEvent: Sendable {
  /// A source emitted a value.
  case emitted(SourceID, Value)
  /// A stream ended with this error, or, if it is nil, completed. It emits nothing any more.
  case finished(SourceID, error: Value?)
  /// A stream got a subscriber; the subscriptions of one stream count from 1.
  case subscribed(SourceID, subscription: Int)
  /// A subscriber left a stream.
  case unsubscribed(SourceID, subscription: Int)
}

/// The course of a script.
package enum ScriptEvent: Sendable {
  /// An acting step began; it begins a span of its branch.
  case stepBegan(StepReference)
  /// The script parted into branches, numbered from `first`.
  case branched(from: BranchID, first: BranchID, count: Int)
  case branchesJoined(into: BranchID)
  /// A `log` step wrote a value for readers.
  indirect case logged(StepReference, Value)
  /// A mock accepted a connection; captures of its script belong to this branch.
  case connectionAccepted(branch: BranchID)
}

/// Everything that assertions are judged by. `reads` are the values of the stage that the
/// assertion's plan reads, at the moment of the event.
package enum AssertionEvent: Sendable {
  /// An assertion was reached.
  case opened(AssertionID, StepReference, reads: [Value])
  /// A `check` or an `eventually` evaluated its condition.
  case checked(AssertionID, StepReference, reads: [Value])
  /// The step under `fails` ended with this error, or, if it is nil, without one.
  case attempted(AssertionID, StepReference, error: Value?)
  /// A snapshot was taken; the name of the file it belongs to, and the value.
  indirect case snapshotTaken(AssertionID, StepReference, file: String, value: Value)
  /// A mock's script took a message of its client, and an assertion says what it must be like.
  indirect case received(AssertionID, StepReference, message: Value, reads: [Value])
  /// A `request` step got its answer, or failed to.
  indirect case exchanged(AssertionID, StepReference, Exchange, reads: [Value])
  /// A change is complete, and invariants read other values than before it. All of them are one
  /// event, so that a thousand invariants do not make a thousand events of each change.
  case invariantsSampled([InvariantSample])
  /// These sources need no longer be accounted for.
  case ignored([SourceID])
}

/// Events between clients and endpoints that no source emits.
package enum NetworkEvent: Sendable {
  /// A served endpoint acted on one of its connections; recorded only if foreign clients may come.
  case served(SourceID, connection: Int, ServerActivity)
  /// A real endpoint did or was sent something that its mock is compared with.
  indirect case driftObserved(DriftObservation)
  /// A fault struck a connection.
  case faulted(Fault)
  /// A piece began to travel between a client and an endpoint; recorded only where something could
  /// go wrong with it, and somebody asks. `timers` are the times at which others wait for
  /// something.
  indirect case pieceSent(PiecePlace, timers: [Microseconds], likeness: PieceLikeness)
  /// There was no network for an attempt to connect, so that nothing travelled; recorded where
  /// places are.
  indirect case unreachable(endpoint: String, connection: Int)
  /// A client left its connection before a piece came that a disturbance delays.
  indirect case pieceUnread(PiecePlace)
  /// A mock that cannot resume answered another time from its beginning: the script of its stream,
  /// or its last answer.
  case answeredAgain(SourceID)
  /// An entry of a mock was for a request and did not answer it, because its `when` had no value.
  indirect case passedOver(SourceID, entry: SourceRange, reason: String)
  /// A client named an event as the last that it has received, and no stream knows it.
  indirect case notResumed(SourceID, entry: SourceRange, id: String)
}

/// The values that an invariant reads after a change.
package struct InvariantSample: Sendable {
  package var invariant: InvariantID
  package var reads: [Value]

  package init(_ invariant: InvariantID, reads: [Value]) {
    self.invariant = invariant
    self.reads = reads
  }
}
