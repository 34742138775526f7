import Diagnostics
import Events
import LiveWorld
import ScenarioEngine
import ScenarioPlan
import TraceRecording
import Traces
import Values
import Verdicts
import World

/// The result of sweeping one scenario, or one row of its table.
package struct SweepResult: Sendable {
  /// The number of courses that were tried.
  package var places = 0
  package var held = 0
  /// The number of courses that were not tried, because the time was over.
  package var left = 0
  /// The number of places that made the same run as another, so that they were not run again.
  package var repeated = 0
  /// The number of connections of the good run for which there was no network: nothing that could
  /// go wrong there would change anything.
  package var withoutNetwork = 0
  /// The number of courses that were left out because they are like others.
  package var alike = 0
  /// The reason why there is no place at which something could go wrong; nil if there are places.
  package var reasonForNoPlace: String?
  /// The courses in which the scenario itself could not go on, so that the client may be right.
  package var unclear: [SweepCourse] = []
  /// The courses that failed in one of two runs, which only real time makes possible.
  package var flaky: [SweepCourse] = []
  /// The courses whose place two runs did not come to, which only real time makes possible.
  package var missed: [SweepCourse] = []
  /// The courses that were found, if the sweep only lists them.
  package var listed: [SweepCourse] = []
  package var groups: [SweepGroup] = []
  /// True if there are more courses than a sweep tries.
  package var isCut = false
  /// The number of samples of invariants in all courses.
  package var invariantsSampled = 0
  /// How often each rule was exercised and broken in all courses on which there is a verdict.
  package var rules: [SweepRule] = []
  /// The verdict on the run without a disturbance.
  package var good: Verdict
}

/// The courses that failed for one cause.
package struct SweepGroup: Sendable {
  package var courses: [SweepCourse]
  /// The course with the fewest events.
  package var shortest: SweepCourse
  package var diagnostic: Diagnostic
  /// The trace of the shortest course, if it was recorded while it ran.
  var recording: [UInt8]?
}

/// The way in which scenarios are swept.
package struct SweepOptions: Sendable {
  package var jobs = 1
  /// The workers that runs in virtual time share with other scenarios; nil if there are as many as
  /// `jobs` says, for this scenario alone.
  package var workers: Workers?
  package var pairs = false
  /// True if all courses are tried of those that are alike.
  package var allPlaces = false
  package var repeated = RepeatedOptions()
  package var isInterrupted: @Sendable () -> Bool = { false }
  package var world = WorldKind.mock
  /// True if courses are only found, and not tried.
  package var listsOnly = false
  /// Receives what a sweep in real time is about to do, before it does it.
  package var onForecast: @Sendable (SweepForecast) -> Void = { _ in }
  /// The place and the name of the scenario.
  package var name = ""
  /// Called in a sweep in real time when a run has ended, by the thread of the run.
  package var onRunEnded: @Sendable () -> Void = {}

  package init() {}
}

/// Runs a scenario once more for each place at which something can go wrong.
///
/// Swift objects share their thread, so that their runs go one after the other.
package func sweepScenario(
  _ shared: SharedPlan, inputs: RunInputs, sources: SourceMap, options: SweepOptions,
  subjects: (any CourseSubjects)? = nil
) -> SweepResult {
  var inputs = inputs
  inputs.isInterrupted = options.isInterrupted
  let rehearsal = Supervision.underWay(.init(options.name), detail: "without a disturbance") {
    SweepRehearsal(shared, inputs, sources, subjects, in: options.world)
  }
  var result = SweepResult(good: rehearsal.verdict)
  guard rehearsal.verdict.outcome == .passed else { return result }
  let found = findCourses(
    in: rehearsal.log, of: shared.plan, pairs: options.pairs,
    isInRealTime: rehearsal.world.isInRealTime, allPlaces: options.allPlaces)
  result.alike = found.alike
  result.isCut = found.isCut
  result.withoutNetwork = found.withoutNetwork
  if found.courses.isEmpty { result.reasonForNoPlace = shared.plan.reasonForNoPlace(found) }
  guard !options.listsOnly else {
    result.listed = found.courses
    return result
  }
  let outcomes = rehearsal.outcomes(of: found.courses, options)
  result.add(outcomes, of: found.courses.count, rehearsal, options)
  return result
}

extension SweepResult {
  fileprivate mutating func add(
    _ outcomes: [SweepOutcome], of count: Int, _ rehearsal: SweepRehearsal, _ options: SweepOptions
  ) {
    places = outcomes.count
    left = count - outcomes.count
    repeated = outcomes.count(where: \.isRepeated)
    held = outcomes.count { $0.result == .held }
    invariantsSampled = outcomes.reduce(0) { $0 + $1.invariantsSampled }
    rules = countedRules(
      outcomes.map {
        (
          exercised: $0.exercised,
          broken: $0.result == .failed ? $0.findings.map(\.diagnostic.id) : []
        )
      })
    unclear = outcomes.filter { $0.result == .unclear }.map(\.course)
    flaky = outcomes.filter { $0.result == .flaky }.map(\.course)
    missed = outcomes.filter { $0.result == .missed }.map(\.course)
    groups = ScenarioRuns.groups(of: outcomes.filter { $0.result == .failed })
    if groups.isEmpty { return }
    let good = rehearsal.recordedGoodRun()
    groups = resultsInOrder(of: groups, by: rehearsal.workers(options)) { group in
      Supervision.underWay(.init(options.name), detail: group.shortest.name) {
        group.completed(rehearsal, good, options.repeated)
      }
    }
  }
}

/// Runs a scenario with the disturbances of its inputs. The verdict is that of a sweep.
package func runDisturbed(
  _ shared: SharedPlan, _ inputs: RunInputs, _ sources: SourceMap, in kind: WorldKind = .mock,
  recorders: [RunRecorder], repeating repeated: RepeatedOptions = RepeatedOptions(),
  subjects: (any CourseSubjects)? = nil
) -> JudgedRun {
  var undisturbed = inputs
  undisturbed.disturbances = []
  let disturbances = inputs.disturbances.isEmpty ? shared.plan.disturbances : inputs.disturbances
  let rehearsal = SweepRehearsal(shared, undisturbed, sources, subjects, in: kind)
  if let verdict = rehearsal.obstacle(to: disturbances) {
    return JudgedRun(log: rehearsal.log, verdict: verdict)
  }
  let recording = rehearsal.world.isInRealTime ? rehearsal.makeRecording() : nil
  let (log, end) = rehearsal.run(disturbances, recorders + (recording.map { [$0.recorder] } ?? []))
  if let verdict = rehearsal.obstacle(of: disturbances, log, end) {
    return JudgedRun(log: log, verdict: verdict)
  }
  var verdict = rehearsal.verdict(on: log, end)
  if !verdict.failures.isEmpty {
    let course = SweepCourse(disturbances)
    verdict.failures[0].notes.append(.init("disturbed", course.name))
    verdict.failures[0].notes += rehearsal.comparison(
      of: rehearsal.recordedGoodRun(), with: disturbances, recorded: recording?.finish(log))
    let command = rehearsal.command(
      repeating: course, inputs, in: kind, plan: shared.plan, repeated)
    if let command { verdict.failures[0].notes.append(.init(Diagnostic.Fact.rerun, command)) }
  }
  return JudgedRun(log: log, verdict: verdict)
}

/// The runs of a scenario that a sweep begins with, in which nothing goes wrong.
final class SweepRehearsal: Sendable {
  let shared: SharedPlan
  private let runs: SweptRuns
  var relaxed: SharedPlan { runs.relaxed }
  var awaited: LastAwaited { runs.awaited }
  var rules: WatchedRules { runs.rules }
  let inputs: RunInputs
  let sources: SourceMap
  private let subjects: (any CourseSubjects)?
  /// True if Swift objects play, which share their thread.
  var hasSubjects: Bool { subjects != nil }
  let world: SweepWorld
  /// The time that a run takes which recovers, by the machine's clock.
  let lengthOfRun: Microseconds
  /// The log of the run, with the places at which something could go wrong.
  let log: EventLog
  private let good: Verdict
  /// The end of the run by the rules of disturbed runs.
  let end: SweepEnd
  /// False if what the scenario checks does not hold for long.
  let settles: Bool
  /// The trace of the run by the rules of disturbed runs; nil in virtual time, where a run can be
  /// done again.
  let recording: [UInt8]?

  init(
    _ shared: SharedPlan, _ inputs: RunInputs, _ sources: SourceMap,
    _ subjects: (any CourseSubjects)?, in kind: WorldKind
  ) {
    let world = SweepWorld(shared.plan, in: kind)
    let shared = world.adapted(shared)
    self.world = world
    self.shared = shared
    self.subjects = subjects
    let runs = SweptRuns(of: shared.plan, sources, subjects, in: world)
    self.runs = runs
    var inputs = inputs
    inputs.complete(for: shared.plan)
    self.inputs = inputs
    self.sources = sources
    var noting = inputs
    noting.notesPlaces = true
    let judge = ScenarioJudge(shared)
    judge.hideCredentials(of: shared.plan, inputs, in: kind, sources)
    let played = world.run(shared, noting, judge, subjects: subjects)
    let log = (try? played.get()) ?? EventLog()
    self.log = log
    let verdict = played.verdict { judge.verdict(on: log, sources: sources) }
    good = verdict
    guard verdict.outcome == .passed || !world.isInRealTime else {
      (end, settles, lengthOfRun, recording) = (SweepEnd(shared.plan, log), true, 0, nil)
      return
    }
    let began = wallClock()
    let recorded =
      world.isInRealTime
      ? CourseRecording(runs.relaxed.plan, self.inputs, sources, isInRealTime: true) : nil
    let (patientLog, patient) = runs.run(
      self.inputs, settles: true, recorded.map { [$0.recorder] } ?? [])
    recording = recorded?.finish(patientLog)
    lengthOfRun = Microseconds(wallClock() - began)
    settles = patient.failures.isEmpty
    end = settles ? patient : runs.run(self.inputs, settles: false).1
  }

  /// The verdict on the run, in which nothing goes wrong. It also has to meet the rules of
  /// disturbed runs, or each of them would fail.
  var verdict: Verdict {
    guard good.outcome == .passed, !end.failures.isEmpty else { return good }
    var verdict = good
    verdict.outcome = .failed
    verdict.failures = end.failures
    verdict.failures[0].notes.append(
      .init("disturbed", "nothing: this fails by the rules of sweeps alone"))
    return verdict
  }

  /// Returns whether a disturbed run has come to the first of its places. In virtual time each run
  /// does; in real time, threads and processes may act in another order.
  func hasReached(_ disturbances: [Disturbance], _ log: EventLog) -> Bool {
    guard world.isInRealTime, let first = disturbances.first else { return true }
    return log.reachedPlaces(of: shared.plan).hasPlace(of: first)
  }

  /// Returns the verdict on a disturbed run that cannot be judged; nil if it can.
  func obstacle(to disturbances: [Disturbance]) -> Verdict? {
    let verdict = verdict
    return verdict.outcome == .passed ? missedPlace(of: disturbances, log) : verdict
  }

  /// Returns the verdict on a disturbed run that did not come to its place; nil if it did.
  func obstacle(of disturbances: [Disturbance], _ log: EventLog, _ end: SweepEnd) -> Verdict? {
    if end.isWithoutWorld {
      return Verdict(couldNotRunBecauseOf: .scenario, failures: end.failures)
    }
    return world.isInRealTime ? missedPlace(of: disturbances, log) : nil
  }

  /// Returns the verdict on a run that did not come to the first of these places; nil if it did.
  private func missedPlace(of disturbances: [Disturbance], _ log: EventLog) -> Verdict? {
    log.reachedPlaces(of: shared.plan).failure(of: disturbances, shared.plan, by: .run)
      .map { Verdict(couldNotRunBecauseOf: .scenario, failures: [$0]) }
  }

  /// Returns the verdict on a disturbed run: its end is compared with that of the good run.
  func verdict(on log: EventLog, _ end: SweepEnd) -> Verdict {
    let findings = end.findings(comparedWith: self.end, relaxed.plan)
    return Verdict(
      findings.isEmpty ? .passed : .failed, failures: findings.map(\.diagnostic),
      assertionsReached: 1, assertionsMet: findings.isEmpty ? 1 : 0,
      duration: log.events.last?.time ?? 0, eventCount: log.count)
  }

  func run(
    _ disturbances: [Disturbance], _ recorders: [RunRecorder] = []
  ) -> (EventLog, SweepEnd) {
    var inputs = inputs
    inputs.disturbances = disturbances
    inputs.notesPlaces = world.isInRealTime
    return runs.run(inputs, settles: settles, recorders)
  }

  /// Returns what repeats a course: a command, or a line of a test.
  func command(
    repeating course: SweepCourse, _ inputs: RunInputs, in kind: WorldKind, plan: ScenarioPlan,
    _ repeated: RepeatedOptions
  ) -> String? {
    if let subjects { return subjects.line(repeating: course) }
    return rerunCommand(plan, inputs: inputs, sources: sources, in: kind, repeating: repeated)
  }
}

/// Puts the courses that failed into groups by their cause; the group with the shortest run is the
/// first.
func groups(of outcomes: [SweepOutcome]) -> [SweepGroup] {
  var order: [String] = []
  var members: [String: [SweepOutcome]] = [:]
  for outcome in outcomes {
    let cause = outcome.findings[0].cause
    if members[cause] == nil { order.append(cause) }
    members[cause, default: []].append(outcome)
  }
  let groups = order.map { members[$0] ?? [] }.map { outcomes in
    let first = outcomes.enumerated().min {
      ($0.element.eventCount, $0.offset) < ($1.element.eventCount, $1.offset)
    }?.element
    return (shortest: first ?? outcomes[0], outcomes: outcomes)
  }
  return groups.enumerated().sorted {
    ($0.element.shortest.eventCount, $0.offset) < ($1.element.shortest.eventCount, $1.offset)
  }.map { _, group in
    SweepGroup(
      courses: group.outcomes.map(\.course), shortest: group.shortest.course,
      diagnostic: group.shortest.findings[0].diagnostic, recording: group.shortest.recording)
  }
}

extension SweepGroup {
  /// Returns it with the courses that failed so, and the command that repeats the shortest.
  fileprivate func completed(
    _ rehearsal: SweepRehearsal, _ good: TraceRun?, _ repeated: RepeatedOptions
  ) -> SweepGroup {
    var group = self
    group.diagnostic.notes += facts(rehearsal, good, repeated)
    return group
  }

  private func facts(
    _ rehearsal: SweepRehearsal, _ good: TraceRun?, _ repeated: RepeatedOptions
  ) -> [Diagnostic.Fact] {
    var notes: [Diagnostic.Fact] = [.init("disturbed", courses.names)]
    if courses.count > 1 { notes.append(.init("shortest", shortest.name)) }
    notes += rehearsal.comparison(of: good, with: shortest.disturbances, recorded: recording)
    var inputs = rehearsal.inputs
    inputs.disturbances = shortest.disturbances
    let command = rehearsal.command(
      repeating: shortest, inputs, in: rehearsal.world.kind, plan: rehearsal.shared.plan, repeated)
    if let command { notes.append(.init(Diagnostic.Fact.rerun, command)) }
    return notes
  }
}
