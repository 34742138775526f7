import Diagnostics
import Events
import ScenarioEngine
import ScenarioPlan
import TraceRecording
import Values
import Verdicts
import World

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
        clientsOf: relaxed.plan, isInRealTime: world.isInRealTime, hasSubjects: subjects != nil))
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
    let rehearsal = Rehearsal(
      of: relaxed, inputs: inputs,
      judge: SweepJudge(relaxed, awaited, settles: settles, patience),
      hiding: OutsideParties(of: relaxed.plan, inputs.row, in: world.kind, sources),
      recorders: recorders, watching: rules)
    let played = world.run(rehearsal, subjects: subjects)
    guard case .success(let log) = played else {
      return (EventLog(), .withoutWorld(played, relaxed))
    }
    return (log, rehearsal.end(of: log, in: sources))
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
  ) -> Result<EventLog, NoWorld> {
    make(for: rehearsal.shared.plan).map { world in
      subjects.playing { rehearsal.run(in: world, subjects: $0) }
    }
  }
}

extension SweepEnd {
  /// The end of a run for which the system had no room, so that nothing is known of it.
  fileprivate static func withoutWorld(
    _ run: Result<EventLog, NoWorld>, _ shared: SharedPlan
  ) -> SweepEnd {
    var end = SweepEnd(shared.plan, EventLog())
    if case .failure(let problem) = run { end.failures = [problem.reason] }
    end.isStuck = true
    end.isWithoutWorld = true
    return end
  }
}
