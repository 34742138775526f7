@_exported import TextSearch

/// The links from places in a terminal to the files that they name (OSC 8).
public struct FileLinks: Sendable, Equatable {
  /// The folder that relative paths begin at.
  private let folder: String
  /// The form of a link, with `{path}`, `{line}` and `{column}` where they belong.
  private let form: String

  /// Creates links of a form, such as `vscode://file{path}:{line}:{column}`. Without one, links
  /// lead to files and not to lines, since terminals do not agree on how a line is written.
  public init(from folder: String, form: String? = nil) {
    self.folder = folder
    self.form = form ?? "file://{path}"
  }

  /// Returns the URL of a place, `path:line:column` or `path:line`; nil for any other text.
  public func link(to place: String) -> String? {
    var path = place[...]
    let last = takeNumber(from: &path)
    let first = takeNumber(from: &path)
    guard let line = first ?? last, !path.isEmpty, !path.hasPrefix("<"), path != "-" else {
      return nil
    }
    if path.hasPrefix("./") { path = path.dropFirst(2) }
    let absolute = path.hasPrefix("/") ? String(path) : "\(folder)/\(path)"
    let column = first == nil ? 1 : last ?? 1
    return form.replacing("{path}", with: percentEncoded(absolute))
      .replacing("{line}", with: "\(line)").replacing("{column}", with: "\(column)")
  }

  /// Takes `:12` from the end of a text.
  private func takeNumber(from text: inout Substring) -> Int? {
    guard let colon = text.lastIndex(of: ":"), let number = Int(text[text.index(after: colon)...])
    else { return nil }
    text = text[..<colon]
    return number
  }
}

extension DiagnosticStyle {
  /// Returns a place that is a link to its file, if the output shows links.
  public func linked(place: String) -> String {
    let text = visibleText(place)
    guard let link = files?.link(to: place) else { return text }
    return hyperlink(text, to: link)
  }

  /// Returns text that a terminal shows as a link.
  func hyperlink(_ text: String, to link: String) -> String {
    "\u{1B}]8;;\(visibleText(link))\u{1B}\\\(text)\u{1B}]8;;\u{1B}\\"
  }
}
