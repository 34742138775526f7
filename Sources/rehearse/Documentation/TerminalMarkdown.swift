import Diagnostics

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

/// Returns the file that a fence names.
private func fenceName(_ line: Substring) -> String? {
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
private func withoutLinks(_ line: Substring) -> String {
  String(line).replacing(#/\[([^\[\]]+)\]\([^()\s]+\)/#) { String($0.output.1) }
}
