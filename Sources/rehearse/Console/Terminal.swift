import Diagnostics
import Glibc
import ScenarioRuns

/// Where the program speaks: results go to standard output, complaints to standard error.
enum Terminal {
  /// Writes to standard output; a reader that has gone away is no reason to fail.
  @discardableResult
  static func say(_ text: String) -> ExitCode {
    writeAll(text, to: STDOUT_FILENO) || errno == EPIPE ? .passed : .couldNotRun
  }

  /// Sees to it that no file takes the place of a closed standard stream, and with it the words
  /// meant for that.
  static func occupyClosedDescriptors() {
    for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
      _ = open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
    }
  }

  static func complain(_ text: String) {
    _ = writeAll(text.hasSuffix("\n") ? text : text + "\n", to: STDERR_FILENO)
  }

  /// How text for a file descriptor is to look.
  static func style(of descriptor: Int32, color: ColorChoice) -> DiagnosticStyle {
    let isTerminal = isatty(descriptor) != 0
    let color = colorWanted(flag: color, isTerminal: isTerminal, environment: environmentVariable)
    return DiagnosticStyle(color: color, width: isTerminal ? width(of: descriptor) : 100)
  }

  static func environmentVariable(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }
  }

  /// Columns of a terminal, within what is readable.
  private static func width(of descriptor: Int32) -> Int {
    var size = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 100 }
    return min(160, max(60, Int(size.ws_col)))
  }
}
