import Diagnostics
import Events
import ScenarioEngine
import ScenarioPlan
import Values
import Verdicts

/// The outcome of one course.
struct SweepOutcome: Sendable {
  /// What is known after one run, or in real time after two.
  enum Result {
    case held, failed
    /// The scenario itself could not go on.
    case unclear
    /// It failed in one run of two.
    case flaky
    /// No run came to the place of the disturbance.
    case missed
  }

  var course: SweepCourse
  var result: Result
  var findings: [SweepFinding]
  var eventCount: Int
  var invariantsSampled: Int
  var exercised: [SweepEnd.Exercised]

  init(_ course: SweepCourse, _ rehearsal: SweepRehearsal) {
    let (log, end) = rehearsal.run(course.disturbances)
    self.course = course
    findings = end.findings(comparedWith: rehearsal.end, rehearsal.relaxed.plan)
    let isUnclear = end.isStuck || !end.repeatedMocks.isEmpty
    let isReached = end.isStuck || rehearsal.hasReached(course.disturbances, log)
    result = !isReached ? .missed : findings.isEmpty ? .held : isUnclear ? .unclear : .failed
    eventCount = log.count
    invariantsSampled = end.invariantsSampled
    exercised = end.exercised(rehearsal.relaxed.plan)
  }

  /// True if a second run may end otherwise, and matters.
  fileprivate var isDoubtful: Bool { result == .failed || result == .missed }

  /// Returns what both runs of a course show.
  func repeated(_ second: SweepOutcome) -> SweepOutcome {
    switch (result, second.result) {
    case (.failed, .held), (.failed, .missed), (.missed, .failed):
      var flaky = self
      flaky.result = .flaky
      return flaky
    case (.failed, .unclear), (.missed, _): return second
    case (.failed, _), (.held, _), (.unclear, _), (.flaky, _): return self
    }
  }
}

/// What a sweep in real time is about to do.
package struct SweepForecast: Sendable, Equatable {
  /// The number of courses, each of which is a run.
  package var courses: Int
  /// The number of runs side by side.
  package var jobs: Int
  /// The time that one run takes which recovers.
  package var lengthOfRun: Microseconds

  package init(courses: Int, jobs: Int, lengthOfRun: Microseconds) {
    self.courses = courses
    self.jobs = jobs
    self.lengthOfRun = lengthOfRun
  }

  /// The time that all courses take if each of them recovers like the good run.
  package var length: Microseconds {
    let turns = (courses + max(1, jobs) - 1) / max(1, jobs)
    let (length, overflow) = lengthOfRun.multipliedReportingOverflow(by: Microseconds(turns))
    return overflow ? .max : length
  }
}

extension SweepRehearsal {
  /// Runs the courses. Those that fail in real time are run again, with fewer runs beside them.
  func outcomes(of courses: [SweepCourse], _ options: SweepOptions) -> [SweepOutcome] {
    let jobs = hasSubjects || hasFixedPorts ? 1 : max(1, options.jobs)
    guard world.isInRealTime else { return outcomes(of: courses, options, jobs: jobs) }
    options.onForecast(
      SweepForecast(
        courses: courses.count, jobs: min(jobs, max(1, courses.count)), lengthOfRun: lengthOfRun))
    var outcomes = outcomes(of: courses, options, jobs: jobs)
    let doubtful = outcomes.indices.filter { outcomes[$0].isDoubtful }
    let again = self.outcomes(
      of: doubtful.map { outcomes[$0].course }, options, jobs: max(1, jobs / 2))
    for (place, second) in zip(doubtful, again) {
      outcomes[place] = outcomes[place].repeated(second)
    }
    return outcomes
  }

  private func outcomes(
    of courses: [SweepCourse], _ options: SweepOptions, jobs: Int
  ) -> [SweepOutcome] {
    resultsInOrder(of: courses, jobs: jobs, isInterrupted: options.isInterrupted) { course in
      let outcome = SweepOutcome(course, self)
      options.onRunEnded()
      return options.isInterrupted() ? nil : outcome
    }.compactMap(\.self)
  }

  /// True if a program waits at a port that each run would take.
  private var hasFixedPorts: Bool {
    shared.plan.programs.contains { program in
      switch program.ready?.sign {
      case .port(let data), .url(let data):
        if case .constant = data.content { true } else { false }
      case .line, nil: false
      }
    }
  }
}

extension Result<EventLog, NoWorld> {
  /// Returns the verdict on a run, or why there was none.
  func verdict(_ judged: () -> Verdict) -> Verdict {
    switch self {
    case .success: judged()
    case .failure(let problem):
      Verdict(couldNotRunBecauseOf: problem.obstacle, failures: [problem.reason])
    }
  }
}
