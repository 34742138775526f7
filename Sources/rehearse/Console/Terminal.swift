import Diagnostics
import Glibc
import Reports
import ScenarioRuns
import Synchronization
import Values

/// The standard streams: results go to standard output, complaints to standard error.
///
/// All that a process says leaves it here, where nothing stays in it that a terminal or a build
/// server would obey.
enum Terminal {
  /// Held while a text is written, so that those of several threads do not mix.
  private static let isWriting = Mutex(())
  /// True if a text may have colours and links of the program.
  private static let hasStyle = Atomic(false)
  private static let muted = Atomic(false)
  /// True if a build server reads the output, and obeys commands in it.
  private static let hasServer = ["GITHUB_ACTIONS", "TF_BUILD", "TEAMCITY_VERSION"].contains {
    !(environmentVariable($0) ?? "").isEmpty
  }

  /// True while a run repeats what a process before this one has shown.
  static var isMuted: Bool {
    get { muted.load(ordering: .relaxed) }
    set { muted.store(newValue, ordering: .relaxed) }
  }

  /// Writes to standard output. A reader that has closed the pipe is no failure.
  @discardableResult
  static func say(_ text: String, as form: OutputForm = .text) -> ExitCode {
    write(text, as: form) || errno == EPIPE ? .passed : .couldNotRun
  }

  /// Writes to standard output, and returns false if the system refuses it.
  static func write(_ text: String, as form: OutputForm) -> Bool {
    if isMuted { return true }
    let text = harmless(text, form)
    return isWriting.withLock { _ in writeAll(text, to: STDOUT_FILENO) }
  }

  /// Writes the text of a file to standard output, unchanged for the program that reads it.
  static func show(file text: String) -> ExitCode {
    guard isatty(STDOUT_FILENO) == 0 else { return show(text) }
    return shown(isWriting.withLock { _ in writeAll(text, to: STDOUT_FILENO) } || errno == EPIPE)
  }

  /// Writes the output of a command, and complains if it cannot be written.
  static func show(_ text: String, as form: OutputForm = .text) -> ExitCode {
    shown(say(text, as: form) == .passed)
  }

  /// Writes a document to standard output while it is made.
  static func show(_ document: LongJSON, pretty: Bool = false) -> ExitCode {
    var isWritten = true
    document.write(pretty: pretty) { piece in
      isWritten = write(piece, as: .json)
      return isWritten
    }
    return shown(isWritten && write("\n", as: .json) || errno == EPIPE)
  }

  /// Writes the lines that a function adds to standard output, many at once. The function gets
  /// false when nobody reads any more.
  static func show(lines make: (_ add: (String) -> Bool) -> Void) -> ExitCode {
    var (text, isWritten) = ("", true)
    make { line in
      text += line + "\n"
      if text.utf8.count < bytesOfPiece { return true }
      isWritten = isWritten && write(text, as: .text)
      text = ""
      return isWritten
    }
    return shown(isWritten && write(text, as: .text) || errno == EPIPE)
  }

  /// The bytes of lines that are written at once.
  private static let bytesOfPiece = 64 << 10

  private static func shown(_ isWritten: Bool) -> ExitCode {
    let code = isWritten ? ExitCode.passed : .couldNotRun
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

  static func complain(_ text: String, as form: OutputForm = .text) {
    if isMuted { return }
    let text = harmless(text.hasSuffix("\n") ? text : text + "\n", form)
    isWriting.withLock { _ in _ = writeAll(text, to: STDERR_FILENO) }
  }

  static func complain(
    _ diagnostics: [Diagnostic], in sources: SourceMap = SourceMap(), _ style: DiagnosticStyle
  ) {
    for diagnostic in diagnostics {
      complain(
        render(diagnostic, in: sources, style: style, hiding: sources.credentials(in:)))
    }
  }

  private static func harmless(_ text: String, _ form: OutputForm) -> String {
    let visible =
      switch form {
      case .text, .commands:
        visibleOutput(text, keepsStyle: hasStyle.load(ordering: .relaxed))
      case .json: escapedOutput(text) { "\\u" + $0.fourDigits }
      case .markup: escapedOutput(text) { "&#x\($0.fourDigits);" }
      }
    return hasServer ? withoutServerCommands(visible, in: form) : visible
  }

  /// Returns the style of text for a file descriptor.
  static func style(of descriptor: Int32, color: ColorChoice) -> DiagnosticStyle {
    let isTerminal = isatty(descriptor) != 0
    let color = colorWanted(flag: color, isTerminal: isTerminal, environment: environmentVariable)
    if color { hasStyle.store(true, ordering: .relaxed) }
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

extension ListingFormat {
  var form: OutputForm {
    switch self {
    case .human: .text
    case .json, .ndjson: .json
    }
  }
}

extension Unicode.Scalar {
  /// The number in hexadecimal. All characters that a terminal obeys have four digits.
  fileprivate var fourDigits: String {
    let digits = String(value, radix: 16)
    return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }
}

extension ColorChoice {
  /// The style of complaints, which go to standard error.
  var complaintStyle: DiagnosticStyle { Terminal.style(of: STDERR_FILENO, color: self) }
}
