import Protocols
import ScenarioPlan
import TextSearch
import World

/// The options of a command line that each of its runs has.
package struct RunOptions: Sendable, Equatable {
  /// The most bytes in the log; nil stands for the usual limit.
  package var logLimit: Int?
  /// The disturbances of the run, each at its place.
  package var disturbances: [Disturbance] = []
  /// True if the run records its snapshots, which replace the old ones.
  package var updatesSnapshots = false
  /// True if the log is to end with all parts of the stage, and whether the run has reached them.
  package var notesParts = false
  /// The most lines of a body that a failure shows; nil stands for the usual number.
  package var bodyLines: Int?
  /// True if credentials that nobody has declared are shown as they are.
  package var showsCredentials = false
  /// True if a run of programs in virtual time is done again, and compared.
  package var isTwice = false

  package init() {}
}

/// The inputs of a run besides its plan.
package struct RunInputs: Sendable {
  package var seed: Int
  /// The row of the scenario's table this run is for.
  package var row: RowPlan?
  /// The row as part of files' names.
  package var rowName: String?
  /// Asked now and then; true ends the steps where they are.
  package var isInterrupted: @Sendable () -> Bool
  /// True if the clock of real time is woken when `isInterrupted` becomes true, so that the steps
  /// need not look for it.
  package var isWokenByInterruption = false
  /// Returns whether an interrupted run has no more time for `finally`.
  package var isOutOfTime: @Sendable () -> Bool = { false }
  /// The initial conditions of the line to each endpoint.
  package var line = LineConditions()
  /// True if the log is to have the places at which something could go wrong.
  package var notesPlaces = false
  /// True if the log is to have the actions that ran when the run ended.
  package var notesActions = false
  package var options = RunOptions()
  /// Reads files for scenarios.
  package var readFile: @Sendable (String) -> Result<[UInt8], FileFailure>
  /// Notes a file that is about to be read.
  package var willRead: (@Sendable (String) -> Void)?
  /// The time limit for the head of a foreign client's request, in microseconds.
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

/// The reason why a file that a scenario names could not be read.
package struct FileFailure: Error {
  package var isMissing: Bool
  package var message: String

  package init(isMissing: Bool, message: String) {
    self.isMissing = isMissing
    self.message = message
  }

  package static let none = FileFailure(isMissing: true, message: "there are no files here")
}
