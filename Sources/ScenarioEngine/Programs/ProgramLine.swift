import Events
import ScenarioSpec
import Values
import World

/// The reading of what programs write.
enum ProgramLine {
  /// Returns the value of a line: text, decoded if it is a JSON object or array, or bytes if it is
  /// not UTF-8.
  static func value(of line: [UInt8]) -> Value {
    guard let text = String(validating: line, as: UTF8.self) else { return .bytes(line) }
    return payloadValue(text)
  }
}

/// The last lines of a pipe, for reports.
struct LineTail {
  private static let most = 10
  private static let longest = 300
  private(set) var lines: [String] = []

  mutating func append(_ value: Value) {
    if lines.count == LineTail.most { lines.removeFirst() }
    let text =
      if case .string(let text) = value { text } else { value.display(maxLength: LineTail.longest) }
    lines.append(String(text.prefix(LineTail.longest)))
  }
}

extension ProgramEnd {
  init(_ exit: ProgramExit) {
    switch exit {
    case .code(let code): self = .code(code)
    case .signal(let number): self = .signal(signalNames[number] ?? String(number))
    }
  }
}

/// The names of the signals that end programs, by their numbers on Linux.
private let signalNames = [
  1: "HUP", 2: "INT", 3: "QUIT", 4: "ILL", 5: "TRAP", 6: "ABRT", 7: "BUS", 8: "FPE", 9: "KILL",
  10: "USR1", 11: "SEGV", 12: "USR2", 13: "PIPE", 14: "ALRM", 15: "TERM", 16: "STKFLT",
  24: "XCPU", 25: "XFSZ", 26: "VTALRM", 27: "PROF", 29: "IO", 30: "PWR", 31: "SYS",
]

extension StopSignal {
  /// The signal's name without `SIG`.
  var name: String { signalNames[number] ?? String(number) }

  /// The number of the signal on Linux.
  var number: Int {
    switch self {
    case .hangUp: 1
    case .interrupt: 2
    case .quit: 3
    case .kill: 9
    case .user1: 10
    case .user2: 12
    case .terminate: 15
    }
  }
}

extension ProgramStartFailure {
  /// The problem in words, with what to do about it.
  func problem(of command: ProgramCommand) -> ProgramProblem.Kind {
    let name = command.arguments.first ?? ""
    let (message, help) = text(about: name, in: command.folder)
    return .notStarted(message: message, help: help)
  }

  private func text(about name: String, in folder: String) -> (message: String, help: String) {
    switch self {
    case .notFound(let nearest):
      name.contains("/")
        ? ("there is no file `\(name)` in `\(folder)`", "write a path relative to this folder")
        : (
          "no folder of `PATH` has the program `\(name)`",
          nearest.map { "did you mean `\($0)`?" }
            ?? "install it, write its path, or skip the scenario without it: `requires: [\(name)]`"
        )
    case .notExecutable(let path):
      (
        "`\(path)` is not executable",
        "run `chmod +x \(path)`, or start it with its interpreter: `run: [sh, \(path)]`"
      )
    case .isFolder(let path): ("`\(path)` is a folder", "write the path of a program in it")
    case .noInterpreter(let path):
      ("the interpreter in the first line of `\(path)` does not exist", "correct its `#!` line")
    case .unknownFormat(let path):
      (
        "the system cannot execute `\(path)`",
        "begin a script with a line such as `#!/bin/sh`, or start it with its interpreter"
      )
    case .noFolder(let path): ("there is no folder `\(path)`", "correct `folder`")
    case .system(let text): ("`\(name)` cannot be started: \(text)", "is the system out of room?")
    }
  }
}
