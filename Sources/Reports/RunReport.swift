import Diagnostics
import Secrets
import Traces
import Values
import Verdicts

/// The results of a run: the files that were read, and the verdicts on their scenarios.
///
/// Reports are functions from here to text; nothing in this room prints.
package struct RunReport: Sendable {
  package var files: [FileReport]
  /// The duration of the run in real time. Nil leaves real durations out of every report, so that
  /// two reports are equal to the byte.
  package var wall: Microseconds?
  /// The most scenarios in real time that ran at once.
  package var sideBySide = 0
  /// The time at which the run began, in milliseconds since 1970, if it is known.
  package var began: Int?
  /// The origin of the run, if it is known.
  package var context: RunContext?
  /// The part of a suite that the run is, if it is one.
  package var shard: ReportShard?
  /// The parts that the scenarios have reached, if somebody asks for them.
  package var coverage: Coverage?
  /// The rules of protocols and of sweeps, if they were applied.
  package var rules: [RuleTally] = []
  /// The scenarios that the selection has left out.
  package var leftOut = LeftOut()

  /// The runs before this one, the oldest first, if a history is kept.
  package var past: [PastRun] = []
  /// The run that this one is compared with.
  package var compared: PastRun?

  /// The courses of a sweep, if it was one.
  package var sweep: SweepCounts? {
    var sum: SweepCounts?
    for counts in files.lazy.flatMap(\.scenarios).compactMap(\.sweep) {
      sum = sum ?? SweepCounts()
      sum?.add(counts)
    }
    return sum
  }

  package init(files: [FileReport], wall: Microseconds?, began: Int? = nil) {
    self.files = files
    self.wall = wall
    self.began = began
  }
}

/// The results of one file.
package struct FileReport: Sendable {
  package var path: String
  /// The texts of its diagnostics, and of those of its verdicts.
  package var sources: SourceMap
  /// The diagnostics of reading it: errors and warnings.
  package var diagnostics: [Diagnostic] {
    didSet { numbers = FileReport.numbers(of: diagnostics) }
  }
  /// Their numbers by their places, so that a diagnostic is found among many.
  private var numbers: [SourceRange?: [Int]]
  package var scenarios: [ScenarioReport]
  /// The mask for secrets in the lines that its diagnostics quote.
  package var mask: SecretMask
  /// True if the lines of recordings are quoted with the credentials that nobody has declared.
  package var showsCredentials = false
  package var snapshots: [SnapshotNote] = []

  package init(
    path: String, sources: SourceMap, diagnostics: [Diagnostic], scenarios: [ScenarioReport],
    mask: SecretMask = SecretMask([])
  ) {
    self.path = path
    self.sources = sources
    self.diagnostics = diagnostics
    numbers = FileReport.numbers(of: diagnostics)
    self.scenarios = scenarios
    self.mask = mask
  }

  /// Returns a function that finds secrets in a quoted line: secrets of the scenario and of other
  /// rows, and the credentials of others. A recording may have lines that no verdict has read.
  func hiding(_ mask: SecretMask) -> (String) -> [Range<Int>] {
    { line in
      let others = showsCredentials ? [] : sources.credentials(in: line)
      return mask.places(in: line) + self.mask.places(in: line) + others
    }
  }

  private static func numbers(of diagnostics: [Diagnostic]) -> [SourceRange?: [Int]] {
    Dictionary(grouping: diagnostics.indices) { diagnostics[$0].labels.first?.range }
  }

  /// Returns whether the diagnostic is one of those of reading the file.
  func reports(_ diagnostic: Diagnostic) -> Bool {
    numbers[diagnostic.labels.first?.range]?.contains { diagnostics[$0] == diagnostic } ?? false
  }

  /// True if the file has errors that belong to none of its scenarios, as in a file that could not
  /// be read.
  package var couldNotRun: Bool {
    diagnostics.hasErrors && !scenarios.contains { $0.verdict.obstacle == .scenario }
  }
}

/// A snapshot file that was written, or that is not used any more.
package struct SnapshotNote: Sendable {
  /// The kinds of changes.
  package enum Kind: String, Sendable { case written, updated, obsolete }

  package var kind: Kind
  package var path: String

  package init(_ kind: Kind, _ path: String) {
    self.kind = kind
    self.path = path
  }
}

/// The result of one scenario, or of one row of its table.
package struct ScenarioReport: Sendable {
  package var title: String
  package var line: Int
  /// The row's id, if the scenario has a table.
  package var row: String?
  /// The place of the row, as `path:line`, if its table is a file of its own.
  package var rowPlace: String?
  package var tags: [String]
  package var seed: Int?
  package var verdict: Verdict
  package var wall: Microseconds?
  /// True if the run stopped at a failure before it. Its outcome is that it was skipped.
  package var isNotRun = false
  /// True if a replay was not what its trace has.
  package var hasDiverged = false
  /// False if the times of its run are measured and left out, so that two reports are equal.
  package var hasTimes = true
  /// The course of the run, if it is to be shown.
  package var timeline: RunTimeline?
  /// The courses of a sweep on the timeline.
  package var courses: [CourseTimeline] = []
  /// The path of the trace of the run, if one was kept.
  package var trace: String?
  /// The courses that a sweep tried; nil if the scenario was not swept.
  package var sweep: SweepCounts?
  /// The mask for secrets in the quoted lines of the scenario's own text.
  package var mask: SecretMask

  package init(
    title: String, line: Int, row: String? = nil, rowPlace: String? = nil, tags: [String] = [],
    seed: Int? = nil, verdict: Verdict, wall: Microseconds? = nil,
    mask: SecretMask = SecretMask([])
  ) {
    self.title = title
    self.line = line
    self.row = row
    self.rowPlace = rowPlace
    self.tags = tags
    self.seed = seed
    self.verdict = verdict
    self.wall = wall
    self.mask = mask
  }

  /// Returns the id by which programs find the scenario or the row again.
  func id(in file: FileReport) -> String {
    runName(mask.masked(title), row: row.map { mask.masked($0) }, in: file.path)
  }

  /// The display name: `Title [row]`.
  package var name: String { mask.masked(row.map { "\(title) [\($0)]" } ?? title) }
}

/// The number of scenarios by outcome.
package struct Tally: Sendable, Equatable {
  package var passed = 0
  package var failed = 0
  /// The number of scenarios that failed first and passed in a later attempt.
  package var flaky = 0
  package var skipped = 0
  /// The number of those that were skipped because the run stopped at a failure.
  package var notRun = 0
  /// The number of scenarios and rows that could not run, and of files of which no scenario could
  /// be read.
  package var couldNotRun = 0
  /// The number of events of traces that ask for an answer too late to be judged, and have none.
  package var open = 0
  /// The total duration of all scenarios in virtual time, without times that are left out. Those in
  /// real time have none.
  package var virtual: Microseconds = 0
  private var hasVirtualTime = false
  private var hasRealTime = false
  /// True if all that ran kept to the machine's clock, so that no time is virtual.
  package var isInRealTime: Bool { hasRealTime && !hasVirtualTime }

  package init(_ files: some Sequence<FileReport>) {
    for file in files {
      if file.couldNotRun { couldNotRun += 1 }
      for scenario in file.scenarios { add(scenario) }
    }
  }

  private mutating func add(_ scenario: ScenarioReport) {
    switch scenario.verdict.outcome {
    case .passed: passed += 1
    case .failed: failed += 1
    case .flaky: flaky += 1
    case .skipped:
      skipped += 1
      if scenario.isNotRun { notRun += 1 }
    case .couldNotRun: couldNotRun += 1
    }
    open += scenario.verdict.leftOpen
    guard scenario.hasTimes else { return }
    if scenario.verdict.isInRealTime {
      hasRealTime = true
      return
    }
    hasVirtualTime = true
    let (sum, overflow) = virtual.addingReportingOverflow(scenario.verdict.duration)
    virtual = overflow ? .max : sum
  }

  package var total: Int { passed + failed + flaky + skipped + couldNotRun }
}
