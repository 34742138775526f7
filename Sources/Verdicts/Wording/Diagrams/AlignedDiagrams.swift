import Diagnostics
import ScenarioPlan
import Values

/// Two diagrams drawn one below the other, so that equal times stand in equal columns.
///
/// Ticks make columns; so does what lies between two ticks, where the other diagram then has a
/// space, which costs no time.
struct AlignedDiagrams {
  /// A symbol of a diagram at some time since the first tick.
  struct Mark {
    var offset: Microseconds
    var symbol: String
  }

  /// A diagram: its marks in order, and the time up to which it says anything.
  struct Line {
    var marks: [Mark]
    var end: Microseconds

    func symbols(at offset: Microseconds) -> [String] {
      marks.filter { $0.offset == offset }.map(\.symbol)
    }
  }

  /// The first difference of two diagrams: a time, and the number of the mark at that time.
  struct Focus {
    var offset: Microseconds
    var index = 0
  }

  private(set) var wanted = ""
  private(set) var seen = ""
  /// The column of the first difference.
  private(set) var caret = 0
  private let tick: Microseconds
  private let focus: Focus
  private let lines: (wanted: Line, seen: Line)

  init(tick: Microseconds, wanted: Line, seen: Line, focus: Focus) {
    self.tick = max(1, tick)
    self.focus = focus
    lines = (wanted, seen)
    for offset in offsets() { draw(offset) }
    cut()
  }

  /// The second line with a caret below the first difference.
  var seenAndCaret: String { seen + "\n" + spaces(caret) + "^" }

  /// The times that have a column, around the focus as far as the page could show them.
  private func offsets() -> [Microseconds] {
    let last = max(lines.wanted.end, lines.seen.end, focus.offset)
    let middle = max(0, focus.offset / tick)
    let ticks =
      max(
        0, middle - Microseconds(diagramWidth))...max(
        0, min(last / tick, middle + Microseconds(diagramWidth)))
    let shown = ticks.lowerBound * tick...max(ticks.upperBound * tick, focus.offset)
    let marks = (lines.wanted.marks + lines.seen.marks).map(\.offset)
    let between = marks.filter { offset in
      offset < 0 ? ticks.lowerBound == 0 : shown.contains(offset) || offset == last
    }
    return Set(ticks.map { $0 * tick } + between + [focus.offset]).sorted()
  }

  private mutating func draw(_ offset: Microseconds) {
    let texts = [lines.wanted, lines.seen].map { text(of: $0, at: offset) }
    let isGroup = texts.contains { $0.hasPrefix("(") }
    let padded = texts.map { isGroup && $0.count == 1 && $0 != "-" ? " " + $0 : $0 }
    let width = padded.map(\.count).max() ?? 0
    if offset == focus.offset { caret = wanted.count + (isGroup ? 1 + focus.index : 0) }
    // What came before the first tick stands apart.
    let gap = offset < 0 ? " " : ""
    wanted += padded[0] + spaces(width - padded[0].count) + gap
    seen += padded[1] + spaces(width - padded[1].count) + gap
  }

  private func text(of line: Line, at offset: Microseconds) -> String {
    let symbols = line.symbols(at: offset)
    if symbols.count > 1 { return "(" + symbols.joined() + ")" }
    let isSilent = offset >= 0 && offset % tick == 0 && offset <= line.end
    return symbols.first ?? (isSilent ? "-" : "")
  }

  /// Leaves what is around the caret, where there is more than a page can show.
  private mutating func cut() {
    let count = max(wanted.count, caret + 1)
    guard count > diagramWidth else { return }
    let first = max(0, min(caret - diagramWidth / 2, count - diagramWidth))
    wanted = cut(wanted, from: first)
    seen = cut(seen, from: first)
    caret += (first > 0 ? 1 : 0) - first
  }

  private func cut(_ line: String, from first: Int) -> String {
    let middle = line.dropFirst(first)
    let isCutAfter = middle.dropFirst(diagramWidth).contains { $0 != " " }
    return (first > 0 ? "…" : "") + middle.prefix(diagramWidth) + (isCutAfter ? "…" : "")
  }
}

/// The number of shown columns of a diagram.
private let diagramWidth = 60

private func spaces(_ count: Int) -> String { String(repeating: " ", count: max(0, count)) }
