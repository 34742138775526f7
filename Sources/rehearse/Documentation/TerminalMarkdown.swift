import Diagnostics
import TextSearch

/// Returns a page for a terminal: code is indented, links show their text, headings stand out.
func terminalText(ofMarkdown page: String, _ style: DiagnosticStyle) -> String {
  var isCode = false
  let lines = page.split(separator: "\n", omittingEmptySubsequences: false).compactMap { line in
    if line.hasPrefix("```") {
      isCode.toggle()
      return fenceName(line).map { style.name("    # \($0)") }
    }
    return isCode ? "    " + line : terminalLine(line, style)
  }
  return lines.joined(separator: "\n")
}

/// Returns a line for each entry, with the texts in a column of their own.
///
/// - Parameter width: The length of the longest name; by default of the longest here.
func columns(
  _ entries: [(name: String, text: String)], width: Int? = nil, indent: String = ""
) -> String {
  let width = width ?? entries.map(\.name.count).max() ?? 0
  return entries.map { name, text in
    indent + name + String(repeating: " ", count: width - name.count + 2) + text + "\n"
  }.joined()
}

/// Returns the file that a fence names.
func fenceName(_ line: Substring) -> String? {
  let words = line.split(separator: " ")
  return words.count == 2 && words[1].contains(".") ? String(words[1]) : nil
}

private func terminalLine(_ line: Substring, _ style: DiagnosticStyle) -> String? {
  guard !line.allSatisfy({ "|-".contains($0) }) || line.isEmpty else { return nil }
  let text = withoutLinks(line).replacing("**", with: "").replacing("\\|", with: "|")
  guard let heading = text.firstIndex(where: { $0 != "#" }), heading != text.startIndex,
    text[heading] == " "
  else { return text }
  return style.heading(String(text[text.index(after: heading)...]))
}

/// Returns a line in which `[text](target)` is `text`.
func withoutLinks(_ line: Substring) -> String {
  var shown = ""
  var rest = line
  while let start = rest.firstIndex(of: "[") {
    let (name, behind) = linkParts(rest[rest.index(after: start)...])
    shown += rest[..<start] + (name ?? "[")
    rest = behind
  }
  return shown + rest
}

/// Returns the text of a link whose bracket has just been opened, and what is behind the link. If
/// it is none, there is no text.
private func linkParts(_ line: Substring) -> (text: Substring?, behind: Substring) {
  let text = line.prefix { $0 != "[" && $0 != "]" }
  let rest = line[text.endIndex...]
  guard !text.isEmpty, rest.hasPrefix("](") else { return (nil, line) }
  let target = rest.dropFirst(2).prefix { $0 != "(" && $0 != ")" && !$0.isWhitespace }
  let end = line[target.endIndex...]
  return target.isEmpty || end.first != ")" ? (nil, line) : (text, end.dropFirst())
}
