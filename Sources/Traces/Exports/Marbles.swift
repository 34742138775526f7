import Diagnostics
import Values

/// Returns a marble diagram: a row for each source, a column for each time, a letter for each
/// value.
///
/// `|` ends a source, `#` ends it with an error. Events of one time are in brackets.
package func marbles(of run: TraceRun) -> TraceAnswer {
  let diagram = MarbleDiagram(run)
  let lines = diagram.isEmpty ? ["no source emitted"] : diagram.lines
  return TraceAnswer(lines: lines, json: .list(lines.map { .string($0) }))
}

private struct MarbleDiagram {
  private var times: [Microseconds] = []
  /// By source and time: the marbles.
  private var cells: [String: [Microseconds: [String]]] = [:]
  private var letters: [String: String] = [:]
  private var legend: [String] = []
  private var widths: [Microseconds: Int] = [:]
  private static let width = 100

  init(_ run: TraceRun) {
    for entry in run.entries where entry.line.setsValue {
      guard let source = entry.line.source else { continue }
      if times.last != entry.time { times.append(entry.time) }
      cells[source, default: [:]][entry.time, default: []].append(marble(entry.line))
    }
    measure()
  }

  var isEmpty: Bool { cells.isEmpty }

  var lines: [String] { blocks + legend }

  private mutating func marble(_ line: TraceLine) -> String {
    if line.knownKind == .finished, (line.value?.json ?? .null) == .null { return "|" }
    let letter = letter(for: line.valueText)
    return line.knownKind == .finished ? letter + "#" : letter
  }

  private mutating func letter(for value: String) -> String {
    if let letter = letters[value] { return letter }
    let (turn, index) = letters.count.quotientAndRemainder(dividingBy: 52)
    let base: UInt8 = index < 26 ? UInt8(ascii: "a") : UInt8(ascii: "A") - 26
    let letter = String(UnicodeScalar(base + UInt8(index))) + (turn == 0 ? "" : String(turn))
    letters[value] = letter
    legend.append("\(letter) = \(value)")
    return letter
  }

  /// The columns, in as many blocks as the width of a page needs.
  private var blocks: [String] {
    let names = cells.keys.sorted(by: comesBefore)
    let margin = (names.map { visibleText($0).count }.max() ?? 0) + 2
    var lines: [String] = []
    var rest = times[...]
    while !rest.isEmpty {
      let columns = rest.prefix(columnsThatFit(rest, margin))
      rest = rest.dropFirst(columns.count)
      lines.append(row("", margin, columns) { durationText($0) })
      for name in names {
        lines.append(row(visibleText(name), margin, columns, fill: "-") { cell(name, $0) })
      }
      lines.append("")
    }
    return lines
  }

  private func columnsThatFit(_ rest: ArraySlice<Microseconds>, _ margin: Int) -> Int {
    var room = MarbleDiagram.width - margin
    let fitting = rest.prefix { time in
      room -= columnWidth(time)
      return room >= 0
    }
    return max(1, fitting.count)
  }

  private func row(
    _ name: String, _ margin: Int, _ columns: ArraySlice<Microseconds>, fill: Character = " ",
    _ text: (Microseconds) -> String
  ) -> String {
    var row = name + String(repeating: " ", count: margin - name.count)
    for time in columns {
      let text = text(time)
      row += text + String(repeating: fill, count: columnWidth(time) - text.count)
    }
    return String(row.reversed().drop { $0 == " " }.reversed())
  }

  private func columnWidth(_ time: Microseconds) -> Int { widths[time] ?? 1 }

  /// A cell is as wide as its widest text, and one column more.
  private mutating func measure() {
    for time in times { widths[time] = durationText(time).count + 1 }
    for (source, column) in cells {
      for time in column.keys {
        widths[time] = max(columnWidth(time), cell(source, time).count + 1)
      }
    }
  }

  private func cell(_ source: String, _ time: Microseconds) -> String {
    let marbles = cells[source]?[time] ?? []
    return marbles.count > 1 ? "(\(marbles.joined()))" : marbles.joined()
  }
}
