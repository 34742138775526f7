import Diagnostics
import Values

/// Visits the lines of a marble diagram until the visitor returns false: a row for each source, a
/// column for each time, a letter for each value.
///
/// `|` ends a source, `#` ends it with an error. Events of one time are in brackets.
package func visitMarbles(of run: TraceRun, _ visit: (() -> String) -> Bool) {
  var diagram = MarbleDiagram(run)
  diagram.visitLines(of: run, visit)
}

/// A diagram that is drawn block by block, in the order of times.
private struct MarbleDiagram {
  private struct Column {
    let time: Microseconds
    /// By source.
    var marbles: [String: [String]] = [:]

    func cell(_ source: String) -> String {
      let marbles = marbles[source] ?? []
      return marbles.count > 1 ? "(\(marbles.joined()))" : marbles.joined()
    }

    /// A column is as wide as its widest text, and one more.
    var width: Int {
      marbles.keys.map { cell($0).count }.reduce(durationText(time).count, max) + 1
    }
  }

  private let names: [String]
  private let margin: Int
  private var letters: [String: String] = [:]
  private var legend: [String] = []
  private static let width = 100
  /// The most values with a letter of their own.
  private static let mostLetters = 10_000
  private static let otherValue = "*"

  init(_ run: TraceRun) {
    names = run.sourcesWithValues.sorted(by: comesBefore)
    margin = (names.map { visibleText($0).count }.max() ?? 0) + 2
  }

  mutating func visitLines(of run: TraceRun, _ visit: (() -> String) -> Bool) {
    var block: [Column] = []
    var room = MarbleDiagram.width - margin
    var column: Column?
    /// Adds the last column to its block, and shows the block before it if that is full.
    func endColumn() -> Bool {
      guard let ended = column else { return true }
      room -= ended.width
      if room < 0, !block.isEmpty {
        guard show(block, visit) else { return false }
        (block, room) = ([], MarbleDiagram.width - margin - ended.width)
      }
      block.append(ended)
      column = nil
      return true
    }
    for entry in run.entries where entry.line.setsValue {
      guard let source = entry.line.source else { continue }
      if column?.time != entry.time {
        guard endColumn() else { return }
        column = Column(time: entry.time)
      }
      column?.marbles[source, default: []].append(marble(entry.line))
    }
    guard endColumn(), block.isEmpty || show(block, visit) else { return }
    for line in names.isEmpty ? ["no source emitted"] : legend where !visit({ line }) { return }
  }

  private func show(_ block: [Column], _ visit: (() -> String) -> Bool) -> Bool {
    guard visit({ row("", block) { durationText($0.time) } }) else { return false }
    for name in names {
      let isWanted = visit { row(visibleText(name), block, fill: "-") { $0.cell(name) } }
      if !isWanted { return false }
    }
    return visit { "" }
  }

  private func row(
    _ name: String, _ block: [Column], fill: Character = " ", _ text: (Column) -> String
  ) -> String {
    var row = name + String(repeating: " ", count: margin - name.count)
    for column in block {
      let text = text(column)
      row += text + String(repeating: fill, count: column.width - text.count)
    }
    return String(row.reversed().drop { $0 == " " }.reversed())
  }

  private mutating func marble(_ line: TraceLine) -> String {
    if line.knownKind == .finished, (line.value?.json ?? .null) == .null { return "|" }
    let letter = letter(for: line.valueText)
    return line.knownKind == .finished ? letter + "#" : letter
  }

  private mutating func letter(for value: String) -> String {
    if let letter = letters[value] { return letter }
    guard letters.count < MarbleDiagram.mostLetters else {
      if legend.count == letters.count {
        legend.append("\(MarbleDiagram.otherValue) = any other value")
      }
      return MarbleDiagram.otherValue
    }
    let (turn, index) = letters.count.quotientAndRemainder(dividingBy: 52)
    let base: UInt8 = index < 26 ? UInt8(ascii: "a") : UInt8(ascii: "A") - 26
    let letter = String(UnicodeScalar(base + UInt8(index))) + (turn == 0 ? "" : String(turn))
    letters[value] = letter
    legend.append("\(letter) = \(value)")
    return letter
  }
}

extension TraceRun {
  /// The sources that have values.
  fileprivate var sourcesWithValues: Set<String> {
    var names: Set<String> = []
    for index in entries.indices {
      guard let source = entries.source(of: index), !names.contains(source),
        entries[index].line.setsValue
      else { continue }
      names.insert(source)
    }
    return names
  }
}
