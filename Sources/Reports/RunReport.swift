import Diagnostics
import Values
import Verdicts

/// All that a run has to tell: the files that were read, and the verdicts on their scenarios.
///
/// Reports are functions from here to text; nothing in this room prints.
package struct RunReport: Sendable {
  package var files: [FileReport]
  /// How long the run took on the wall clock; nil leaves real durations out of every report, so
  /// that two reports compare byte for byte.
  package var wall: Microseconds?

  package init(files: [FileReport], wall: Microseconds?) {
    self.files = files
    self.wall = wall
  }
}

/// One scenario file.
package struct FileReport: Sendable {
  package var path: String
  /// The texts its diagnostics, and those of its verdicts, point into.
  package var sources: SourceMap
  /// What reading it had to say: errors and warnings.
  package var diagnostics: [Diagnostic]
  package var scenarios: [ScenarioReport]
  /// Hides secrets that stand in the lines its diagnostics quote.
  package var mask: SecretMask
  package var snapshots: [SnapshotNote] = []

  package init(
    path: String, sources: SourceMap, diagnostics: [Diagnostic], scenarios: [ScenarioReport],
    mask: SecretMask = SecretMask([])
  ) {
    self.path = path
    self.sources = sources
    self.diagnostics = diagnostics
    self.scenarios = scenarios
    self.mask = mask
  }

  /// Whether mistakes kept something in the file from running, be it all or one of its scenarios.
  package var couldNotRun: Bool { diagnostics.hasErrors }
}

/// A file of a snapshot that was written, or that is not used any more.
package struct SnapshotNote: Sendable {
  package enum Kind: String, Sendable { case written, updated, obsolete }

  package var kind: Kind
  package var path: String

  package init(_ kind: Kind, _ path: String) {
    self.kind = kind
    self.path = path
  }
}

/// One scenario, or one row of its table.
package struct ScenarioReport: Sendable {
  package var title: String
  package var line: Int
  /// The row's id, where the scenario has a table.
  package var row: String?
  /// Where the row stands, as `path:line`, when its table is kept in a file of its own.
  package var rowPlace: String?
  package var tags: [String]
  package var seed: Int?
  package var verdict: Verdict
  package var wall: Microseconds?
  /// Hides secrets that stand in the quoted lines of the scenario's own text.
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

  /// `Title [row]`.
  package var name: String { mask.masked(row.map { "\(title) [\($0)]" } ?? title) }
}

/// How many scenarios came out how.
package struct Tally: Sendable, Equatable {
  package var passed = 0
  package var failed = 0
  /// Those that failed first, and passed when they were run again.
  package var flaky = 0
  package var skipped = 0
  /// Scenarios that could not be prepared, and files of which not all could be read.
  package var couldNotRun = 0
  /// How long all of them took on their own clocks, one after the other.
  package var virtual: Microseconds = 0

  package init(_ files: some Sequence<FileReport>) {
    for file in files {
      if file.couldNotRun { couldNotRun += 1 }
      for scenario in file.scenarios { add(scenario.verdict) }
    }
  }

  private mutating func add(_ verdict: Verdict) {
    switch verdict.outcome {
    case .passed: passed += 1
    case .failed: failed += 1
    case .flaky: flaky += 1
    case .skipped: skipped += 1
    case .couldNotRun: couldNotRun += 1
    }
    let (sum, overflow) = virtual.addingReportingOverflow(verdict.duration)
    virtual = overflow ? .max : sum
  }

  package var total: Int { passed + failed + flaky + skipped + couldNotRun }
}
