import Diagnostics
import ScenarioSpec
import Values

package typealias ProgramID = ID<ProgramPlan>

/// A process that the scenario starts and ends.
package struct ProgramPlan: Sendable {
  package var name: String
  /// The lines of its standard output.
  package var lines: SourceID
  /// The lines of its standard error.
  package var errors: SourceID
  package var exit: SourceID
  package var sources: [Source] = []
  /// The program and its arguments.
  package var run: [DataPlan] = []
  package var environment: [(name: String, value: DataPlan)] = []
  /// The folder that it runs in, relative to `folderOfFile`.
  package var folder: DataPlan?
  package var folderOfFile: String
  package var ready: ReadinessPlan?
  package var stop = StopPlan()
  package var range: SourceRange

  /// A source that the program feeds with report lines.
  package struct Source: Sendable {
    package var name: String
    package var source: SourceID
    package var initial: DataPlan
  }
}

/// The role of a source of a program.
package enum ProgramSourceKind: Sendable, Equatable {
  case lines, errors, exit, declared
}

/// The protocol that an address of an endpoint names.
package enum AddressKind: Sendable, Hashable, CaseIterable {
  case http, webSocket

  /// The word behind the endpoint's name in an expression.
  package var word: String {
    switch self {
    case .http: "url"
    case .webSocket: "webSocket"
    }
  }
}

/// The sign by which a program is ready.
package struct ReadinessPlan: Sendable {
  package enum Sign: Sendable {
    case line(MatcherPlan, reads: [SlotID])
    case port(DataPlan)
    case url(DataPlan)
  }

  package var sign: Sign
  package var timeout: Microseconds
  package var range: SourceRange

  package static let defaultTimeout: Microseconds = 30_000_000
}

/// The way in which a program is ended.
package struct StopPlan: Sendable {
  package var signal = StopSignal.terminate
  /// How long it has to end before it is killed.
  package var timeout: Microseconds = 5_000_000

  package init() {}
}
