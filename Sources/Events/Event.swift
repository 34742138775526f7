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
  /// True for what the script of a mock wrote or emitted.
  package var isOfMock: Bool
  package var kind: Kind

  package init(
    sequence: EventID, time: Microseconds, cause: EventID?, isOfMock: Bool = false, kind: Kind
  ) {
    self.sequence = sequence
    self.time = time
    self.cause = cause
    self.isOfMock = isOfMock
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

/// The log of a run, in order. A run without an end keeps only the last events, and any run only
/// the last ones of sources whose events nothing asks for.
package struct EventLog: Sendable {
  /// The events that are kept; in nearly all runs all of them.
  package private(set) var events: [Event] = []
  /// The lines that events have in the trace that is judged; empty in a run.
  package var traceLines: EventNumbers
  /// The path of that trace.
  package var tracePath: String?
  /// The numbers that events have in the trace that was recorded of the run, if one was.
  package var recordedNumbers: EventNumbers?
  /// The place of the next event.
  package private(set) var nextID = EventID.first
  private let most: Int
  /// The events that are not kept for long and still in the log.
  private var passing = 0
  /// The place of the first of them.
  private var firstPassing = 0
  /// Of events that are not kept for long, so many are in the log, or at most as many again.
  package static let passingKept = 256

  /// Makes a log that keeps at least this many events, and never much more than twice that.
  package init(keeping most: Int = .max / 2) {
    self.most = most
    traceLines = EventNumbers(keeping: max(most, EventNumbers.usuallyKept))
    events.reserveCapacity(32)
  }

  /// The number of events so far.
  package var count: Int { nextID.index }

  package mutating func append(_ event: consuming Event) {
    events.append(event)
    nextID = EventID(nextID.index + 1)
    guard events.count >= 2 * most else { return }
    events.removeFirst(events.count - most)
    // Those that are left and nothing asks for go with the others now.
    passing = 0
  }

  /// Adds an event that nothing asks for. It is forgotten when many such events have followed.
  ///
  /// - Parameter isPassing: Returns whether an event is such a one.
  package mutating func append(
    passing event: consuming Event, _ isPassing: (borrowing Event) -> Bool
  ) {
    if passing == 0 { firstPassing = events.count }
    passing += 1
    append(event)
    if passing >= 2 * EventLog.passingKept { forgetPassing(isPassing) }
  }

  private mutating func forgetPassing(_ isPassing: (borrowing Event) -> Bool) {
    var left = passing - EventLog.passingKept
    var end = firstPassing
    // A buffer moves its elements, where an array would copy what they hold.
    events.withUnsafeMutableBufferPointer { events in
      for place in firstPassing..<events.count {
        if left > 0, isPassing(events[place]) {
          left -= 1
          if left == 0 { firstPassing = end }
        } else {
          if place != end { events.swapAt(place, end) }
          end += 1
        }
      }
    }
    events.removeLast(events.count - end)
    passing = EventLog.passingKept
  }

  /// Returns the event with this number, if it exists and is kept.
  package subscript(sequence: EventID) -> Event? {
    let place = self.place(of: sequence)
    guard place < events.count, events[place].sequence == sequence else { return nil }
    return events[place]
  }

  /// Returns the events before the one with this number, as far as they are kept.
  package func events(before sequence: EventID) -> ArraySlice<Event> {
    events.prefix(place(of: sequence))
  }

  /// Returns the place of the first event that is not before a number.
  private func place(of sequence: EventID) -> Int {
    guard let first = events.first?.sequence.index else { return 0 }
    let direct = sequence.index - first
    if events.indices.contains(direct), events[direct].sequence == sequence { return direct }
    var (low, high) = (0, events.count)
    while low < high {
      let middle = (low + high) / 2
      if events[middle].sequence < sequence { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

/// The numbers that the lines of a trace have, by event. Only the last ones are kept, unless all
/// are asked for: a run may have no end.
package struct EventNumbers: Sendable {
  fileprivate static let usuallyKept = 1 << 16
  private let most: Int
  /// Zero for an event without a line.
  private var numbers: [Int] = []
  private var forgotten = 0

  package init(keeping most: Int = usuallyKept) { self.most = most }

  package mutating func set(_ event: EventID, _ number: Int) {
    if numbers.count >= 2 * most {
      numbers.removeFirst(most)
      forgotten += most
    }
    let place = event.index - forgotten
    guard place >= 0 else { return }
    while numbers.count <= place { numbers.append(0) }
    numbers[place] = number
  }

  package subscript(event: EventID) -> Int? {
    let place = event.index - forgotten
    guard numbers.indices.contains(place), numbers[place] != 0 else { return nil }
    return numbers[place]
  }
}
