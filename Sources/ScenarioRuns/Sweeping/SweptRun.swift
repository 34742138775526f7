import Diagnostics
import Events
import LiveWorld
import ScenarioEngine
import ScenarioPlan
import TraceRecording
import Traces
import Values
import Verdicts

/// The Swift objects of the runs of a sweep. No run gets an object of another, whose state would
/// make the result depend on the order of the runs.
package protocol CourseSubjects: Sendable {
  /// Makes the objects of a run, which begins now. One run ends before the next begins.
  func begin() -> any StageSubjects

  /// Ends the run and its objects.
  func end()

  /// Returns the line of a test that repeats a course.
  func line(repeating course: SweepCourse) -> String
}

extension (any CourseSubjects)? {
  /// Lets a run happen, with its own objects if there are any.
  func playing<Result>(_ run: ((any StageSubjects)?) -> Result) -> Result {
    guard let self else { return run(nil) }
    defer { self.end() }
    return run(self.begin())
  }
}

/// The runs of a scenario by the rules of disturbed runs, and all that they share.
struct SweptRuns: Sendable {
  let relaxed: SharedPlan
  let awaited: LastAwaited
  let rules: WatchedRules
  private let sources: SourceMap
  private let subjects: (any CourseSubjects)?
  private let world: SweepWorld

  init(
    of plan: ScenarioPlan, _ sources: SourceMap, _ subjects: (any CourseSubjects)?,
    in world: SweepWorld
  ) {
    let plan = plan.relaxedForSweep(isInRealTime: world.isInRealTime)
    relaxed = SharedPlan(plan.plan)
    awaited = plan.awaited
    rules = WatchedRules(
      relaxed.plan,
      WatchedEndpoints(
        clientsOf: relaxed.plan, isInRealTime: world.isInRealTime, hasSubjects: subjects != nil),
      isCompared: true)
    self.sources = sources
    self.subjects = subjects
    self.world = world
  }

  func run(
    _ inputs: RunInputs, settles: Bool, _ patience: SweepPatience,
    _ recorders: [RunRecorder] = []
  ) -> (EventLog, SweepEnd) {
    var inputs = inputs
    inputs.notesActions = true
    let relaxed = plan(waitingFor: inputs)
    let rehearsal = Rehearsal(
      of: relaxed, inputs: inputs,
      judge: SweepJudge(relaxed, awaited, settles: settles, patience),
      hiding: OutsideParties(of: relaxed.plan, inputs.row, in: world.kind, sources),
      recorders: recorders, watching: rules)
    let played = world.run(rehearsal, subjects: subjects)
    guard case .success(let run) = played else {
      return (EventLog(), .withoutWorld(played, relaxed))
    }
    return (run.log, rehearsal.end(of: run.log, in: sources))
  }
}

extension SweptRuns {
  /// Returns the plan for a course in which a piece is delayed, or the client's machine sleeps. It
  /// waits so much longer, since the delay may be as long as a program waits. In real time all
  /// delays are short.
  private func plan(waitingFor inputs: RunInputs) -> SharedPlan {
    let delay = world.hasPrograms && !world.isInRealTime ? inputs.longestDelay : 0
    let wait = inputs.options.disturbances.compactMap(\.sleep).reduce(delay, later)
    guard wait > 0 else { return relaxed }
    return SharedPlan(relaxed.plan.changed { $0.timeout = later($0.timeout, by: wait) })
  }

  /// Runs a scenario without a disturbance by the rules of disturbed runs, and records it if it has
  /// programs.
  func patientRun(_ inputs: RunInputs, in world: SweepWorld) -> (end: SweepEnd, trace: [UInt8]?) {
    let recording =
      world.hasPrograms ? CourseRecording(relaxed.plan, inputs, sources, in: world) : nil
    let (log, end) = run(
      inputs, settles: true, .undisturbed(relaxed.plan), recording.map { [$0.recorder] } ?? [])
    return (end, recording?.finish(log))
  }
}

extension Diagnostic {
  /// Returns the warning that two runs in virtual time differ, by their traces.
  static func notRepeatable(
    _ plan: ScenarioPlan, _ first: [UInt8]?, _ second: [UInt8]?
  ) -> Diagnostic {
    let runs = [first, second].compactMap { $0.flatMap { ReadTrace($0).onlyRun } }
    let lines =
      runs.count == 2
      ? TraceDifferences(runs[0], runs[1]).sideBySide(titles: "first", "second") : []
    var diagnostic = notRepeatable(at: plan.range)
    diagnostic.severity = .warning
    diagnostic.notes = lines.isEmpty ? [] : [.init("runs", lines.joined(separator: "\n"))]
    return diagnostic
  }
}

extension Rehearsal<SweepJudge> {
  /// Returns the end of a run, with the rules of protocols that it broke.
  func end(of log: EventLog, in sources: SourceMap) -> SweepEnd {
    var end = judge.end(of: log, in: sources)
    guard let watcher else { return end }
    end.brokenRules = watcher.broken(in: log).map { found in
      var broken = found.masked(by: end.mask.masked(page:))
      broken.severity = .error
      return broken
    }
    end.exercisedRules = watcher.exercised
    return end
  }
}

extension SweepWorld {
  /// Runs a scenario in a world of its own.
  func run<RunJudge>(
    _ rehearsal: Rehearsal<RunJudge>, subjects: (any CourseSubjects)?
  ) -> Result<PlayedRun, NoWorld> {
    Supervision.besideChildren(rehearsal.shared.plan.hasVirtualPrograms) {
      let plan = rehearsal.shared.plan
      let trace = (try? plan.world(in: kind).get())?.kind.trace?.played(for: plan)
      return make(for: plan, seed: rehearsal.inputs.seed).map { world in
        let role = trace.map { RunRole.replayed($0.replay) } ?? .test
        let log = subjects.playing { rehearsal.run(as: role, in: world, subjects: $0) }
        return PlayedRun(log: log, doubts: world.doubts)
      }
    }
  }
}

/// A run of a sweep that has ended.
struct PlayedRun {
  var log: EventLog
  /// The warnings about what it cannot promise.
  var doubts: [Diagnostic]
}

extension SweepEnd {
  /// The end of a run for which the system had no room, so that nothing is known of it.
  fileprivate static func withoutWorld(
    _ run: Result<PlayedRun, NoWorld>, _ shared: SharedPlan
  ) -> SweepEnd {
    var end = SweepEnd(shared.plan, EventLog())
    if case .failure(let problem) = run { end.failures = [problem.reason] }
    end.isStuck = true
    end.isWithoutWorld = true
    return end
  }
}

extension RunInputs {
  /// The longest delay among the disturbances.
  fileprivate var longestDelay: Microseconds {
    options.disturbances.compactMap { disturbance in
      if case .piece(_, .delay(let length)) = disturbance { length } else { nil }
    }.max() ?? 0
  }
}
