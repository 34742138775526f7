import Diagnostics
import Events
import ScenarioPlan
import Traces
import Values
import Verdicts
import World

/// The outcome of one course.
package struct SweepOutcome: Sendable {
  /// The result of one run, or in real time of two.
  enum Result: String {
    case held, failed
    /// Nothing went wrong that would have been noticed: the scenario demands no value.
    case notJudged
    /// The scenario itself could not go on.
    case unclear
    /// It failed in one run of two.
    case flaky
    /// No run came to the place of the disturbance.
    case missed = "notReached"
  }

  var course: SweepCourse
  var result: Result
  var findings: [SweepFinding]
  /// The first causes of its runs, if it failed.
  private(set) var causes: [SweepCause]
  /// The warning of a client that asked again too soon.
  let early: Diagnostic?
  /// How the programs ended.
  let ends: String
  var eventCount: Int
  var invariantsSampled: Int
  var exercised: [SweepEnd.Exercised]
  /// The trace of a run of programs that failed, since no other run may be the same.
  private(set) var recording: [UInt8]?
  /// True if the client left before a piece came that was delayed.
  private(set) var isUnread: Bool
  /// True if there was no run: another course makes the same one.
  private(set) var isRepeated = false
  /// The timeline of the run, if reports show it.
  private(set) var timeline: RunTimeline?
  /// The courses that disturb the recovery from this one as well, if they are asked for.
  private(set) var pairs = FoundCourses()
  /// True if its course disturbs the recovery from another one.
  var isOfPair = false

  /// - Parameter shown: The recording for a report, if it shows the run.
  init(
    _ course: SweepCourse, _ rehearsal: SweepRehearsal, pairs: PairSearch?,
    shown: TimelineRecording?
  ) {
    let recorded = rehearsal.world.hasPrograms ? rehearsal.makeRecording() : nil
    let recorders = [recorded?.recorder, shown?.recorder].compactMap(\.self)
    let (log, end) = rehearsal.run(
      course.disturbances, recorders, notesPlaces: pairs != nil)
    self.course = course
    findings = rehearsal.findings(of: end, log, with: course.disturbances)
    early = rehearsal.earlyRepetition(in: log, course.disturbances)
    let mayBeginAgain = !course.disturbances.allSatisfy(\.losesNothing)
    let isUnclear = end.isStuck || mayBeginAgain && !end.repeatedMocks.isEmpty
    let isReached = end.isStuck || rehearsal.hasReached(course.disturbances, log)
    let good: Result = rehearsal.demandsNothing ? .notJudged : .held
    result = !isReached ? .missed : findings.isEmpty ? good : isUnclear ? .unclear : .failed
    // What fails already needs no second disturbance.
    if let pairs, findings.isEmpty, isReached {
      self.pairs = pairs.pairs(
        with: course, in: log, of: rehearsal.shared.plan,
        isInRealTime: rehearsal.world.isInRealTime)
    }
    timeline = shown?.finish(log, findings.map(\.diagnostic))
    causes = findings.prefix(1).map(\.cause)
    let trace = recorded?.finish(log)
    recording = result == .failed ? trace : nil
    ends = end.textOfEnds
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

  /// The course for a report.
  func shown(withTimeline: Bool) -> CourseTimeline {
    CourseTimeline(
      name: course.name, result: result.rawValue, message: findings.first?.diagnostic.message,
      timeline: withTimeline ? timeline : nil)
  }

  /// True if all is well, so that a long report can do without its timeline.
  var isGood: Bool { result == .held || result == .notJudged }

  /// True if a second run may end otherwise, and matters.
  var isDoubtful: Bool { result == .failed || result == .missed }

  /// Returns what both runs of a course show.
  func repeated(_ second: SweepOutcome) -> SweepOutcome {
    switch (result, second.result) {
    case (.failed, .held), (.failed, .notJudged), (.failed, .missed), (.missed, .failed):
      var flaky = self
      flaky.result = .flaky
      return flaky
    case (.failed, .failed):
      var failed = self
      failed.causes += second.causes
      return failed
    case (.failed, .unclear), (.missed, _): return second
    case (.failed, _), (.held, _), (.notJudged, _), (.unclear, _), (.flaky, _): return self
    }
  }
}

extension [SweepCourse] {
  /// The courses with those together, in their order, that delay the same piece.
  var byDelayedPiece: [[SweepCourse]] {
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

  func delays(longerThan other: SweepCourse) -> Bool {
    guard let delay, let before = other.delay else { return false }
    return delay.place == before.place && delay.length > before.length
  }
}

extension Result<PlayedRun, NoWorld> {
  /// Returns the verdict on a run, or why there was none.
  func verdict(_ judged: () -> Verdict) -> Verdict {
    switch self {
    case .success: judged()
    case .failure(let problem):
      Verdict(couldNotRunBecauseOf: problem.obstacle, failures: [problem.reason])
    }
  }
}
