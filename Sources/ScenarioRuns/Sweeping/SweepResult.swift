import Diagnostics
import Secrets
import Traces
import Verdicts

/// The result of sweeping one scenario, or one row of its table.
package struct SweepResult: Sendable {
  /// The number of courses that were tried.
  package var places = 0
  package var held = 0
  /// The number of courses that ended as they should where no value is demanded, so that hardly any
  /// could fail.
  package var notJudged = 0
  /// The warning that no value is demanded, if so.
  package var undemanded: Diagnostic?
  /// The names of the sources that the scenario could demand, found in the run without a
  /// disturbance.
  package var proposed: [String] = []
  /// The number of courses that were not tried, because the time was over.
  package var left = 0
  /// The number of places that made the same run as another, so that they were not run again.
  package var repeated = 0
  /// The number of connections of the good run for which there was no network: nothing that could
  /// go wrong there would change anything.
  package var withoutNetwork = 0
  /// The number of courses that were left out because they are like others.
  package var alike = 0
  /// True if there are so many of them that the user is warned.
  package var isSampled = false
  /// The reason why there is no place at which something could go wrong; nil if there are places.
  package var reasonForNoPlace: String?
  /// The courses that held although their client asked again too soon, and the first such warning.
  package var early: (courses: [SweepCourse], warning: Diagnostic?) = ([], nil)
  /// The courses in which the scenario itself could not go on, so that the client may be right.
  package var unclear: [SweepCourse] = []
  /// The courses that failed in one of two runs, which only real time makes possible.
  package var flaky: [SweepCourse] = []
  /// The courses whose place two runs did not come to, which only real time makes possible.
  package var missed: [SweepCourse] = []
  /// The courses that were found, if the sweep only lists them.
  package var listed: [SweepCourse] = []
  package var groups: [SweepGroup] = []
  /// The courses that were tried, and the run without a disturbance, if reports show them.
  package var courses: [CourseTimeline] = []
  package var timeline: RunTimeline?
  /// True if there are more courses than a sweep tries.
  package var isCut = false
  /// The number of samples of invariants in all courses.
  package var invariantsSampled = 0
  /// How often each rule was exercised and broken in all courses on which there is a verdict.
  package var rules: [SweepRule] = []
  /// The warnings about what runs of programs in virtual time cannot promise.
  package var doubts: [Diagnostic] = []
  /// The verdict on the run without a disturbance.
  package var good: Verdict
}

/// The courses that failed for one cause.
package struct SweepGroup: Sendable {
  /// The cause, as a baseline knows it, and those that other runs of its courses had.
  var causes: [KnownFailures.Cause]
  package var courses: [SweepCourse]
  /// The course with the fewest events.
  package var shortest: SweepCourse
  package var diagnostic: Diagnostic
  /// The trace of the shortest course, if it was recorded while it ran.
  var recording: [UInt8]?
}

/// The options of a command line that say which courses are tried.
package struct SweepScope: Sendable, Equatable {
  /// True if each two disturbances are tried together.
  package var pairs = false
  /// True if all courses are tried of those that are alike.
  package var allPlaces = false
  /// True if courses are only found, and not tried.
  package var listsOnly = false
  /// True if a scenario that demands no value is swept as if it demanded those of the sources that
  /// would be proposed.
  package var demandsProposed = false

  package init() {}
}

/// The way in which scenarios are swept.
package struct SweepOptions: Sendable {
  package var jobs = 1
  /// The workers that share the runs with other scenarios; nil if there are as many as `jobs` says,
  /// for this scenario alone.
  package var workers: Workers?
  /// The places for runs in real time, shared with other scenarios.
  package var places: RunPlaces?
  package var scope = SweepScope()
  package var repeated = RepeatedOptions()
  package var isInterrupted: @Sendable () -> Bool = { false }
  package var world = WorldKind.mock
  /// The mask of the file, if the timelines of its courses are kept for a report.
  package var timelines: SecretMask?
  /// The place and the title of the scenario, by which a crash is reported.
  package var name = ""
  /// Called when the runs of a course have ended, by their thread.
  package var onRunEnded: @Sendable () -> Void = {}

  package init() {}
}
