import Diagnostics
import Glibc
import ScenarioRuns
import Synchronization

/// The standard streams: results go to standard output, complaints to standard error.
enum Terminal {
  /// Held while a text is written, so that those of several threads do not mix.
  private static let isWriting = Mutex(())

  /// Writes to standard output. A reader that has closed the pipe is no failure.
  @discardableResult
  static func say(_ text: String) -> ExitCode {
    isWriting.withLock { _ in
      writeAll(text, to: STDOUT_FILENO) || errno == EPIPE ? .passed : .couldNotRun
    }
  }

  /// Writes the output of a command, and complains if it cannot be written.
  static func show(_ text: String) -> ExitCode {
    let code = say(text)
    if code != .passed {
      complain(render(.unwritable("standard output", lastSystemError()), in: SourceMap()))
    }
    return code
  }

  /// Opens `/dev/null` for each closed standard stream, so that no file takes its descriptor and
  /// receives its text.
  static func occupyClosedDescriptors() {
    for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
      _ = open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
    }
  }

  static func complain(_ text: String) {
    isWriting.withLock { _ in
      _ = writeAll(text.hasSuffix("\n") ? text : text + "\n", to: STDERR_FILENO)
    }
  }

  /// Returns the style of text for a file descriptor.
  static func style(of descriptor: Int32, color: ColorChoice) -> DiagnosticStyle {
    let isTerminal = isatty(descriptor) != 0
    let color = colorWanted(flag: color, isTerminal: isTerminal, environment: environmentVariable)
    return DiagnosticStyle(
      color: color, width: isTerminal ? width(of: descriptor) : 100,
      documentation: isTerminal && color ? documentationPlace : nil,
      files: isTerminal && color ? fileLinks : nil)
  }

  /// Links from the working folder, in the form that `REHEARSE_FILE_LINK` gives.
  private static var fileLinks: FileLinks? {
    guard let folder = getcwd(nil, 0) else { return nil }
    defer { free(folder) }
    let form = environmentVariable("REHEARSE_FILE_LINK").flatMap { $0.isEmpty ? nil : $0 }
    return FileLinks(from: String(cString: folder), form: form)
  }

  /// The site that `REHEARSE_DOCS` names, or the pages beside the program.
  private static var documentationPlace: DocumentationPlace? {
    if let url = environmentVariable("REHEARSE_DOCS"), !url.isEmpty { return .site(url) }
    return DocumentationFolder.found.map { .folder($0) }
  }

  static func environmentVariable(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }
  }

  /// Returns the columns of a terminal, limited to a readable range.
  private static func width(of descriptor: Int32) -> Int {
    var size = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 100 }
    return min(160, max(60, Int(size.ws_col)))
  }
}
