import Events
import Protocols
import ScenarioPlan
import World

/// What a run is given besides its plan.
package struct RunInputs: Sendable {
  package var seed: Int
  /// The row of the scenario's table this run is for.
  package var row: RowPlan?
  /// The row as part of files' names.
  package var rowName: String?
  /// Asked now and then; true ends the run where it is.
  package var isInterrupted: @Sendable () -> Bool
  /// How the line to each endpoint is at the start.
  package var line = LineConditions()
  /// The door to files that scenarios read.
  package var readFile: @Sendable (String) -> Result<[UInt8], FileFailure>

  /// Set where the endpoints are served to clients that are not ours.
  package var serving: Serving?
  /// How long the head of such a client's request may take to arrive.
  package var requestHeadTimeout = HTTPLimits.headTime

  package init(
    seed: Int, row: RowPlan? = nil, isInterrupted: @escaping @Sendable () -> Bool = { false },
    readFile: @escaping @Sendable (String) -> Result<[UInt8], FileFailure> = { _ in .failure(.none)
    }
  ) {
    self.readFile = readFile
    self.seed = seed
    self.row = row
    self.isInterrupted = isInterrupted
  }
}

/// How long endpoints are served to others.
package enum Serving: Sendable {
  case untilStepsEnd
  /// Nothing but an interruption or a limit ends it; what fails is noted, and serving goes on.
  case untilInterrupted
}

/// Why a file that a scenario names could not be read.
package struct FileFailure: Error {
  package var isMissing: Bool
  package var message: String

  package init(isMissing: Bool, message: String) {
    self.isMissing = isMissing
    self.message = message
  }

  package static let none = FileFailure(isMissing: true, message: "there are no files here")
}

extension RunInputs {
  /// Where the events of a run go; one without an end keeps only the last.
  package var emptyLog: EventLog {
    serving == .untilInterrupted ? EventLog(keeping: Limits.eventsKept) : EventLog()
  }
}
