import Values

/// The scenarios of a run that was cut off, for the run that continues it.
package struct EarlierScenarios: Sendable {
  private struct Place: Hashable {
    var path: String
    var line: Int
    var row: String?
  }

  private var lines: [Place: Value] = [:]

  package init(_ part: ReportPart) {
    for line in part.scenarios {
      let place = Place(
        path: line.text("path") ?? "", line: line.number("line") ?? 0, row: line.text("row"))
      lines[place] = line
    }
  }

  /// Returns a scenario, or a row of it, with the places of its diagnostics in a file that was read
  /// again; nil if it had not ended.
  package func scenario(in file: FileReport, line: Int, row: String?) -> ScenarioReport? {
    lines[Place(path: file.path, line: line, row: row)].map { line in
      PartReader(sources: QuotedSources(file.sources)).scenario(line, in: file.diagnostics)
    }
  }
}
