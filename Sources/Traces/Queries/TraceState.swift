import Diagnostics
import Values

/// The last value of every source at an event.
package struct TraceState: Sendable {
  package let event: TraceReader.Entry
  /// The last event of each source, sorted by source.
  package let values: [TraceReader.Entry]

  /// Makes the state at an event; nil if the run has no event with this number.
  ///
  /// - Parameter sources: The wanted sources; none stands for all.
  package init?(at number: Int, in run: TraceRun, sources: [String] = []) {
    guard let last = run.index(of: number) else { return nil }
    var values: [String: TraceReader.Entry] = [:]
    for entry in run.entries[...last] where entry.line.setsValue {
      guard let source = entry.line.source else { continue }
      if sources.isEmpty || sources.contains(source) { values[source] = entry }
    }
    event = run.entries[last]
    self.values = values.sorted { comesBefore($0.key, $1.key) }.map(\.value)
  }

  package var answer: TraceAnswer {
    let names = values.map { visibleText($0.line.source ?? "") }
    let width = names.map(\.count).max() ?? 0
    let lines = zip(names, values).map { name, entry in
      let gap = String(repeating: " ", count: width - name.count + 2)
      return "\(name)\(gap)\(entry.line.valueText)  (event \(entry.number), \(entry.timeText))"
    }
    let none = "no source had a value at event \(event.number)"
    var sources = ValueMap()
    for entry in values { sources[.string(entry.line.source ?? "")] = entry.json }
    return TraceAnswer(
      lines: lines.isEmpty ? [none] : lines,
      json: [
        "event": .int(event.number), "us": .int(Int(event.time)), "sources": .map(sources),
      ])
  }
}
