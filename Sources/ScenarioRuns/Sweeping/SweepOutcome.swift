import Diagnostics
import Events
import LiveWorld
import ScenarioEngine
import ScenarioPlan
import Values
import Verdicts
import World

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
  /// The trace of a run in real time that failed, since no other run is the same.
  private(set) var recording: [UInt8]?
  /// True if the client left before a piece came that was delayed.
  private(set) var isUnread: Bool
  /// True if there was no run: another course makes the same one.
  private(set) var isRepeated = false

  init(_ course: SweepCourse, _ rehearsal: SweepRehearsal) {
    let recorded = rehearsal.world.isInRealTime ? rehearsal.makeRecording() : nil
    let (log, end) = rehearsal.run(course.disturbances, recorded.map { [$0.recorder] } ?? [])
    self.course = course
    findings = end.findings(comparedWith: rehearsal.end, rehearsal.relaxed.plan)
    let isUnclear = end.isStuck || !end.repeatedMocks.isEmpty
    let isReached = end.isStuck || rehearsal.hasReached(course.disturbances, log)
    result = !isReached ? .missed : findings.isEmpty ? .held : isUnclear ? .unclear : .failed
    let trace = recorded?.finish(log)
    recording = result == .failed ? trace : nil
    eventCount = log.count
    invariantsSampled = end.invariantsSampled
    exercised = end.exercised(rehearsal.relaxed.plan, rehearsal.awaited)
    isUnread =
      course.delay != nil
      && log.events.contains {
        if case .network(.pieceUnread) = $0.kind { true } else { false }
      }
  }

  /// Returns the outcome of a course that makes the same run.
  func repeated(as course: SweepCourse) -> SweepOutcome {
    var outcome = self
    outcome.course = course
    outcome.isRepeated = true
    outcome.invariantsSampled = 0
    outcome.exercised = []
    return outcome
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
    guard world.isInRealTime else { return outcomes(of: courses, options, by: workers(options)) }
    let jobs = runsAlone ? 1 : max(1, options.jobs)
    options.onForecast(
      SweepForecast(
        courses: courses.count, jobs: min(jobs, max(1, courses.count)), lengthOfRun: lengthOfRun))
    var outcomes = outcomes(of: courses, options, by: Workers(jobs))
    let doubtful = outcomes.indices.filter { outcomes[$0].isDoubtful }
    let again = self.outcomes(
      of: doubtful.map { outcomes[$0].course }, options, by: Workers(max(1, jobs / 2)))
    for (place, second) in zip(doubtful, again) {
      outcomes[place] = outcomes[place].repeated(second)
    }
    return outcomes
  }

  private func outcomes(
    of courses: [SweepCourse], _ options: SweepOptions, by workers: Workers
  ) -> [SweepOutcome] {
    let batches = world.isInRealTime ? courses.map { [$0] } : courses.byDelayedPiece
    return resultsInOrder(of: batches, by: workers, isInterrupted: options.isInterrupted) { batch in
      self.outcomes(ofBatch: batch, options)
    }.flatMap(\.self)
  }

  /// Runs courses one after the other. If a client leaves its connection before a delayed piece
  /// comes, the run does not depend on how long the delay would have been.
  private func outcomes(ofBatch batch: [SweepCourse], _ options: SweepOptions) -> [SweepOutcome] {
    var outcomes: [SweepOutcome] = []
    for course in batch {
      if let last = outcomes.last, last.isUnread, course.delays(longerThan: last.course) {
        outcomes.append(last.repeated(as: course))
        continue
      }
      let outcome = Supervision.underWay(.init(options.name), detail: course.name) {
        SweepOutcome(course, self)
      }
      options.onRunEnded()
      if options.isInterrupted() { return outcomes }
      outcomes.append(outcome)
    }
    return outcomes
  }

  /// The workers for runs in virtual time.
  func workers(_ options: SweepOptions) -> Workers {
    runsAlone ? Workers(1) : options.workers ?? Workers(options.jobs)
  }

  /// True if the runs share what only one of them can have at a time.
  private var runsAlone: Bool { hasSubjects || hasFixedPorts }

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

extension [SweepCourse] {
  /// The courses with those together, in their order, that delay the same piece.
  fileprivate var byDelayedPiece: [[SweepCourse]] {
    var batches: [[SweepCourse]] = []
    for course in self {
      if let last = batches.last?.last, course.delays(samePieceAs: last) {
        batches[batches.count - 1].append(course)
      } else {
        batches.append([course])
      }
    }
    return batches
  }
}

extension SweepCourse {
  /// The piece that it delays, and by how long, if nothing else goes wrong.
  fileprivate var delay: (place: PiecePlace, length: Int64)? {
    guard disturbances.count == 1, case .piece(let place, .delay(let length)) = disturbances[0]
    else { return nil }
    return (place, length)
  }

  fileprivate func delays(samePieceAs other: SweepCourse) -> Bool {
    guard let delay, let before = other.delay else { return false }
    return delay.place == before.place
  }

  fileprivate func delays(longerThan other: SweepCourse) -> Bool {
    guard let delay, let before = other.delay else { return false }
    return delay.place == before.place && delay.length > before.length
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
