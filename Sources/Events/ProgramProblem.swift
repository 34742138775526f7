import ScenarioPlan
import Values

/// A problem with a program of the scenario.
package struct ProgramProblem: Sendable {
  package enum Kind: Sendable {
    /// It could not be started, for this reason.
    case notStarted(message: String, help: String)
    case exitedBeforeReady(ProgramEnd)
    case notReady(within: Microseconds)
    /// It ended with an error that no expectation is about.
    case exited(ProgramEnd)
    /// It had ended when this step used it.
    case usedAfterExit(ProgramEnd)
    case inputClosed
    case inputFull(most: Int)
    case lineTooLong(most: Int)
  }

  package var program: ProgramID
  package var kind: Kind
  /// The step that used the program, if one did.
  package var step: StepReference?
  /// The last lines of its standard output and its standard error.
  package var lines: [String]
  package var errors: [String]

  package init(
    _ kind: Kind, of program: ProgramID, step: StepReference? = nil, lines: [String] = [],
    errors: [String] = []
  ) {
    self.kind = kind
    self.program = program
    self.step = step
    self.lines = lines
    self.errors = errors
  }
}

/// The end of a program.
package enum ProgramEnd: Sendable, Equatable {
  case code(Int)
  /// The signal's name without `SIG`.
  case signal(String)

  /// The value of the event.
  package var value: Value {
    switch self {
    case .code(let code): ["code": .int(code)]
    case .signal(let name): ["signal": .string(name)]
    }
  }

  /// Reads the value of an event; nil if it is no end of a program.
  package init?(_ value: Value) {
    guard case .map(let map) = value else { return nil }
    if case .int(let code)? = map["code"] {
      self = .code(code)
    } else if case .string(let name)? = map["signal"] {
      self = .signal(name)
    } else {
      return nil
    }
  }

  package var isSuccess: Bool { self == .code(0) }
}
