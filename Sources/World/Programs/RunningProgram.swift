/// A program to start: its arguments, the first of which names it, and its surroundings.
package struct ProgramCommand: Sendable {
  package var arguments: [String]
  /// The variables that are added to the environment of this process.
  package var environment: [(name: String, value: String)]
  /// The folder in which the program runs.
  package var folder: String

  package init(
    arguments: [String], environment: [(name: String, value: String)] = [], folder: String
  ) {
    self.arguments = arguments
    self.environment = environment
    self.folder = folder
  }
}

/// A pipe on which a program writes.
package enum ProgramPipe: Sendable, Equatable {
  case output, errors
}

/// The end of a program.
package enum ProgramExit: Sendable, Equatable {
  case code(Int)
  /// A signal ended it, by its number.
  case signal(Int)
}

/// An event of a running program.
package enum ProgramEvent: Sendable, Equatable {
  case received(ProgramPipe, [UInt8])
  /// Nothing more will arrive on the pipe.
  case ended(ProgramPipe)
  case exited(ProgramExit)
}

/// The reason why a program did not start.
package enum ProgramStartFailure: Error, Equatable, Sendable {
  /// There is no such program; the nearest name on the search path.
  case notFound(nearest: String?)
  /// The file is not executable.
  case notExecutable(path: String)
  /// The file is a folder.
  case isFolder(path: String)
  /// The file is executable, and the interpreter of its first line is missing.
  case noInterpreter(path: String)
  /// The file is executable, and no format that the system runs.
  case unknownFormat(path: String)
  case noFolder(String)
  case system(String)
}

/// The result of giving bytes to a program.
package enum ProgramInput: Sendable, Equatable {
  case accepted
  /// Nobody reads from the pipe any more.
  case closed
  /// Too many bytes wait already.
  case full
}

/// A program that was started.
///
/// - Events arrive one at a time, in order for each pipe, and never from inside a call.
/// - All processes of the program end when it is released, and when this process ends.
package protocol RunningProgram: AnyObject {
  /// The owner's handler. It must be set at once.
  var onEvent: ((ProgramEvent) -> Void)? { get set }
  /// Writes to the standard input, or keeps the bytes until the program reads.
  func write(_ bytes: [UInt8]) -> ProgramInput
  /// Sends a signal to the program and the processes of its group.
  func send(signal: Int)
  /// Closes the standard input. What the program has not read by then is lost.
  func closeInput()
  /// Kills all processes that the program has started, also those that left its group.
  func killAll()
  /// Ends everything that is left, and sends no event any more.
  func release()
}

/// A world that can start programs.
package protocol ProgramLauncher: AnyObject {
  func start(_ command: ProgramCommand) -> Result<any RunningProgram, ProgramStartFailure>
  /// Returns a port at which nobody listens now.
  func freePort() -> UInt16?
  /// Makes an empty folder. Its path is made of these names, so that it is the same in each run.
  func makeFolder(named names: [String]) -> String?
  /// Removes the folders that were made.
  func removeFolders()
  /// Tries to connect to a port of this machine, and to send a request there, if there is one.
  /// The result arrives later.
  func probe(port: UInt16, request: [UInt8]?, _ completion: @escaping (ProbeOutcome) -> Void)
}

/// The result of trying to reach a program.
package enum ProbeOutcome: Sendable {
  case failed
  case connected
  /// The first bytes of the answer.
  case answered([UInt8])
}

/// The most bytes that wait for a program to read its standard input.
package let maximumProgramInput = 16 << 20
