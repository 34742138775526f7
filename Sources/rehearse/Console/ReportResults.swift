import Diagnostics
import Reports
import ScenarioPlan
import ScenarioRuns
import Values
import Verdicts

extension FileReport {
  /// The report of a file before its scenarios have run.
  init(headOf file: FileResult) {
    self.init(
      path: file.path, sources: file.sources,
      diagnostics: file.diagnostics.sortedForReport()
        + (file.problem.map { [.unreadable(file.path, $0.message)] } ?? []),
      scenarios: [], mask: file.mask)
  }

  /// Keeps the texts only if a diagnostic points into them, so that a large suite does not stay in
  /// memory.
  mutating func dropUnquotedTexts() {
    let isQuoted = !diagnostics.isEmpty || scenarios.contains { $0.verdict.hasFailures }
    if !isQuoted { sources = SourceMap() }
  }
}

extension SnapshotNote {
  init(_ change: SnapshotChange) {
    switch change.kind {
    case .written: self.init(.written, change.path)
    case .updated: self.init(.updated, change.path)
    case .obsolete: self.init(.obsolete, change.path)
    }
  }
}

extension Verdict {
  fileprivate var hasFailures: Bool {
    !failures.isEmpty || !tries.isEmpty || !warnings.isEmpty
  }
}

extension ScenarioReport {
  init(_ result: ScenarioResult, _ sources: SourceMap, withTimes: Bool) {
    let hasTimes = withTimes || !result.verdict.isInRealTime
    let row = result.row?.range ?? result.plan.range
    let isApart = row.file != result.plan.range.file
    let line = sources.line(of: isApart ? result.plan.range : row)
    let rowPlace = sources.file(of: row).map { "\($0.path):\(sources.line(of: row))" }
    self.init(
      title: result.plan.title, line: line, row: result.row?.id,
      rowPlace: isApart ? rowPlace : nil, tags: result.plan.tags,
      seed: result.isBroken ? nil : result.seed,
      verdict: hasTimes ? result.verdict : result.verdict.withoutMeasuredTimes(in: sources),
      wall: result.isBroken ? nil : Microseconds(result.wallMicroseconds),
      mask: result.mask)
    self.hasTimes = hasTimes
    trace = result.trace
    // Its times are measured, and so is the order of its events.
    timeline = hasTimes ? result.timeline : nil
  }
}

extension SourceMap {
  /// Returns the line on which a range begins.
  func line(of range: SourceRange) -> Int {
    file(of: range)?.place(of: Int(range.start)).line ?? 1
  }
}
