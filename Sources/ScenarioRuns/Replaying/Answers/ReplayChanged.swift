import Diagnostics
import ScenarioEngine
import ScenarioPlan
import TraceRecording
import Traces
import Values
import Verdicts

// What would have happened if an answer had been another one.
extension ReplayedTraceFile {
  /// Replays the trace up to the first answer that is to be another one, and runs the scenario with
  /// that answer. The trace is its world then: nothing is compared, and the scenario alone judges.
  func changeAnswers(
    _ noise: NoiseFile, _ one: inout ReplayedCase, _ result: inout ReplayedFile
  ) {
    var finder = AnswerFinder(run, plan, in: file)
    if let reason = reasonNotToChange {
      result.diagnostics = [.answersOfOneRun(reason)]
      return
    }
    for change in options.choice.answers { finder.add(change) }
    result.diagnostics += finder.problems
    guard finder.problems.isEmpty, let first = finder.found.keys.min() else { return }
    let inputs = inputs(one.seed)
    guard comes(to: run.entries.number(of: first), inputs, noise, &one, result) else { return }
    go(on: ChangedAnswers(finder.found), inputs, noise, &one, result)
  }

  /// Replays the trace up to an event. Returns whether it came again, and nothing was different.
  func comes(
    to event: Int, _ inputs: RunInputs, _ noise: NoiseFile, _ one: inout ReplayedCase,
    _ result: ReplayedFile
  ) -> Bool {
    let before = replayed(result.path, noise, inputs, until: event)
    one.verdict = Verdict(.passed, duration: before.lines.last?.time ?? 0)
    conclude(&one, before, result)
    if one.verdict.outcome == .passed, !before.hasReached {
      one.verdict = Verdict(.failed, failures: [.eventNotReached(event, run, in: file)])
    }
    return one.verdict.outcome == .passed
  }

  /// The reason why no answer of this run can be another one.
  private var reasonNotToChange: String? {
    if run.isOfServer, !run.runsPrograms {
      return "this one was served, and the scenario itself gave the answers; change its mocks"
    }
    if !plan.disturbances.isEmpty || run.header.options[.string(RunFacts.disturbances)] != nil {
      return "in this one something else went wrong on purpose"
    }
    return nil
  }

  private func go(
    on changes: ChangedAnswers, _ inputs: RunInputs, _ noise: NoiseFile, _ one: inout ReplayedCase,
    _ result: ReplayedFile
  ) {
    let kind = WorldKind.trace(TraceWorld(result.path, run, noise.places, changing: changes))
    let shared = SharedPlan(plan.changed { $0.only = [] })
    let recording = CourseRecording(
      shared.plan, inputs, scenario.loaded.sources, in: SweepWorld(shared.plan, in: kind),
      namesEvents: true)
    let judged = runScenario(
      shared, inputs: inputs, sources: scenario.loaded.sources, in: kind,
      recorders: [recording.recorder])
    let warnings = one.verdict.warnings
    one.verdict = judged.verdict
    one.verdict.warnings = warnings + judged.verdict.warnings
    guard one.verdict.outcome == .passed || one.verdict.outcome == .failed else { return }
    if one.verdict.outcome == .passed, let untaken = changes.untaken {
      let event = run.entries.number(of: untaken)
      one.verdict.outcome = .failed
      one.verdict.failures = [.eventNotReached(event, run, in: file)]
    }
    show(courses(recording.finish(judged.log), noise), &one, result)
  }

  /// Returns the recorded run beside the other one.
  private func courses(_ recorded: [UInt8], _ noise: NoiseFile) -> [String] {
    guard let now = ReadTrace(recorded).onlyRun else { return [] }
    var differences = TraceDifferences(run, now, noise: noise.rules(plan))
    differences.showsConversations = true
    return differences.sideBySide(titles: "recorded", "with the answer changed")
  }

  private func show(_ courses: [String], _ one: inout ReplayedCase, _ result: ReplayedFile) {
    let lines = courses.isEmpty ? ["no event differs"] : courses
    let facts: [Diagnostic.Fact] =
      options.choice.answers.map { .init("changed", "event \($0.event): \($0.kind.text)") }
      + [.init("runs", lines.joined(separator: "\n"))]
    guard one.verdict.outcome == .failed, !one.verdict.failures.isEmpty else {
      var note = Diagnostic.answerChanged(options.choice.answers, at: run.place, in: file)
      note.notes = facts
      one.verdict.warnings.append(note)
      one.shown = lines.map { $0 + "\n" }.joined()
      return
    }
    one.verdict.failures[0].notes.removeAll { $0.name == Diagnostic.Fact.rerun }
    let answers = options.choice.answers.flatMap {
      ["--answer", String($0.event), shellQuoted($0.kind.text)]
    }
    let command = rerun(result.path, answers)
    one.verdict.failures[0].notes += facts + [.init(Diagnostic.Fact.rerun, command)]
  }

  /// Returns the command that does this again.
  ///
  /// - Parameter choice: Its own options.
  func rerun(_ path: String, _ choice: [String]) -> String {
    let moved = options.choice.scenario.map { ["--scenario", shellQuoted(fileOperand($0))] } ?? []
    let words = ["rehearse", "replay", shellQuoted(fileOperand(path))] + moved + choice
    return (words + options.repeated.words(for: plan)).joined(separator: " ")
  }
}

extension Diagnostic {
  fileprivate static func answerChanged(
    _ changes: [AnswerChange], at place: TracePlace?, in file: Int32
  ) -> Diagnostic {
    let texts = changes.map { "event \($0.event): \($0.kind.text)" }.joined(separator: ", ")
    return Diagnostic(
      "answer-changed", severity: .note,
      "the scenario holds with another answer (\(visibleText(texts)))",
      labels: place.map { [.init($0.range(in: file))] } ?? [])
  }
}
