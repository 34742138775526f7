import Diagnostics
import Values

/// A process that the scenario starts and ends.
package struct ProgramSpec: Sendable {
  package var name: Located<String>
  /// The program and its arguments.
  package var run: [DataSpec] = []
  package var environment: [NamedData] = []
  /// The folder that it runs in; nil stands for the folder of the scenario's file.
  package var folder: DataSpec?
  package var ready: ReadinessSpec?
  package var sources: [(name: Located<String>, initial: DataSpec?)] = []
  package var signal: StopSignal?
  package var stopTimeout: Microseconds?

  package init(name: Located<String>) { self.name = name }
}

/// The sign by which a program is ready.
package struct ReadinessSpec: Sendable {
  package enum Sign: Sendable {
    case line(MatcherSpec)
    case port(DataSpec)
    case url(DataSpec)
  }

  package var sign: Sign
  package var timeout: Microseconds?
  package var range: SourceRange
}

/// A signal that asks a program to end.
package enum StopSignal: String, Sendable, CaseIterable {
  case terminate = "TERM"
  case interrupt = "INT"
  case hangUp = "HUP"
  case quit = "QUIT"
  case user1 = "USR1"
  case user2 = "USR2"
  case kill = "KILL"
}
