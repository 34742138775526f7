import Diagnostics
import ScenarioPlan
import Values

/// One entry of a run's log. The log of all events is the engine's only output, and verdicts depend
/// on it alone.
package struct Event: Sendable {
  /// The id of a source, for rooms that know events and no plan.
  package typealias Source = SourceID

  /// The kinds of events: a closed list in five groups. A reader switches over the groups and looks
  /// into those it cares about. Large and rare cases are indirect, so that events stay small.
  package enum Kind: Sendable {
    case run(RunEvent)
    case source(SourceEvent)
    case script(ScriptEvent)
    case assertion(AssertionEvent)
    case network(NetworkEvent)
  }

  /// The position in the log, from 0.
  package var sequence: EventID
  /// The time on the scenario's clock.
  package var time: Microseconds
  /// The number of the event that led to it.
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
package typealias EventID = ID<Event>

extension EventID {
  /// The first event of a run.
  package static var first: EventID { EventID(0) }
}

package typealias BranchID = ID<Branch>

/// A part of a script that runs beside others. Branches come while a scenario runs, so the plan has
/// no table of them.
package enum Branch {}

extension BranchID {
  /// The scenario's own.
  package static var main: BranchID { BranchID(0) }
}

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
  /// The lines that events have in the trace that is judged; empty in a run.
  package var traceLines: [EventID: Int] = [:]
  private let most: Int
  private var forgotten = 0

  /// Makes a log that keeps at least this many events, and never much more than twice that.
  package init(keeping most: Int = .max / 2) {
    self.most = most
    events.reserveCapacity(32)
  }

  /// The number of events so far.
  package var count: Int { forgotten + events.count }

  /// The place of the next event.
  package var nextID: EventID { EventID(count) }

  package mutating func append(_ event: consuming Event) {
    events.append(event)
    if events.count >= 2 * most { forget(events.count - most) }
  }

  private mutating func forget(_ number: Int) {
    events.removeFirst(number)
    forgotten += number
  }

  /// Returns the event with this number, if it exists and is kept.
  package subscript(sequence: EventID) -> Event? {
    let place = sequence.index - forgotten
    return events.indices.contains(place) ? events[place] : nil
  }

  /// Returns the events before the one with this number, as far as they are kept.
  package func events(before sequence: EventID) -> ArraySlice<Event> {
    events.prefix(max(0, sequence.index - forgotten))
  }
}
