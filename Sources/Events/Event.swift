import Diagnostics
import ScenarioPlan
import Values

/// Something that happened in a run. The log of all events is the engine's only output, and all
/// that a verdict is made from.
package struct Event: Sendable {
  /// What emits, for rooms that know events and no plan.
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
