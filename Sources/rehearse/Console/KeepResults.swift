import LiveWorld
import Reports
import ScenarioPlan
import ScenarioRuns
import Values

extension KeptResults {
  /// Returns what keeps results as lines of a report, for another process if this one crashes; nil
  /// if lines do not have all that the run needs.
  static func outlivingCrashes(for suite: Suite) -> KeptResults? {
    if suite.run.options.notesParts || suite.run.options.updatesSnapshots { return nil }
    let part = Supervision.isRestarted ? ReportPart(lines: Supervision.keptResults()) : nil
    let earlier = part.map(EarlierScenarios.init)
    // The lines of a run in the log that were not written are lost.
    let needsLog = suite.records.log != nil
    let world = suite.world
    return KeptResults(
      keep: { result, file in
        let scenario = ScenarioReport(result, file.sources, withTimes: true)
        let line = ReportEvent.scenario(scenario, FileReport(headOf: file)).line()
        Supervision.keep(result: line)
      },
      result: { file, plan, row in
        guard !needsLog,
          let report = earlier?.scenario(
            in: FileReport(headOf: file), line: line(of: plan, row, file), row: row?.id)
        else { return nil }
        var result = EarlierResult(
          seed: report.seed ?? 0, verdict: report.verdict, wallMicroseconds: Int(report.wall ?? 0))
        result.verdict.isInRealTime = plan.runsInRealTime(in: world)
        result.trace = report.trace
        result.timeline = report.timeline
        return result
      })
  }
}

/// Returns the line of a scenario or row, as a report has it.
private func line(of plan: ScenarioPlan, _ row: RowPlan?, _ file: FileResult) -> Int {
  let range = row?.range ?? plan.range
  return file.sources.line(of: range.file == plan.range.file ? range : plan.range)
}
