import Diagnostics
import Events
import LiveWorld
import ScenarioEngine
import ScenarioPlan
import ScenarioSpec
import TraceRecording
import Values
import Verdicts
import World

/// Loads a file: text → tree → documents → complete documents → plans.
package func loadScenarios(
  _ file: SourceFile, inputs: PlanInputs = PlanInputs(), components: ComponentFiles = .onDisk,
  configuration: Configuration = .none
) -> LoadedFile {
  var loading = FileLoading(file, inputs: inputs, files: components, configuration)
  let tree = loading.parse()
  var plans: [ScenarioPlan] = []
  switch loading.kind {
  case .scenarios: plans = loading.makePlans(consume tree)
  case .component: loading.diagnoseComponent(tree)
  case .steps: loading.diagnoseSteps(tree)
  case .configuration: plans = loading.makeSetup(tree)
  }
  return loading.finish(consume plans)
}

/// Runs a scenario and judges it.
package func runScenario(
  _ plan: ScenarioPlan, inputs: RunInputs, sources: SourceMap = SourceMap(),
  in kind: WorldKind = .mock, recorders: [RunRecorder] = [],
  repeating repeated: RepeatedOptions = RepeatedOptions()
) -> JudgedRun {
  runScenario(
    SharedPlan(plan), inputs: inputs, sources: sources, in: kind,
    recorders: recorders, repeating: repeated)
}

/// Runs a scenario and judges it: plan → live objects → events → verdict.
package func runScenario(
  _ shared: SharedPlan, inputs: RunInputs, sources: SourceMap = SourceMap(),
  in kind: WorldKind = .mock, recorders: [RunRecorder] = [],
  repeating repeated: RepeatedOptions = RepeatedOptions(), subjects: (any StageSubjects)? = nil
) -> JudgedRun {
  Supervision.besideChildren(shared.plan.hasVirtualPrograms) {
    judgedRun(
      shared, inputs, sources, in: kind, recorders: recorders, repeating: repeated,
      subjects: subjects)
  }
}

private func judgedRun(
  _ shared: SharedPlan, _ inputs: RunInputs, _ sources: SourceMap, in kind: WorldKind,
  recorders: [RunRecorder], repeating repeated: RepeatedOptions, subjects: (any StageSubjects)?
) -> JudgedRun {
  let plan = shared.plan
  let unset = plan.unsetNames.first.map { "no set-up has run, and one captures `\($0)`" }
  if let reason = plan.reasonToSkip(in: kind, hasSubjects: subjects != nil) ?? unset {
    return JudgedRun(Verdict(.skipped(reason: reason)))
  }
  if !inputs.options.disturbances.isEmpty || !plan.disturbances.isEmpty {
    if let reason = plan.reasonNotToDisturb(in: kind, hasSubjects: subjects != nil) {
      return JudgedRun(Verdict(.skipped(reason: reason)))
    }
    return runDisturbed(
      shared, inputs, sources, in: kind, recorders: recorders, repeating: repeated)
  }
  let chosen = plan.world(in: kind)
  switch chosen.flatMap({ makeWorld($0, for: plan, seed: inputs.seed) }) {
  case .failure(let problem):
    return JudgedRun(of: problem, plan, inputs)
  case .success(let world):
    let judge = ScenarioJudge(shared, updatesSnapshots: inputs.options.updatesSnapshots)
    let trace = (try? chosen.get())?.kind.trace.map { $0.played(for: plan) }
    let watched = WatchedEndpoints(
      plan, in: world, playsTrace: trace != nil, hasSubjects: subjects != nil)
    var inputs = inputs
    inputs.complete(for: plan)
    let rehearsal = Rehearsal(
      of: shared, inputs: inputs, judge: judge,
      hiding: OutsideParties(of: plan, inputs.row, in: kind, sources), recorders: recorders,
      watching: watched.isAny ? WatchedRules(plan, watched) : nil)
    var log = rehearsal.run(
      as: trace.map { .replayed($0.replay) } ?? .test, in: world, subjects: subjects)
    log.recordedNumbers = recorders.first { !$0.namesEvents }?.numbers
    var verdict = judge.verdict(
      on: log, sources: sources, bodyLines: inputs.options.bodyLines ?? usualBodyLines,
      rerun: rerunCommand(
        plan, inputs: inputs, sources: sources, in: kind, repeating: repeated))
    verdict.failures = trace?.noting(leftOut: verdict.failures) ?? verdict.failures
    verdict.warnings += (trace?.warnings ?? []) + plan.unknownEndpoints(of: kind)
    verdict.warnings += rehearsal.watcher?.warnings(in: log, judge) ?? []
    verdict.credentials = judge.foundCredentials
    verdict.warnings += [judge.nothingEvaluated(beside: verdict.neverExercised)].compactMap(\.self)
    verdict.addFindings(world.doubts + comparedRuns(log, plan, inputs, in: kind))
    return JudgedRun(
      log: log, verdict: verdict, captured: judge.captured(by: plan), lag: world.lagOfMachine)
  }
}

extension JudgedRun {
  /// A run that has no world.
  fileprivate init(of problem: NoWorld, _ plan: ScenarioPlan, _ inputs: RunInputs) {
    let mask = plan.secretMask(of: inputs.row)
    self.init(
      Verdict(
        couldNotRunBecauseOf: problem.obstacle,
        failures: [problem.reason.masked(by: mask.masked(page:))]))
  }
}

extension ScenarioPlan {
  /// Returns why the scenario does not run in a world; nil if it does.
  ///
  /// Swift objects may feed its `sources`.
  package func reasonToSkip(in kind: WorldKind, hasSubjects: Bool = false) -> String? {
    if let skip { return skip }
    if !declaredSources.isEmpty, !hasSubjects {
      return "a trace feeds its `sources`: see `rehearse judge --help`"
    }
    if let missing = requires.first(where: { !isInstalled($0) }) {
      return "`\(missing)` is not installed, which it `requires`"
    }
    if !disturbances.isEmpty, worlds(in: kind).contains(where: { !isWorldOfCourses($0) }) {
      return "what `disturb` names can only go wrong between a client and mocks in memory"
    }
    if only.isEmpty || worlds(in: kind).contains(where: only.contains) { return nil }
    return "it runs only against \(only.map(\.rawValue).joined(separator: " or "))"
  }

  /// Returns whether a course that was pinned is the same in a world. The mocks of programs are on
  /// sockets in any case.
  private func isWorldOfCourses(_ world: WorldName) -> Bool {
    world == .mock || (world == .sockets && !programs.isEmpty)
  }
}

/// The events of a run and the verdict on them.
package struct JudgedRun: Sendable {
  package var log: EventLog
  package var verdict: Verdict
  /// The values that a set-up has captured, by name; nil for any other run.
  var captured: [String: Value]?
  /// How late the machine was; nil in virtual time.
  var lag: Microseconds?
  /// The courses that a sweep would try, if clients from outside were to show them.
  package var courses: [SweepCourse] = []
}

extension ScenarioJudge {
  fileprivate func captured(by plan: ScenarioPlan) -> [String: Value]? {
    guard plan.setup != nil else { return nil }
    var captured: [String: Value] = [:]
    for (id, capture) in plan.captures.withIDs {
      captured[capture.name] = self.capture(id, in: .main)
    }
    return captured
  }
}

extension JudgedRun {
  /// Makes the verdict on a run that did not begin.
  fileprivate init(_ verdict: Verdict) { self.init(log: EventLog(), verdict: verdict) }
}
