import ScenarioEngine
import ScenarioRuns
import Values

/// The most jobs at once; more would only wait for each other.
let mostJobs = 1024
/// The largest limit of a log, in megabytes.
let largestLogLimit = 1_000_000
/// The most times a scenario may be run again.
let mostRetries = 100
/// The most lines or scenarios that an option asks to be shown.
let mostShown = 100_000
/// The most times that `--repeat` runs a scenario.
let mostRepetitions = 1_000_000

/// The arguments of `run`.
struct RunArguments: VerbArguments, TakesInputs, WritesReports {
  var scenarios = ScenarioChoice()
  var inputs = GivenInputs()
  var options = RunOptions()
  var seed: UInt64?
  var jobs: Int?
  var failsFast = false
  /// The most times a scenario that failed is run again.
  var retries = 0
  var failsOn = FailureConditions()
  /// The number of slow scenarios that the report ends with.
  var slowestShown: Int?
  /// The number of times that each scenario runs.
  var repetitions = 1
  var shuffle: ShuffleChoice?
  /// True if the scenarios are listed instead of run.
  var isDryRun = false
  /// How a dry run prints what it lists.
  var listing = ListingFormat.human
  /// The most real time of a scenario, and of the whole run.
  var maxTime: Microseconds?
  var deadline: Microseconds?
  var update = UpdateChoice.no
  var output = ReportOutput()
  var showsWallTimes = true
  /// The time for `finally` after an interruption.
  var finallyTime = Interruption.defaultFinallyTime
  var world = WorldKind.mock
  /// True if programs have the machine's clock even beside `time: virtual`.
  var hasMachineClock = false
  var log: LogDestination?
  var record: RecordChoice?
  /// The timelines that are wanted for reports; nil leaves the choice to the formats.
  var htmlEvents: KeptTimelines?
  /// True if changes are waited for, and what they touch runs again.
  var watches = false
  /// The options that the command line has.
  var given: Set<OptionName> = []

  /// The timelines that reports keep.
  var timelines: KeptTimelines {
    htmlEvents ?? (output.requests.contains { $0.format == .html } ? .failed : .none)
  }

  static var rows: [OptionRow<Self>] {
    [
      OptionRow(.tag), OptionRow(.grep), OptionRow(.failed), OptionRow(.shard),
      OptionRow(.durations),
      .variable, .variableFile, .environmentFile, .environment, .seed(\.seed),
      .flag(.dryRun, \.isDryRun, "list what would run, and run nothing"),
      .flag(
        .watch, short: "w", \.watches, "run what a change touches again, until Ctrl-C"),
      .jobs(
        \.jobs,
        "scenarios at once (default: one per core, up to 8 in real time)"),
      .flag(.failFast, \.failsFast, "stop after the first scenario that fails"),
      OptionRow(.retries, value: "N", "run a scenario that failed again, up to N times") {
        $1.retries = try $0.number(.retries, 0...mostRetries) ?? 0
      },
      .flag(
        .failOnFlaky, \.failsOn.flaky,
        "treat a scenario that passed only when run again as failed"),
      .failOn(\.failsOn),
      OptionRow(.repeat, value: "N", "run each scenario N times, each time with the next seed") {
        $1.repetitions = try $0.repetitions()
      },
      OptionRow(
        .shuffle, value: "SEED", optional: true,
        "run the files, and the scenarios of each, in a random order"
      ) { $1.shuffle = try $0.order() },
      .flag(
        .twice, \.options.isTwice, "run programs in virtual time again, and fail if they differ"),
      .flag(
        .realTime, \.hasMachineClock,
        "programs have the machine's clock; compare it with `time: virtual`"),
      .time(.maxTime, \.maxTime, "the most real time of one scenario"),
      .time(.deadline, \.deadline, "the most real time of the whole run"),
      .strict(\.failsOn.isStrict),
      .flag(
        .coverage, \.options.notesParts,
        "end with what no scenario has reached: routes, actions, nodes …"),
      .number(
        .slowest, 1...mostShown, \.slowestShown, "end with the N scenarios that took longest"),
      .number(
        .answerLines, 0...mostShown, \.options.bodyLines,
        "the most lines of a body that a failure shows (default: 16)"),
      OptionRow(.logLimit, value: "MB", "the largest log of a run (default: 256)") {
        let limit = try $0.number(.logLimit, 1...largestLogLimit, of: " of megabytes")
        $1.options.logLimit = limit.map { $0 * 1_000_000 }
      },
      OptionRow(
        .update, value: "force", optional: true,
        "record the snapshots of this run; if CI is set, only =force does"
      ) { $1.update = try $0.update() },
      .report,
      OptionRow(
        .htmlEvents, value: "failed|all|none",
        "the runs whose timelines html and ndjson reports have (html: failed)"
      ) { $1.htmlEvents = try $0.choice(.htmlEvents) },
      .history, .compare,
      .color,
      .verbose("report scenarios that passed as well"),
      .quiet(),
      .showCredentials(\.options.showsCredentials),
      OptionRow(.noWallTimes, "leave real durations out, so that two reports compare equal") {
        $1.showsWallTimes = false
      },
      .finallyTime(\.finallyTime),
      OptionRow(.against("mock, sockets, real, trace:FILE; NAME=… for one (default: mock)")),
      .disturb(\.options.disturbances),
      OptionRow(.trustedFile), OptionRow(.certificate), OptionRow(.key), OptionRow(.insecure),
      OptionRow(.proxy),
      OptionRow(.noDrift, "do not compare real endpoints with their mocks"),
      OptionRow(
        .log, value: "FILE", "write each event as a line of JSON; - shows them, json=- as JSON"
      ) { $1.log = $0.log() },
      .record(\.record),
      OptionRow(
        .recordFailures, value: "DIR", optional: true,
        "keep the traces of failed scenarios only"
      ) { $1.record = try $0.record() },
    ]
  }

  mutating func finish(_ words: ArgumentWords) throws(UsageProblem) {
    scenarios = try words.scenarios()
    world = try words.world()
    try words.refuseInputBesideWorld()
    try words.refuseReportBesideLog()
    if isDryRun { listing = try words.listing() }
    given = Set(words.options.map(\.entry.name))
  }
}

let scenarioOperands = [
  ("PATH…", "files, folders, patterns or - for stdin (default: \(defaultScenarioPath))"),
  ("FILE:LINE", "the scenario a line belongs to"),
  ("FILE::TITLE[::ROW]", "one scenario by its title, or one row of its cases"),
]

extension Verb {
  static let runPage = VerbPage(
    verb: .run, purpose: "Run scenarios and judge them.", operands: "[PATH…]",
    operandLines: scenarioOperands, operandCount: 0...Int.max, options: RunArguments.entries,
    examples: [
      ("rehearse run scenarios", "all scenarios of a folder"),
      ("rehearse run chat.scenario.yaml:12 --seed 7", "the scenario around line 12, with its seed"),
      ("rehearse run --tag '!slow' --format junit=report.xml", "for a build server"),
      ("rehearse run --against real --var token=abc", "the same scenarios, and the real server"),
      ("rehearse run --against real,webhook=sockets", "the real server, which calls a mock"),
    ])
}
