import Diagnostics
import LiveWorld
import ScenarioPlan
import Secrets
import Traces
import Verdicts

/// The result of a scenario that another process ran.
package struct EarlierResult: Sendable {
  package var seed: Int
  package var verdict: Verdict
  package var wallMicroseconds: Int
  package var trace: String?
  package var timeline: RunTimeline?

  package init(seed: Int, verdict: Verdict, wallMicroseconds: Int) {
    self.seed = seed
    self.verdict = verdict
    self.wallMicroseconds = wallMicroseconds
  }
}

/// The results that outlive a crash of the process: those of runs that would not be the same again.
package struct KeptResults: Sendable {
  /// Keeps the result of a scenario of a file.
  package var keep: @Sendable (ScenarioResult, FileResult) -> Void
  /// Returns the result that a process before this one has kept.
  package var result: @Sendable (FileResult, ScenarioPlan, RowPlan?) -> EarlierResult?

  package init(
    keep: @escaping @Sendable (ScenarioResult, FileResult) -> Void,
    result: @escaping @Sendable (FileResult, ScenarioPlan, RowPlan?) -> EarlierResult?
  ) {
    self.keep = keep
    self.result = result
  }
}

extension Supervision {
  /// Returns the verdict on a scenario in which a process has crashed, or that is not run since too
  /// many have; nil if it is to run.
  package static func verdict(
    on work: Work, named name: @autoclosure () -> String, at range: SourceRange
  ) -> Verdict? {
    guard isRestarted else { return nil }
    if var crash = crash(of: work) {
      crash.name = name()
      return Verdict(couldNotRunBecauseOf: .system, failures: [.crashed(crash, at: range)])
    }
    guard onlyConcludes, !isDone(work) else { return nil }
    return Verdict(.skipped(reason: reasonNotToRun))
  }

  /// Returns the reason why a recording is not read.
  package static func problem(of path: String) -> Diagnostic? {
    guard isRestarted else { return nil }
    if let crash = crash(of: Work(path)) { return .crashed(crash) }
    return onlyConcludes && !isDone(Work(path)) ? .notReached(path) : nil
  }

  package static var reasonNotToRun: String {
    crashes.count < 3
      ? "the run was interrupted, and the program crashed" : "the program crashed three times"
  }

  /// Returns the name of a scenario, as its crash is reported: `chat.scenario.yaml:3  Title [row]`.
  package static func name(
    of plan: ScenarioPlan, _ row: RowPlan?, in path: String, _ sources: SourceMap,
    _ mask: SecretMask
  ) -> String {
    let range = plan.range
    let line = sources.file(of: range)?.place(of: Int(range.start)).line ?? 1
    let text = "\(path):\(line)  \(plan.title)" + (row.map { " [\($0.id)]" } ?? "")
    return visibleText(mask.masked(text))
  }
}

extension FileRuns {
  /// Gives results to the scenarios that a process before this one has run, or crashed in.
  mutating func takeEarlier(_ suite: Suite) {
    for index in runs.indices {
      let run = runs[index]
      guard run.result == nil, let plan = run.plan.map({ file.head.plans[$0] }) else { continue }
      if let earlier = suite.kept?.result(file.head, plan.plan, run.row) {
        runs[index].result = ScenarioResult(plan, run.row, earlier)
        continue
      }
      let verdict = Supervision.verdict(
        on: plan.plan.work(run.row, in: file.head.path), named: file.place(of: run),
        at: run.row?.range ?? plan.plan.range)
      guard let verdict else { continue }
      runs[index].result = ScenarioResult(
        plan, run.row, seed: suite.seed(of: plan.plan), verdict, wallMicroseconds: 0)
    }
  }
}

extension ScenarioPlan {
  /// The run of the scenario, or of a row of it, as work that may crash.
  package func work(_ row: RowPlan?, in path: String) -> Supervision.Work {
    Supervision.Work(at: range.start, row: row?.range.start, in: path)
  }
}

extension ScenarioResult {
  fileprivate init(_ plan: SharedPlan, _ row: RowPlan?, _ earlier: EarlierResult) {
    self.init(
      plan, row, seed: earlier.seed, earlier.verdict, wallMicroseconds: earlier.wallMicroseconds)
    trace = earlier.trace
    timeline = earlier.timeline
  }
}

extension Diagnostic {
  /// Makes the error of a crash of the program.
  package static func crashed(_ crash: Supervision.Crash, at range: SourceRange? = nil)
    -> Diagnostic
  {
    let place = crash.name.isEmpty ? "outside of scenarios" : "in \(crash.name)"
    var diagnostic = Diagnostic(
      "crashed", "the program crashed with \(crash.signal) \(place)",
      labels: range.map { [.init($0)] } ?? [], help: help(crash))
    if !crash.detail.isEmpty { diagnostic.notes.append(.init("during", crash.detail)) }
    if crash.others > 0 {
      diagnostic.notes.append(
        .init("beside", "\(crash.others) more that may have been the cause, and ran again"))
    }
    return diagnostic
  }

  fileprivate static func notReached(_ path: String) -> Diagnostic {
    Diagnostic(
      "left-alone", severity: .warning,
      "`\(visibleText(path))` was not read: \(Supervision.reasonNotToRun)")
  }

  private static func help(_ crash: Supervision.Crash) -> String {
    ["SIGKILL", "SIGABRT"].contains(crash.signal)
      ? "if memory ran out, run it with fewer `--jobs`; else report it with this file"
      : "this is a mistake of the program: run it alone, and report it with this file"
  }
}
