import CTexts
import Diagnostics
import TextSearch

/// The pages of all diagnostics, in the order of their ids.
package let diagnosticPages = readPages(in: String(cString: ctexts_diagnostics()))
  .sorted { $0.id < $1.id }

/// Returns the pages on a topic.
package func diagnosticPages(on topic: DiagnosticPage.Topic) -> [DiagnosticPage] {
  diagnosticPages.filter { $0.topic == topic }
}

/// Returns the pages in a text, in the form of the files in `Sources/CTexts/diagnostics`: the topic
/// is the first heading, and each page has the id of its diagnostic as its heading. A page that
/// lacks a part is left out.
package func readPages(in text: String) -> [DiagnosticPage] {
  var reader = PageReader(lines: text.split(separator: "\n", omittingEmptySubsequences: false)[...])
  var pages: [DiagnosticPage] = []
  var topic: DiagnosticPage.Topic?
  while let line = reader.lines.popFirst() {
    if let id = between("## `", line, "`") {
      if let topic, let page = reader.page(DiagnosticID(rawValue: id), on: topic) {
        pages.append(page)
      }
    } else if let heading = between("# ", line, "") {
      topic = DiagnosticPage.Topic(rawValue: heading)
    }
  }
  return pages
}

/// A walk over the lines of a file of pages.
private struct PageReader {
  var lines: ArraySlice<Substring>

  /// Reads what follows the heading of a page.
  mutating func page(_ id: DiagnosticID, on topic: DiagnosticPage.Topic) -> DiagnosticPage? {
    skipEmptyLines()
    guard let first = lines.popFirst(), let title = between("**", first, ".**") else { return nil }
    let text = linesUpTo("Wrong:")
    guard let wrong = block(), skipEmptyLines() == "Right:", lines.popFirst() != nil,
      let right = block()
    else { return nil }
    return DiagnosticPage(
      topic: topic, id: id, title: title, text: text, wrong: wrong, right: right, files: files())
  }

  /// Reads the files that follow the examples.
  private mutating func files() -> [DiagnosticPage.File] {
    var files: [DiagnosticPage.File] = []
    while let line = skipEmptyLines(), let path = between("With `", line, "`:") {
      lines.removeFirst()
      guard let text = block() else { break }
      files.append(DiagnosticPage.File(path: path, text: text + "\n"))
    }
    return files
  }

  /// Reads the lines of a code block.
  private mutating func block() -> String? {
    guard skipEmptyLines()?.hasPrefix("```") == true else { return nil }
    lines.removeFirst()
    return linesUpTo("```")
  }

  /// Reads the lines before one, and drops that one and empty lines in front of it.
  private mutating func linesUpTo(_ end: Substring) -> String {
    let found = lines.prefix { $0 != end }
    lines = lines.dropFirst(found.count + 1)
    let filled = found.lastIndex { !$0.isEmpty }.map { found[...$0] } ?? []
    return filled.joined(separator: "\n")
  }

  /// Returns the next line that is not empty.
  @discardableResult
  private mutating func skipEmptyLines() -> Substring? {
    lines = lines.drop { $0.isEmpty }
    return lines.first
  }
}

/// Returns the part of a line between its beginning and its end; nil if it has other ones.
private func between(_ start: String, _ line: Substring, _ end: String) -> String? {
  guard line.hasPrefix(start), line.hasSuffix(end),
    line.utf8.count >= start.utf8.count + end.utf8.count
  else { return nil }
  return String(line.dropFirst(start.count).dropLast(end.count))
}
