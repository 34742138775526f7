/// The style of diagnostics on an output.
public struct DiagnosticStyle: Sendable, Equatable {
  public var color: Bool
  /// The columns of the output. Longer quoted lines are cut around the caret.
  public var width: Int
  /// The pages that ids link to; nil if the output shows no links.
  public var documentation: DocumentationPlace?
  /// The links of places; nil if the output shows no links.
  public var files: FileLinks?

  public init(
    color: Bool = false, width: Int = 100, documentation: DocumentationPlace? = nil,
    files: FileLinks? = nil
  ) {
    self.files = files
    self.color = color
    self.width = width
    self.documentation = documentation
  }
}

/// The values of `--color`.
public enum ColorChoice: String, Sendable, CaseIterable {
  case auto, always, never
}

/// Decides whether to write colours: the flag first, then the environment, then whether the output
/// is a terminal.
///
/// `NO_COLOR` takes precedence over `CLICOLOR_FORCE`: unwanted colours harm a reader more than
/// missing ones.
public func colorWanted(
  flag: ColorChoice, isTerminal: Bool, environment: (String) -> String?
) -> Bool {
  switch flag {
  case .always: return true
  case .never: return false
  case .auto: break
  }
  if !(environment("NO_COLOR") ?? "").isEmpty { return false }
  if !["", "0"].contains(environment("CLICOLOR_FORCE") ?? "") { return true }
  return isTerminal && environment("TERM") != "dumb"
}

/// The roles of text on an output, so that colours are chosen in one place.
enum Ink {
  case plain, strong, frame, error, warning, secondary, good

  var code: String? {
    switch self {
    case .plain: nil
    case .strong: "1"
    case .frame: "34"
    case .error: "1;31"
    case .warning: "1;33"
    case .secondary: "1;34"
    case .good: "1;32"
    }
  }
}

extension DiagnosticStyle {
  func paint(_ text: String, _ ink: Ink) -> String {
    guard color, let code = ink.code, !text.isEmpty else { return text }
    return "\u{1B}[\(code)m\(text)\u{1B}[0m"
  }
  /// Returns text as the heading of a page.
  public func heading(_ text: String) -> String { paint(text, .strong) }

  /// Returns text as the name of a file on a page.
  public func name(_ text: String) -> String { paint(text, .frame) }
}
