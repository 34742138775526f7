import Diagnostics
import Values

// Two runs beside each other, as a report shows them.
extension TraceDifferences {
  /// The most events that both runs have, before those that differ.
  private static let mostShared = 2
  /// The most events of each run that differ.
  private var mostDiffering: Int { showsConversations ? 12 : 6 }
  private static let widestColumn = 46
  private static let widestError = 72

  /// Returns a table of the events of sources: a few that both runs have, and those at which the
  /// runs differ. The first difference has a mark. Returns no line if no event differs.
  package func sideBySide(titles a: String, _ b: String) -> [String] {
    let differing = folded
    guard let first = differences.first(where: isShown) else { return [] }
    var rows = [Row(a: a, b: b)] + shared(before: first)
    for (place, difference) in differing.prefix(mostDiffering).enumerated() {
      rows.append(
        Row(
          a: text(of: difference.a), b: text(of: difference.b),
          mark: place == 0 ? "differs first" : ""))
    }
    let left = differing.count - mostDiffering
    return lines(of: rows) + (left > 0 ? ["… and \(left) more"] : [])
  }

  /// Returns the first event of B at which the runs differ, in a text that says what kind of event
  /// it is; one that B does not have is missing. Nil if no event of these sources differs.
  ///
  /// - Parameter sources: The names of the sources.
  package func firstEvent(of sources: Set<String>) -> String? {
    let wanted = folded.filter { difference in
      (difference.b ?? difference.a)?.line.source.map(sources.contains) ?? false
    }
    // In real time, nobody knows when an event did not come.
    guard let first = wanted.first(where: { $0.b != nil }) ?? wanted.first else { return nil }
    guard let event = first.b else { return "- \(first.a?.line.source ?? "")" }
    return "\(event.line.source ?? "") \(kind(of: event))"
  }

  /// The value of an event as far as it is the same in other runs: the keys of a map, the number of
  /// elements of a list, the kind of an error.
  private func kind(of event: TraceReader.Entry) -> String {
    switch event.line.value?.json {
    case .map(let map)?: "{\(map.keys.map(\.plainText).sorted().joined(separator: ","))}"
    case .list(let elements)?: "[\(elements.count)]"
    case .string(let text)? where isError(event): String(text.prefix { $0 != ":" })
    default: event.line.valueText
    }
  }

  /// The differences between events of sources. What a program writes as errors is often one text
  /// of many lines, of which the last says what happened: of lines in a row, it is kept.
  private var folded: [Difference] {
    var folded: [Difference] = []
    for difference in differences where isShown(difference) {
      let source = errors(of: difference)
      if let source, let last = folded.last, errors(of: last) == source,
        last.change == difference.change
      {
        folded[folded.count - 1] = difference
      } else {
        folded.append(difference)
      }
    }
    return showsConversations && comparesTimes ? folded.inOrderOfTime : folded
  }

  /// The source of an event if it is a line that a program wrote as an error.
  private func errors(of difference: Difference) -> String? {
    isError(difference.a)
      ? difference.a?.line.source
      : isError(difference.b) ? difference.b?.line.source : nil
  }

  private func isError(_ entry: TraceReader.Entry?) -> Bool {
    guard let source = entry?.line.source, source.hasSuffix(".errors") else { return false }
    return b.header.programs.contains(String(source.dropLast(".errors".count)))
  }

  /// True for what a table shows: the events of sources, and of conversations if they are asked
  /// for. Those of connections are called after the sources that they feed.
  private func isShown(_ difference: Difference) -> Bool {
    isShown((difference.a ?? difference.b)?.line.knownKind)
  }

  private func isShown(_ kind: TraceKind?) -> Bool {
    kind == .emitted || kind == .finished || showsConversations && kind?.comparison == .bySender
  }

  /// A line of the table.
  private struct Row {
    var a: String
    var b: String
    var mark = ""
  }

  /// The last events of both runs before they differ.
  private func shared(before first: Difference) -> [Row] {
    guard comparesTimes else { return sharedInOrder(before: first) }
    let time = min(first.a?.time ?? .max, first.b?.time ?? .max)
    let end = first.a?.place.line ?? first.lineBefore + 1
    return lastShared(of: a.entries) { index in
      let own = a.entries.time(of: index)
      return own < time || own == time && a.entries.line(of: index) < end
    }
  }

  /// In real time, the order of the run that has the first difference says what came before it.
  private func sharedInOrder(before first: Difference) -> [Row] {
    let (run, end) = first.b.map { (b, $0.place.line) } ?? (a, first.a?.place.line ?? .max)
    let differing = Set(
      differences.compactMap { (first.b == nil ? $0.a : $0.b)?.place.line })
    return lastShared(of: run.entries) { index in
      let line = run.entries.line(of: index)
      return line < end && !differing.contains(line)
    }
  }

  /// Returns the last events of sources that both runs have. Of the lines before, none is read.
  private func lastShared(of entries: TraceEntries, where isShared: (Int) -> Bool) -> [Row] {
    var shared: [Int] = []
    for index in entries.indices.reversed() {
      if shared.count == TraceDifferences.mostShared { break }
      if isShown(entries.kind(of: index)), isShared(index) { shared.append(index) }
    }
    return shared.reversed().map { index in
      let text = text(of: entries[index])
      return Row(a: text, b: text)
    }
  }

  private func lines(of rows: [Row]) -> [String] {
    let widths = (
      rows.map { displayWidth($0.a) }.max() ?? 0, rows.map { displayWidth($0.b) }.max() ?? 0
    )
    return rows.map { row in
      let left = row.a + spaces(widths.0 - displayWidth(row.a))
      guard !row.mark.isEmpty else { return "\(left)  \(row.b)" }
      return "\(left)  \(row.b)\(spaces(widths.1 - displayWidth(row.b)))  <- \(row.mark)"
    }
  }

  private func text(of entry: TraceReader.Entry?) -> String {
    guard let entry else { return "-" }
    let name = visibleText(entry.line.source ?? entry.line.kind.name)
    // Times in real time differ in each run, and say nothing.
    let time = comparesTimes ? "\(durationText(entry.time)) " : ""
    let whole = "\(time)\(name) \(visibleText(entry.line.valueText))"
    guard isError(entry) else { return cut(whole, at: TraceDifferences.widestColumn, tail: 0) }
    // The kind of an error is at the beginning of its line, and what happened at the end.
    return cut(whole, at: TraceDifferences.widestError, tail: TraceDifferences.widestError / 2)
  }

  private func cut(_ text: String, at width: Int, tail: Int) -> String {
    guard displayWidth(text) > width else { return text }
    return text.prefix(width - tail - 1) + "…" + text.suffix(tail)
  }

  private func spaces(_ count: Int) -> String { String(repeating: " ", count: count) }
}

extension [TraceDifferences.Difference] {
  /// The differences in the order of run B. An event that came later there is where it came then.
  fileprivate var inOrderOfTime: Self {
    enumerated().map { place, difference -> (key: (Microseconds, Int, Int), Element) in
      let time = Swift.max(difference.a?.time ?? 0, difference.b?.time ?? 0)
      return ((time, difference.b?.place.line ?? 0, place), difference)
    }.sorted { $0.key < $1.key }.map(\.1)
  }
}
