import Diagnostics
import LiveWorld
import ScenarioEngine
import ScenarioPlan
import TraceRecording
import Traces
import Values
import Verdicts

/// Runs a scenario once more for each place at which something can go wrong.
///
/// Swift objects share their thread, so that their runs go one after the other.
package func sweepScenario(
  _ shared: SharedPlan, inputs: RunInputs, sources: SourceMap, options: SweepOptions,
  subjects: (any CourseSubjects)? = nil
) -> SweepResult {
  let sweep = PreparedSweep(
    shared, inputs: inputs, sources: sources, options: options, subjects: subjects)
  let batches = Array(sweep.batches.indices)
  let outcomes = resultsInOrder(
    of: batches, by: sweep.workers, isInterrupted: options.isInterrupted
  ) { sweep.outcomes(ofBatch: $0) }
  return sweep.result(of: outcomes.flatMap(\.self))
}

/// A scenario whose run without a disturbance is over, and the courses that a sweep tries next.
package struct PreparedSweep: Sendable {
  private let rehearsal: SweepRehearsal
  private let options: SweepOptions
  private let found: FoundCourses
  /// The search for second disturbances; nil if they are not asked for.
  private let pairs: PairSearch?
  private let proposed: [String]
  /// The places for its runs in real time.
  private let places: RunPlaces
  /// The courses, with those together that one worker runs: one of them may make the same run as
  /// another.
  package let batches: [[SweepCourse]]

  package init(
    _ shared: SharedPlan, inputs: RunInputs, sources: SourceMap, options: SweepOptions,
    subjects: (any CourseSubjects)? = nil
  ) {
    var inputs = inputs
    inputs.isInterrupted = options.isInterrupted
    let kind = options.world
    let places = options.places ?? RunPlaces(options.jobs)
    let taken = shared.plan.hasFixedPorts ? places.count : 1
    func rehearsed(_ shared: SharedPlan) -> SweepRehearsal {
      places.run(taking: taken) {
        Supervision.underWay(.init(options.name), detail: "without a disturbance") {
          SweepRehearsal(shared, inputs, sources, subjects, in: kind)
        }
      }
    }
    var rehearsal = rehearsed(shared)
    let proposed =
      rehearsal.demandsNothing ? rehearsal.shared.plan.sourcesToDemand(in: rehearsal.log) : []
    self.proposed = proposed.map { rehearsal.shared.plan.sources[$0].name }
    if options.scope.demandsProposed, !proposed.isEmpty {
      rehearsal = rehearsed(SharedPlan(shared.plan.demanding(proposed)))
    }
    self.rehearsal = rehearsal
    self.options = options
    self.places = places
    found =
      rehearsal.verdict.outcome == .passed
      ? findCourses(
        in: rehearsal.log, of: shared.plan, isInRealTime: rehearsal.world.isInRealTime,
        allPlaces: options.scope.allPlaces)
      : FoundCourses()
    pairs =
      options.scope.pairs
      ? PairSearch(
        beside: rehearsal.log, allPlaces: options.scope.allPlaces,
        most: mostSweepCourses / max(1, found.courses.count))
      : nil
    batches =
      options.scope.listsOnly
      ? []
      : rehearsal.world.isInRealTime ? found.courses.map { [$0] } : found.courses.byDelayedPiece
  }

  /// The number of courses that are tried.
  package var count: Int { batches.reduce(0) { $0 + $1.count } }

  /// The workers for runs in virtual time.
  var workers: Workers {
    runsAlone ? Workers(1) : options.workers ?? Workers(options.jobs)
  }

  /// The lengths of its runs in real time.
  package var lengths: SweepForecast.Lengths {
    let plan = rehearsal.relaxed.plan
    return SweepForecast.Lengths(
      holding: rehearsal.lengthOfRun,
      // The limit passes once before the run goes on, and again for a program that hangs.
      failing: rehearsal.lengthOfRun + plan.timeout)
  }

  /// Runs the courses of a batch one after the other. If a client leaves its connection before a
  /// delayed piece comes, the run does not depend on how long the delay would have been.
  package func outcomes(ofBatch batch: Int) -> [SweepOutcome] {
    var outcomes: [SweepOutcome] = []
    for course in batches[batch] {
      if let last = outcomes.last, last.isUnread, course.delays(longerThan: last.course) {
        outcomes.append(last.repeated(as: course))
        continue
      }
      guard let outcome = wholeOutcome(of: course) else { return outcomes }
      outcomes.append(outcome)
      for pair in outcome.pairs.courses {
        guard var outcome = wholeOutcome(of: pair) else { return outcomes }
        outcome.isOfPair = true
        outcomes.append(outcome)
      }
    }
    return outcomes
  }

  /// Runs a course as often as it takes; nil if the sweep was interrupted.
  private func wholeOutcome(of course: SweepCourse) -> SweepOutcome? {
    let outcome = rehearsal.world.isInRealTime ? realOutcome(of: course) : outcome(of: course)
    options.onRunEnded()
    return options.isInterrupted() ? nil : outcome
  }

  private func outcome(of course: SweepCourse) -> SweepOutcome {
    Supervision.underWay(.init(options.name), detail: course.name) {
      SweepOutcome(
        course, rehearsal, pairs: pairs,
        shown: options.timelines.map { rehearsal.makeTimeline(hiding: $0) })
    }
  }

  /// Runs a course in real time. One that fails is run again, with fewer runs beside it; one whose
  /// place no run came to, a third time with none.
  private func realOutcome(of course: SweepCourse) -> SweepOutcome {
    let all = places.count
    var outcome = places.run(taking: runsAlone ? all : 1) { self.outcome(of: course) }
    guard outcome.isDoubtful, !options.isInterrupted() else { return outcome }
    outcome = outcome.repeated(places.run(taking: runsAlone ? all : 2) { self.outcome(of: course) })
    guard outcome.result == .missed, !options.isInterrupted() else { return outcome }
    return outcome.repeated(places.run(taking: all) { self.outcome(of: course) })
  }

  /// True if the runs share what only one of them can have at a time.
  private var runsAlone: Bool { rehearsal.hasSubjects || rehearsal.shared.plan.hasFixedPorts }

  /// Returns the result, with the outcomes of the courses as far as they were tried.
  package func result(of outcomes: [SweepOutcome]) -> SweepResult {
    var result = SweepResult(good: rehearsal.verdict)
    guard result.good.outcome == .passed else { return result }
    result.proposed = proposed
    result.doubts = rehearsal.doubts
    result.alike = found.alike
    result.isSampled = found.isSampled
    result.isCut = found.isCut
    result.withoutNetwork = found.withoutNetwork
    if found.courses.isEmpty {
      result.reasonForNoPlace = rehearsal.shared.plan.reasonForNoPlace(found)
    }
    guard !options.scope.listsOnly else {
      result.listed = found.courses
      return result
    }
    if rehearsal.demandsNothing, !found.courses.isEmpty {
      result.undemanded = .sweepDemandsNothing(rehearsal.shared.plan, proposing: proposed)
    }
    result.count(outcomes, of: found.courses.count)
    for outcome in outcomes {
      result.alike += outcome.pairs.alike
      result.isCut = result.isCut || outcome.pairs.isCut
    }
    result.groups = rehearsal.groups(
      of: outcomes.filter { $0.result == .failed }, by: workers, options.repeated)
    if let mask = options.timelines, !outcomes.isEmpty {
      result.timeline = rehearsal.goodTimeline(hiding: mask)
      result.courses = shown(outcomes)
    }
    return result
  }

  /// Returns the courses for a report. Of many, those that are not good keep their timelines.
  private func shown(_ outcomes: [SweepOutcome]) -> [CourseTimeline] {
    var room = CourseTimeline.mostKept
    let isLong = outcomes.count > room
    return outcomes.map { outcome in
      let isKept = room > 0 && !(isLong && outcome.isGood)
      if isKept { room -= 1 }
      return outcome.shown(withTimeline: isKept)
    }
  }
}

extension ScenarioPlan {
  /// True if a program waits at a port that each run would take.
  fileprivate var hasFixedPorts: Bool {
    programs.contains { program in
      switch program.ready?.sign {
      case .port(let data), .url(let data):
        if case .constant = data.content { true } else { false }
      case .line, nil: false
      }
    }
  }
}

extension SweepResult {
  fileprivate mutating func count(_ outcomes: [SweepOutcome], of count: Int) {
    func courses(_ result: SweepOutcome.Result) -> [SweepCourse] {
      outcomes.filter { $0.result == result }.map(\.course)
    }
    places = outcomes.count
    left = count - outcomes.count { !$0.isOfPair }
    repeated = outcomes.count(where: \.isRepeated)
    held = outcomes.count { $0.result == .held }
    notJudged = outcomes.count { $0.result == .notJudged }
    invariantsSampled = outcomes.reduce(0) { $0 + $1.invariantsSampled }
    rules = countedRules(
      outcomes.map {
        (
          exercised: $0.exercised,
          broken: $0.result == .failed ? $0.findings.map(\.diagnostic.id) : []
        )
      })
    let early = outcomes.filter { $0.early != nil && $0.result != .failed }
    self.early = (early.map(\.course), early.first?.early)
    unclear = courses(.unclear)
    flaky = courses(.flaky)
    missed = courses(.missed)
  }
}

/// Runs a scenario with the disturbances of its inputs. The verdict is that of a sweep.
package func runDisturbed(
  _ shared: SharedPlan, _ inputs: RunInputs, _ sources: SourceMap, in kind: WorldKind = .mock,
  recorders: [RunRecorder], repeating repeated: RepeatedOptions = RepeatedOptions(),
  subjects: (any CourseSubjects)? = nil
) -> JudgedRun {
  var undisturbed = inputs
  undisturbed.options.disturbances = []
  let given = inputs.options.disturbances
  let disturbances = given.isEmpty ? shared.plan.disturbances : given
  let rehearsal = SweepRehearsal(shared, undisturbed, sources, subjects, in: kind)
  if let verdict = rehearsal.obstacle(to: disturbances) {
    return JudgedRun(log: rehearsal.log, verdict: verdict)
  }
  let recording = rehearsal.world.hasPrograms ? rehearsal.makeRecording() : nil
  let (log, end) = rehearsal.run(disturbances, recorders + (recording.map { [$0.recorder] } ?? []))
  if let verdict = rehearsal.obstacle(of: disturbances, log, end) {
    return JudgedRun(log: log, verdict: verdict)
  }
  var verdict = rehearsal.verdict(on: log, end, with: disturbances)
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
