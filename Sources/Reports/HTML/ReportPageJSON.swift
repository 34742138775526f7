import Diagnostics
import Secrets
import Verdicts

// The data of the page, as its script reads it.
extension ReportPage {
  /// The sums, and the number of blocks of rows.
  func head(blocks: Int) -> String {
    JSONWriter.object { writer in
      writer.member("passed", tally.passed)
      writer.member("failed", tally.failed)
      writer.member("flaky", tally.flaky)
      writer.member("skipped", tally.skipped)
      writer.member("couldNotRun", tally.couldNotRun)
      writer.member("virtual", tally.virtual)
      writer.member("wall", wall)
      writer.addContext(of: run)
      writer.member("rows", rows.count)
      writer.member("blocks", blocks)
      writer.addCoverage(coverage)
      if let coverage { writer.member("covered", coverage.summary) }
      writer.addRules(rules)
      if !run.past.isEmpty { writer.member("past", listOf: run.past) { $0.origin(of: $1) } }
      if let compared = run.compared {
        writer.member("compared") { $0.origin(of: compared) }
        let ids = Set(run.files.flatMap { file in file.scenarios.map { $0.id(in: file) } })
        let gone = compared.results.keys.filter { !ids.contains($0) }.sorted()
        writer.member("gone", listOf: gone) { $0.text($1) }
      }
    }
  }

  /// The rows, and the documents that open with them, as lists in JSON.
  ///
  /// A large suite has thousands of short documents that are alike. One by one, they would take
  /// several times the room and the time.
  func blocks(atMost bytes: Int) -> (rows: [String], details: [String]) {
    var rowBlocks = PageBlocks(bytes: bytes)
    var detailBlocks = PageBlocks(bytes: bytes)
    for row in rows {
      let detail = row.hasDetail ? detailBlocks.append(detail(of: row)) : nil
      _ = rowBlocks.append(json(of: row, detail))
    }
    return (rowBlocks.finished(), detailBlocks.finished())
  }

  private func json(of row: Row, _ detail: PageBlocks.Place?) -> String {
    JSONWriter.object { writer in
      writer.member("o", row.outcome)
      if row.isScenarioWithWarnings { writer.member("x", 1) }
      switch row {
      case .file(let file), .warnings(let file):
        writer.member("t", file.path)
        writer.member("p", file.path)
        if let first = row.diagnostics.first { writer.addFirst(first, in: file, file.mask) }
      case .scenario(let scenario, let file):
        writer.addRow(of: scenario, in: file, withTimes: wall != nil)
        writer.addPast(of: scenario.id(in: file), in: run)
      }
      if let detail {
        writer.member("d", listOf: [detail.block, detail.index]) { $0.raw("\($1)") }
      }
      if !row.pieces.isEmpty { writer.member("n", row.pieces.count) }
      if !row.courses.isEmpty { writer.member("u", row.courses.count) }
    }
  }

  /// The courses of a swept scenario, with the numbers of the pieces of their timelines.
  func courses(of row: Row) -> String? {
    guard case .scenario(let scenario, _) = row, !scenario.courses.isEmpty else { return nil }
    return JSONWriter.object { writer in
      writer.member("courses", listOf: scenario.courses) { writer, course in
        writer.object {
          $0.member("c", course.name)
          $0.member("o", course.result)
          if let message = course.message { $0.member("m", scenario.mask.masked(page: message)) }
          $0.member("n", course.timeline?.writtenPieces.count ?? 0)
        }
      }
    }
  }

  /// The document that opens with a row.
  func detail(of row: Row) -> String {
    JSONWriter.object { writer in
      switch row {
      case .file(let file), .warnings(let file):
        writer.addPages("pages", of: [row.diagnostics], in: file, file.mask)
        let masked = row.diagnostics.map { $0.masked(by: file.mask.masked(page:)) }
        writer.member("failures", listOf: masked) { $0.diagnostic($1, in: file.sources) }
      case .scenario(let scenario, let file):
        writer.addMembers(of: scenario, in: file, withTimes: wall != nil, withTexts: false)
        writer.addDetail(of: scenario, in: file)
      }
    }
  }
}

extension ReportPage.Row {
  /// The outcome that the sums count. A scenario that has warnings and passed has passed.
  fileprivate var outcome: String {
    switch self {
    case .file: "could-not-run"
    case .warnings: "warned"
    case .scenario(let scenario, _): word(for: scenario.verdict.outcome)
    }
  }

  fileprivate var isScenarioWithWarnings: Bool {
    if case .scenario(let scenario, _) = self { !scenario.verdict.warnings.isEmpty } else { false }
  }
}

extension JSONWriter {
  fileprivate mutating func addRow(
    of scenario: ScenarioReport, in file: FileReport, withTimes: Bool
  ) {
    let verdict = scenario.verdict
    member("t", scenario.mask.masked(scenario.title))
    if let row = scenario.row { member("r", scenario.mask.masked(row)) }
    member("p", file.path)
    member("l", scenario.line)
    if !scenario.tags.isEmpty {
      member("g", listOf: scenario.tags) { $0.text(scenario.mask.masked($1)) }
    }
    if scenario.hasTimes {
      member("v", verdict.duration)
      member("e", verdict.eventCount)
    }
    if withTimes, let wall = scenario.wall { member("w", wall) }
    member("a", listOf: [verdict.assertionsMet, verdict.assertionsReached]) { $0.raw("\($1)") }
    if let seed = scenario.seed { member("s", "\(UInt64(bitPattern: Int64(seed)))") }
    if case .skipped(let reason) = verdict.outcome { member("m", scenario.mask.masked(reason)) }
    let first = verdict.firstFailure ?? verdict.warnings.first
    if let first { addFirst(first, in: file, scenario.mask) }
  }

  fileprivate mutating func origin(of run: PastRun) {
    object {
      if let began = run.began { $0.member("began", began) }
      if let commit = run.commit { $0.member("commit", commit) }
    }
  }

  /// Adds the earlier results of a scenario, and the one that it is compared with.
  fileprivate mutating func addPast(of id: String, in run: RunReport) {
    let results = run.past.enumerated().flatMap { number, past in
      (past.results[id] ?? []).map { (number, $0) }
    }
    if !results.isEmpty {
      member("h", listOf: results.suffix(PastRun.mostShown)) { writer, result in
        writer.object {
          $0.member("r", result.0)
          $0.addResult(of: result.1)
        }
      }
    }
    guard let before = run.compared?.results[id]?.last else { return }
    member("b") { writer in
      writer.object {
        $0.addResult(of: before)
        guard let failure = before.verdict.firstFailure else { return }
        $0.addFirst(failure)
      }
    }
  }

  private mutating func addResult(of scenario: ScenarioReport) {
    member("o", word(for: scenario.verdict.outcome))
    if let wall = scenario.wall { member("w", wall) }
  }

  /// Adds a failure, and by what it is like others: its id and its place.
  fileprivate mutating func addFirst(
    _ failure: Diagnostic, in file: FileReport, _ mask: SecretMask
  ) {
    addFirst(failure.masked(by: mask.masked(page:)))
    member("i", failure.id.rawValue)
    if let range = failure.labels.first?.range, let source = file.sources.file(of: range) {
      let place = source.place(of: Int(range.start))
      member("q", "\(source.path):\(place.line):\(place.column)")
    }
  }

  private mutating func addFirst(_ failure: Diagnostic) {
    member("m", failure.message)
    let shown = failure.firstDifferences
    if shown.isEmpty { return }
    member("f", listOf: shown) { $0.list($1) { $0.text($1) } }
  }

  fileprivate mutating func addDetail(of scenario: ScenarioReport, in file: FileReport) {
    let verdict = scenario.verdict
    addPages("pages", of: verdict.failures.map { [$0] }, in: file, scenario.mask)
    addPages("tryPages", of: verdict.tries, in: file, scenario.mask)
    addPages("warningPages", of: verdict.warnings.map { [$0] }, in: file, scenario.mask)
    if let timeline = scenario.timeline {
      member("timeline") { $0.raw(timeline.facts) }
      if let lines = timeline.shortList { member("lines") { $0.raw(lines) } }
    }
  }

  /// Adds failures as people read them in a terminal.
  fileprivate mutating func addPages(
    _ name: String, of failures: [[Diagnostic]], in file: FileReport, _ mask: SecretMask
  ) {
    if failures.isEmpty { return }
    member(name, listOf: failures) { $0.text(page(of: $1, in: file, mask).trimmingLines) }
  }
}
