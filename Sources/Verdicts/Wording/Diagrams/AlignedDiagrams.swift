import Values

/// Two diagrams drawn one below the other, so that equal times stand in equal columns.
///
/// Ticks make columns; so does what lies between two ticks, where the other diagram then has a
/// space, which costs no time. In a diagram that is too long for a page, or has durations itself, a
/// long silence of both is written as a duration, such as `a 2h b`.
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
  /// True if a space makes room for a mark between two ticks.
  private(set) var hasBlanks = false
  private let tick: Microseconds
  private let writesDurations: Bool
  private let focus: Focus
  private let lines: (wanted: Line, seen: Line)

  init(
    tick: Microseconds, wanted: Line, seen: Line, focus: Focus, writesDurations: Bool = false
  ) {
    self.tick = max(1, tick)
    self.writesDurations = writesDurations
    self.focus = focus
    lines = (wanted, seen)
    for column in columns() { draw(column) }
    cut()
  }

  /// The second line with a caret below the first difference.
  var seenAndCaret: String { seen + "\n" + spaces(caret) + "^" }

  /// A column of the drawing.
  private enum Column {
    /// A tick, or the time of a mark between two ticks.
    case moment(Microseconds)
    /// Ticks in which neither diagram has a mark, written as a duration.
    case silence(from: Microseconds, length: Microseconds)
  }

  /// The columns around the focus, as far as the page could show them.
  private func columns() -> [Column] {
    let last = max(lines.wanted.end, lines.seen.end, focus.offset)
    let isLong = writesDurations || last / tick >= Microseconds(diagramWidth)
    var columns: [Column] = []
    var focused = 0
    var next: Microseconds = 0
    for time in times() {
      if time >= 0 {
        let end = time % tick == 0 ? time / tick : time / tick + 1
        columns += silence(max(0, min(next, end))..<end, isLong: isLong)
        next = time / tick + 1
      }
      if time == focus.offset { focused = columns.count }
      columns.append(.moment(time))
    }
    return Array(columns[max(0, focused - diagramWidth)...].prefix(2 * diagramWidth + 1))
  }

  /// The times at which a diagram has a mark or ends, and the focus.
  private func times() -> [Microseconds] {
    let marks = (lines.wanted.marks + lines.seen.marks).map(\.offset)
    let ends = [lines.wanted.end, lines.seen.end].filter { $0 >= 0 }.map { $0 / tick * tick }
    return Set(marks + ends + [focus.offset]).sorted()
  }

  /// Returns the columns of ticks without a mark. In a long diagram, many of them are one column.
  private func silence(_ ticks: Range<Microseconds>, isLong: Bool) -> [Column] {
    let shortest = writesDurations ? shortestWrittenSilence : shortestSilence
    if isLong, ticks.count >= shortest {
      return [.silence(from: ticks.lowerBound * tick, length: Microseconds(ticks.count) * tick)]
    }
    return ticks.map { .moment($0 * tick) }
  }

  private mutating func draw(_ column: Column) {
    switch column {
    case .moment(let offset): draw(offset)
    case .silence(let start, let length):
      let text = (wanted.isEmpty ? "" : " ") + durationText(length) + " "
      wanted += start <= lines.wanted.end ? text : spaces(text.count)
      seen += start <= lines.seen.end ? text : spaces(text.count)
    }
  }

  private mutating func draw(_ offset: Microseconds) {
    let texts = [lines.wanted, lines.seen].map { text(of: $0, at: offset) }
    let isGroup = texts.contains { $0.hasPrefix("(") }
    let padded = texts.map { isGroup && $0.count == 1 && $0 != "-" ? " " + $0 : $0 }
    let width = padded.map(\.count).max() ?? 0
    if offset == focus.offset { caret = wanted.count + (isGroup ? 1 + focus.index : 0) }
    if offset > 0, offset % tick != 0, texts.contains("") { hasBlanks = true }
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
/// The fewest silent ticks that are written as a duration.
private let shortestSilence = 8
/// The same in a diagram that has durations itself.
private let shortestWrittenSilence = 3

private func spaces(_ count: Int) -> String { String(repeating: " ", count: max(0, count)) }
