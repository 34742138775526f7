/// Renders one diagnostic for a person: the rule, the place with a caret below it, the compared
/// values, and the notes. The text ends with a line break.
///
/// Four small passes do it. Labels are grouped by file, the lines to quote are chosen, long lines
/// are cut to a margin, and labels are drawn below.
///
/// - Parameter secrets: Returns the parts of a quoted line that are masked, as ranges of its UTF-8.
public func render(
  _ diagnostic: Diagnostic, in sources: SourceMap, style: DiagnosticStyle = DiagnosticStyle(),
  hiding secrets: @escaping (String) -> [Range<Int>] = { _ in [] }
) -> String {
  if diagnostic.severity == .note { return noteLine(diagnostic, in: sources, style) }
  let excerpts = groupedByFile(diagnostic.labels, in: sources)
  let lastLine = excerpts.flatMap(\.labels).map(\.line).max() ?? 1
  var page = DiagnosticPainter(
    diagnostic: diagnostic, style: style, gutter: String(lastLine).count, secrets: secrets)
  page.drawHeadline()
  for (position, excerpt) in excerpts.enumerated() {
    page.draw(excerpt, isFirst: position == 0)
  }
  if excerpts.isEmpty, !diagnostic.facts.isEmpty {
    page.drawBar()
    page.drawFacts(at: 0)
  }
  let homeless = diagnostic.labels.filter { sources.file(of: $0.range) == nil && !$0.text.isEmpty }
  page.drawNotes(adding: homeless.map { Diagnostic.Fact("note", $0.text) })
  return page.text
}

/// Returns a note on one line: `note[id]: FILE:LINE:COLUMN: the message; the help`.
private func noteLine(
  _ note: Diagnostic, in sources: SourceMap, _ style: DiagnosticStyle
) -> String {
  let head = DiagnosticPainter(diagnostic: note, style: style, gutter: 0) { _ in [] }.head
  let place = groupedByFile(Array(note.labels.prefix(1)), in: sources).first?.place
  let parts = [head] + (place.map { [style.linked(place: $0)] } ?? [])
  let text = visibleText(note.message + (note.help.map { "; " + $0 } ?? ""))
  return (parts + [text]).joined(separator: ": ") + "\n"
}

/// Renders several diagnostics, with an empty line between them.
public func render(
  _ diagnostics: [Diagnostic], in sources: SourceMap, style: DiagnosticStyle = DiagnosticStyle(),
  hiding secrets: @escaping (String) -> [Range<Int>] = { _ in [] }
) -> String {
  diagnostics.map { render($0, in: sources, style: style, hiding: secrets) }
    .joined(separator: "\n")
}

/// The painter of a diagnostic, line by line.
struct DiagnosticPainter {
  let diagnostic: Diagnostic
  let style: DiagnosticStyle
  /// The width of line numbers.
  let gutter: Int
  private let secrets: (String) -> [Range<Int>]
  private(set) var text = ""

  init(
    diagnostic: Diagnostic, style: DiagnosticStyle, gutter: Int,
    secrets: @escaping (String) -> [Range<Int>]
  ) {
    self.secrets = secrets
    self.diagnostic = diagnostic
    self.style = style
    self.gutter = gutter
  }

  private var severityInk: Ink {
    switch diagnostic.severity {
    case .error: .error
    case .warning: .warning
    case .note: .secondary
    }
  }

  /// The columns for a quoted line. One stays free for a caret after the line's end, and there are
  /// always enough to see something.
  private var room: Int { max(20, style.width - gutter - 4) }

  /// The severity and the id, which is a link.
  var head: String {
    let head = "\(diagnostic.severity.rawValue)[\(visibleText(diagnostic.id.rawValue))]"
    return style.linked(style.paint(head, severityInk), to: diagnostic.id)
  }

  mutating func drawHeadline() {
    text += head + style.paint(": " + visibleText(diagnostic.message), .strong) + "\n"
  }

  mutating func draw(_ excerpt: Excerpt, isFirst: Bool) {
    let arrow = spaces(gutter) + (isFirst ? "-->" : ":::")
    text += style.paint(arrow, .frame) + " " + style.linked(place: excerpt.place) + "\n"
    drawBar()
    for row in chosenRows(of: excerpt) {
      switch row {
      case .line(let number): draw(line: number, of: excerpt)
      case .gap: drawRow("…", "")
      }
    }
  }

  private mutating func draw(line number: Int, of excerpt: Excerpt) {
    let labels = excerpt.labels.filter { $0.line == number }
    let focus = labels.first { $0.isPrimary } ?? labels.first
    let line = excerpt.file.line(number)
    let quoted = QuotedLine(
      line, hiding: secrets(line), focus: focus?.columns.lowerBound, room: room)
    drawRow(String(number), quoted.text)
    for label in labels where !label.isPrimary { draw(label, below: quoted, .secondary) }
    for label in labels where label.isPrimary {
      draw(label, below: quoted, severityInk)
      drawFacts(at: quoted.position(of: label.columns.lowerBound))
    }
  }

  private mutating func draw(_ label: PlacedLabel, below quoted: QuotedLine, _ ink: Ink) {
    let start = quoted.position(of: label.columns.lowerBound)
    let end = quoted.position(of: label.columns.upperBound)
    let underline = String(repeating: label.isPrimary ? "^" : "-", count: max(1, end - start))
    let words = label.text.isEmpty ? "" : " " + visibleText(label.text)
    drawBar(spaces(start) + style.paint(underline + (label.continues ? "…" : "") + words, ink))
  }

  /// Draws facts two columns right of the caret, or further left if they would not fit.
  mutating func drawFacts(at caret: Int) {
    let rows = alignedRows(of: diagnostic.facts)
    let widest = rows.map { displayWidth($0.name) + displayWidth($0.text) }.max() ?? 0
    let indent = spaces(max(2, min(caret + 2, room - widest)))
    for row in rows {
      let ink = factInk(row.name)
      drawBar(trimmed(indent + style.paint(row.name, ink) + style.paint(row.text, ink)))
    }
  }

  mutating func drawNotes(adding more: [Diagnostic.Fact]) {
    let help = diagnostic.help.map { [Diagnostic.Fact("help", $0)] } ?? []
    for row in alignedRows(of: diagnostic.notes + more + help) {
      let sign = spaces(gutter + 1) + (row.isFirst ? "= " : "  ")
      text += trimmed(style.paint(sign, .frame) + style.paint(row.name, .strong) + row.text) + "\n"
    }
  }

  mutating func drawBar(_ content: String = "") { drawRow("", content) }

  private mutating func drawRow(_ margin: String, _ content: String) {
    let bar = spaces(gutter - margin.count) + margin + " |"
    text += style.paint(bar, .frame) + (content.isEmpty ? "" : " " + content) + "\n"
  }

  private func factInk(_ name: String) -> Ink {
    if name.hasPrefix("actual") { return severityInk }
    return name.hasPrefix("expected") ? .good : .plain
  }
}

func spaces(_ count: Int) -> String { String(repeating: " ", count: max(0, count)) }

private func trimmed(_ line: String) -> String {
  var line = Substring(line)
  while line.last == " " { line.removeLast() }
  return String(line)
}
