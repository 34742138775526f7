import Diagnostics
import Secrets
import Values
import Verdicts

/// The level of detail of a report for people.
package enum Detail: Sendable, Equatable {
  /// Failures and the summary.
  case quiet
  /// Warnings and skipped scenarios as well.
  case normal
  /// All scenarios.
  case verbose
}

/// Returns the report for people: the failures in full, a line for other news, and the summary.
package func humanReport(
  _ run: RunReport, detail: Detail = .normal, style: DiagnosticStyle = DiagnosticStyle()
) -> String {
  let files = run.files.map { humanReport(file: $0, detail: detail, style: style) }
  return files.joined() + humanSummary(run, style: style)
}

/// Returns the report of one file, as soon as it is done; empty if there is nothing to report.
package func humanReport(
  file: FileReport, detail: Detail = .normal, style: DiagnosticStyle = DiagnosticStyle()
) -> String {
  let writer = HumanWriter(detail: detail, style: style)
  return writer.diagnostics(of: file)
    + file.scenarios.map { writer.text(of: $0, in: file) }.joined()
    + file.snapshots.map { writer.text(of: $0) }.joined()
}

/// Returns the report of one scenario, as soon as it is done; empty if there is nothing to report.
package func humanReport(
  _ scenario: ScenarioReport, in file: FileReport, detail: Detail = .normal,
  style: DiagnosticStyle = DiagnosticStyle()
) -> String {
  HumanWriter(detail: detail, style: style).text(of: scenario, in: file)
}

/// Returns the summary: `12 passed, 1 failed, 3 left out by tags in 34ms (virtual 1m3s)`.
package func humanSummary(_ run: RunReport, style: DiagnosticStyle = DiagnosticStyle()) -> String {
  let writer = HumanWriter(detail: .quiet, style: style)
  let tally = Tally(run.files)
  var parts = [writer.paint("\(tally.passed) passed", tally.passed > 0 ? .good : .plain)]
  if tally.failed > 0 { parts.append(writer.paint("\(tally.failed) failed", .bad)) }
  if tally.flaky > 0 { parts.append(writer.paint("\(tally.flaky) flaky", .doubtful)) }
  if tally.couldNotRun > 0 {
    parts.append(writer.paint("\(tally.couldNotRun) could not run", .bad))
  }
  let skipped = tally.skipped - tally.notRun
  if skipped > 0 { parts.append("\(skipped) skipped") }
  if tally.open > 0 { parts.append("\(tally.open) open") }
  if tally.notRun > 0 { parts.append("\(tally.notRun) not run") }
  parts += run.leftOut.texts
  let nothing = skipped > 0 && skipped == tally.total ? ": nothing was run" : ""
  let wall = run.wall.map { " in \(durationText(rounded($0)))" } ?? ""
  let virtual = tally.isInRealTime ? "" : " (virtual \(durationText(tally.virtual)))"
  let jobs = run.wall != nil && run.sideBySide > 1 ? ", \(run.sideBySide) side by side" : ""
  return parts.joined(separator: ", ") + nothing + wall + virtual + jobs + "\n"
}

/// Returns the scenarios that passed only when they ran again, a line each. In a long run their
/// reports are far above.
package func humanFlakyList(
  _ run: RunReport, style: DiagnosticStyle = DiagnosticStyle()
) -> String {
  let writer = HumanWriter(detail: .quiet, style: style)
  return run.files.flatMap { file in
    file.scenarios.filter { $0.verdict.outcome == .flaky }.map { scenario in
      let tries = scenario.verdict.tries.count + 1
      return writer.line("flaky", .doubtful, scenario, file, ": passed at try \(tries)")
    }
  }.joined()
}

/// Returns the scenarios that took the most real time, the slowest first, a line each.
package func humanSlowest(
  _ run: RunReport, count: Int, style: DiagnosticStyle = DiagnosticStyle()
) -> String {
  let writer = HumanWriter(detail: .quiet, style: style)
  let timed = run.files.flatMap { file in
    file.scenarios.compactMap { scenario in scenario.wall.map { ($0, scenario, file) } }
  }
  return timed.sorted { $0.0 > $1.0 }.prefix(count).map { wall, scenario, file in
    writer.line("slow", .faint, scenario, file, "  " + durationText(rounded(wall)))
  }.joined()
}

/// Rounds a duration to three digits, which are enough for a reader.
private func rounded(_ duration: Microseconds) -> Microseconds {
  var unit: Microseconds = 1
  while duration / unit >= 1000, unit < 1_000_000 { unit *= 10 }
  return duration / unit * unit
}

private struct HumanWriter {
  enum Colour: String {
    case plain = ""
    case good = "1;32"
    case bad = "1;31"
    case doubtful = "1;33"
    case faint = "2"
  }

  let detail: Detail
  let style: DiagnosticStyle

  func paint(_ text: String, _ colour: Colour) -> String {
    guard style.color, colour != .plain else { return text }
    return "\u{1B}[\(colour.rawValue)m\(text)\u{1B}[0m"
  }

  /// Returns errors always, and warnings and notes unless only failures are wanted.
  func diagnostics(of file: FileReport) -> String {
    let wanted = file.diagnostics.filter { $0.severity == .error || detail != .quiet }
    let isWhole = detail == .verbose
    return blocks(isWhole ? wanted : wanted.foldingNotes(of: file.path), in: file, file.mask)
  }

  func text(of scenario: ScenarioReport, in file: FileReport) -> String {
    let verdict = scenario.verdict
    switch verdict.outcome {
    case .couldNotRun:
      // The diagnostics of the text are at the head of the file's report, once for all rows.
      let own = verdict.failures.filter { !file.reports($0) }
      return line("FAIL", .bad, scenario, file, ": could not run")
        + blocks(own, in: file, scenario.mask)
    case .failed:
      if detail == .quiet, let brief = verdict.wrongStatus {
        return line("FAIL", .bad, scenario, file, ": " + scenario.mask.masked(brief))
      }
      let word = scenario.hasDiverged ? "DIVERGED" : "FAIL"
      return line(word, .bad, scenario, file, "") + pendingText(of: scenario)
        + blocks(verdict.failures, in: file, scenario.mask)
    case .flaky:
      return line("flaky", .doubtful, scenario, file, ": passed at try \(verdict.tries.count + 1)")
        + blocks(verdict.tries.flatMap { $0 }, in: file, scenario.mask)
    case .skipped(let reason):
      // The summary has the number of those that come after a failure.
      if detail == .quiet || scenario.isNotRun && detail != .verbose { return "" }
      return line(
        "skip", .faint, scenario, file, reason.isEmpty ? "" : ": \(scenario.mask.masked(reason))")
    case .passed:
      if detail != .verbose { return warnings(of: scenario, in: file) }
      let assertions = verdict.assertionsMet == 1 ? "assertion" : "assertions"
      let clock = verdict.isInRealTime ? "" : "virtual "
      let time = scenario.hasTimes ? ", \(clock)\(durationText(verdict.duration))" : ""
      let figures = "\(verdict.assertionsMet) \(assertions)\(time)"
      let lag = verdict.lag.map { ", machine \(tooSlow($0))" } ?? ""
      return line("ok  ", .good, scenario, file, "  " + paint(figures + lag, .faint))
        + pendingText(of: scenario) + neverExercisedText(of: scenario)
        + warnings(of: scenario, in: file)
    }
  }

  /// Returns what the run has found although the scenario holds.
  private func warnings(of scenario: ScenarioReport, in file: FileReport) -> String {
    if detail == .quiet || scenario.verdict.warnings.isEmpty { return "" }
    return blocks(scenario.verdict.warnings, in: file, scenario.mask)
  }

  /// Returns the parts that the run never used, a line each.
  private func neverExercisedText(of scenario: ScenarioReport) -> String {
    scenario.verdict.neverExercised.map { part in
      let text = "never exercised: \(visibleText(part.part)) (line \(part.line))"
      return "     " + paint(text, .faint) + "\n"
    }.joined()
  }

  /// Returns the operations that were open at the end. They are no failures, so only the verbose
  /// report has them.
  private func pendingText(of scenario: ScenarioReport) -> String {
    guard detail == .verbose else { return "" }
    return pendingLines(scenario.verdict, scenario.mask, withTimes: scenario.hasTimes)
      .map { "     " + paint($0, .faint) + "\n" }.joined()
  }

  /// Returns the line `snapshot written: __snapshots__/…`.
  func text(of snapshot: SnapshotNote) -> String {
    if detail == .quiet { return "" }
    let colour: Colour = snapshot.kind == .obsolete ? .doubtful : .good
    let word = paint("snapshot \(snapshot.kind.rawValue)", colour)
    return "\(word): \(visibleText(snapshot.path))\n"
  }

  func line(
    _ word: String, _ colour: Colour, _ scenario: ScenarioReport, _ file: FileReport, _ end: String
  ) -> String {
    let place = style.linked(place: "\(file.path):\(scenario.line)")
    let row = scenario.rowPlace.map { " (\(visibleText($0)))" } ?? ""
    return "\(paint(word, colour)) \(place)  \(visibleText(scenario.name))\(row)\(end)\n"
  }

  /// The mask of the file hides the values of other rows, which a quoted line may hold.
  private func blocks(
    _ diagnostics: [Diagnostic], in file: FileReport, _ mask: SecretMask
  ) -> String {
    diagnostics.map { diagnostic in
      let masked = diagnostic.masked(by: mask.masked(page:))
      return render(masked, in: file.sources, style: style, hiding: file.hiding(mask))
        + (diagnostic.severity == .note ? "" : "\n")
    }.joined()
  }
}

extension Verdict {
  /// The failure in one line, if nothing but the status of an answer was wrong.
  fileprivate var wrongStatus: String? {
    guard failures.count == 1, tries.isEmpty, let failure = failures.first,
      failure.id == "unexpected-answer", failure.differences.count == 1,
      let difference = failure.differences.first, difference.path == ".status",
      let actual = difference.actual, let expected = difference.expected,
      let request = failure.notes.first(where: { $0.name == "request" })
    else { return nil }
    let words = request.text.prefix { $0 != "\n" }.split(separator: " ").prefix(2)
    return words.joined(separator: " ") + ": status \(actual), expected \(expected)"
  }
}
