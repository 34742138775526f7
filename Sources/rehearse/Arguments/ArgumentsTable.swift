import TextSearch

/// A command of the program. Its page declares what follows it on the command line.
enum Verb: String, CaseIterable {
  case run, serve, validate, list, schema, explain
  case initialize = "init"
  case config, eval, judge, check, sweep, replay, trace, `import`, report, fmt, docs, completions
  case man
}

/// A row of the table of options. The parser, the messages and the help are made from it.
struct OptionEntry {
  var name: OptionName
  var short: Character?
  /// The name of the value in the help; nil for an option that takes none.
  var value: String?
  /// True if the value may be left out. If it is given, it comes after `=`.
  var isOptional = false
  var isRepeatable = false
  var purpose: String

  init(
    _ name: OptionName, short: Character? = nil, value: String? = nil, repeatable: Bool = false,
    optional: Bool = false, _ purpose: String
  ) {
    self.name = name
    self.short = short
    self.value = value
    isRepeatable = repeatable
    isOptional = optional
    self.purpose = purpose
  }
}

/// The names of options, without their dashes.
enum OptionName: String, CaseIterable {
  case tag
  case variable = "var"
  case variableFile = "vars-file"
  case environmentFile = "env-file"
  case seed, jobs
  case failFast = "fail-fast"
  case retries
  case failOnFlaky = "fail-on-flaky"
  case failOn = "fail-on"
  case grep, shard, durations, failed, `repeat`, shuffle
  case dryRun = "dry-run"
  case watch
  case maxTime = "max-time"
  case deadline
  case strict, coverage, slowest
  case answerLines = "answer-lines"
  case logLimit = "log-limit"
  case update
  case format
  case htmlEvents = "html-events"
  case color, verbose, quiet
  case showCredentials = "show-credentials"
  case noWallTimes = "no-wall-times"
  case finallyTime = "finally-time"
  case against
  case trustedFile = "cacert"
  case certificate = "cert"
  case key, insecure, proxy
  case noDrift = "no-drift"
  case port
  case portsFile = "ports-file"
  case forever, timeout, tls, cors, host
  case certificateFile = "cert-out"
  case log
  case record
  case recordFailures = "record-failures"
  case source, kind
  case begin = "from"
  case end = "to"
  case run, all, json, summary
  case scenario, until, learn, follow
  case allowCut = "allow-cut"
  case disturb, pairs, pin, baseline, courses
  case listing = "list"
  case allPlaces = "all-places"
  case same
  case write, check, diff, width, version, help
}

/// The options, operands and examples of one command.
struct VerbPage {
  var verb: Verb
  var purpose: String
  var operands: String
  /// The operands and their meaning, shown below the usage line.
  var operandLines: [(name: String, purpose: String)]
  /// The allowed number of operands.
  var operandCount: ClosedRange<Int>
  var options: [OptionEntry]
  var examples: [(line: String, purpose: String)]

  /// The options of this command and those of every command.
  var allOptions: [OptionEntry] { options + OptionEntry.everywhere }
}

// The settings of connections to real endpoints.
extension OptionEntry {
  static let trustedFile = OptionEntry(
    .trustedFile, value: "FILE", "trust these certificates too, with real endpoints")
  static let certificate = OptionEntry(
    .certificate, value: "FILE", "show real endpoints this certificate")
  static let key = OptionEntry(
    .key, value: "FILE", "the key of that certificate (default: the same file)")
  static let insecure = OptionEntry(
    .insecure, "do not verify the certificates of real endpoints")
  static let proxy = OptionEntry(
    .proxy, value: "URL", "reach real endpoints through this proxy")
}

extension OptionEntry {
  static let everywhere = [
    OptionEntry(.version, "print the version"),
    OptionEntry(.help, short: "h", "print this page"),
  ]
  static let color = OptionEntry(
    .color, value: "auto|always|never", "colour the output (default: auto)")
  static let showCredentials = OptionEntry(
    .showCredentials, "show tokens of others on a terminal; refused if CI is set")
  static let variable = OptionEntry(
    .variable, value: "NAME=VALUE", repeatable: true, "set a variable; repeatable")
  static let variableFile = OptionEntry(
    .variableFile, value: "FILE", repeatable: true,
    "set variables from a YAML or JSON map; --var wins; repeatable")
  static let environmentFile = OptionEntry(
    .environmentFile, value: "FILE", repeatable: true,
    "read NAME=VALUE lines for unset ${env.NAME}; repeatable")
  static let seed = OptionEntry(
    .seed, value: "N", "the seed of random choices (decimal, or hexadecimal 0x…)")
  static let finallyTime = OptionEntry(
    .finallyTime, value: "TIME", "the time for `finally` after Ctrl-C (default: 5s)")
  static let tag = OptionEntry(
    .tag, value: "TAG", repeatable: true,
    "only scenarios with this tag, or with !TAG without it; repeatable")
  static let grep = OptionEntry(
    .grep, short: "g", value: "PATTERN", repeatable: true,
    "only titles that match this regular expression; repeatable")
  static let shard = OptionEntry(
    .shard, value: "I/N", "only part I of N; auto takes it from the build server")
  static let durations = OptionEntry(
    .durations, value: "FILE", "balance the parts by the durations of this JSON report")
  static let failed = OptionEntry(
    .failed, value: "only|first", optional: true,
    "only what failed last, or its files first (default: only)")
  static let failOn = OptionEntry(
    .failOn, value: "warnings|flaky", repeatable: true,
    "treat these as failures of the run; repeatable")
  static let strict = OptionEntry(
    .strict, "treat what a scenario never exercises as a failure")
  static let report = OptionEntry(
    .format, value: "FORMAT[=FILE]", repeatable: true,
    ReportRequest.Format.allCases.map(\.rawValue).joined(separator: ", "))
  static let listing = OptionEntry(
    .format, value: "human|json", "how to print what was found (default: human)")
}

private let scenarioOperands = [
  ("PATH…", "files, folders, patterns or - for stdin (default: \(defaultScenarioPath))"),
  ("FILE:LINE", "the scenario a line belongs to"),
  ("FILE::TITLE[::ROW]", "one scenario by its title, or one row of its cases"),
]

/// The folder to search for scenarios when none are named.
let defaultScenarioPath = "scenarios"

extension Verb {
  var page: VerbPage {
    switch self {
    case .run: Verb.runPage
    case .serve: Verb.servePage
    case .validate: Verb.validatePage
    case .list: Verb.listPage
    case .schema: Verb.schemaPage
    case .explain: Verb.explainPage
    case .initialize: Verb.initPage
    case .eval: Verb.evalPage
    case .judge: Verb.judgePage
    case .replay: Verb.replayPage
    case .trace: Verb.tracePage
    case .import: Verb.importPage
    case .fmt: Verb.formatPage
    case .docs: Verb.docsPage
    case .completions: Verb.completionsPage
    case .man: Verb.manualPage
    case .report: Verb.reportPage
    case .config: Verb.configPage
    case .sweep: Verb.sweepPage
    case .check: Verb.checkPage
    }
  }

  private static let runPage = VerbPage(
    verb: .run, purpose: "Run scenarios and judge them.", operands: "[PATH…]",
    operandLines: scenarioOperands, operandCount: 0...Int.max,
    options: [
      .tag, .grep, .failed, .shard, .durations, .variable, .variableFile, .environmentFile, .seed,
      OptionEntry(.dryRun, "list what would run, and run nothing"),
      OptionEntry(.watch, short: "w", "run what a change touches again, until Ctrl-C"),
      OptionEntry(
        .jobs, value: "N",
        "scenarios at once (default: one per core, up to 8 in real time)"),
      OptionEntry(.failFast, "stop after the first scenario that fails"),
      OptionEntry(.retries, value: "N", "run a scenario that failed again, up to N times"),
      OptionEntry(.failOnFlaky, "treat a scenario that passed only when run again as failed"),
      .failOn,
      OptionEntry(
        .repeat, value: "N", "run each scenario N times, each time with the next seed"),
      OptionEntry(
        .shuffle, value: "SEED", optional: true,
        "run the files, and the scenarios of each, in a random order"),
      OptionEntry(.maxTime, value: "TIME", "the most real time of one scenario"),
      OptionEntry(.deadline, value: "TIME", "the most real time of the whole run"),
      .strict,
      OptionEntry(.coverage, "end with what no scenario has reached: routes, actions, nodes …"),
      OptionEntry(.slowest, value: "N", "end with the N scenarios that took longest"),
      OptionEntry(
        .answerLines, value: "N", "the most lines of a body that a failure shows (default: 16)"),
      OptionEntry(.logLimit, value: "MB", "the largest log of a run (default: 256)"),
      OptionEntry(
        .update, value: "force", optional: true,
        "record the snapshots of this run; if CI is set, only =force does"),
      .report,
      OptionEntry(
        .htmlEvents, value: "failed|all|none",
        "the runs whose timelines html and ndjson reports have (html: failed)"),
      .color,
      OptionEntry(.verbose, short: "v", "report scenarios that passed as well"),
      OptionEntry(.quiet, short: "q", "report failures only"),
      .showCredentials,
      OptionEntry(.noWallTimes, "leave real durations out, so that two reports compare equal"),
      .finallyTime,
      OptionEntry(
        .against, value: "WORLD", repeatable: true,
        "mock, sockets, real, trace:FILE; NAME=… for one (default: mock)"),
      OptionEntry(
        .disturb, value: "NAME", repeatable: true,
        "let this go wrong, as `sweep` names it; repeatable"),
      .trustedFile, .certificate, .key, .insecure, .proxy,
      OptionEntry(.noDrift, "do not compare real endpoints with their mocks"),
      OptionEntry(
        .log, value: "FILE", "write each event as a line of JSON; - shows them, json=- as JSON"),
      .record, .recordFailures,
    ],
    examples: [
      ("rehearse run scenarios", "all scenarios of a folder"),
      ("rehearse run chat.scenario.yaml:12 --seed 7", "the scenario around line 12, with its seed"),
      ("rehearse run --tag '!slow' --format junit=report.xml", "for a build server"),
      ("rehearse run --against real --var token=abc", "the same scenarios, and the real server"),
      ("rehearse run --against real,webhook=sockets", "the real server, which calls a mock"),
    ])

  private static let validatePage = VerbPage(
    verb: .validate, purpose: "Report what is wrong with scenarios, without running them.",
    operands: "[PATH…]", operandLines: scenarioOperands, operandCount: 0...Int.max,
    options: [.tag, .grep, .listing, .color],
    examples: [("rehearse validate scenarios", "all mistakes that can be found without running")])

  private static let listPage = VerbPage(
    verb: .list, purpose: "List scenarios with their tags and rows.", operands: "[PATH…]",
    operandLines: scenarioOperands, operandCount: 0...Int.max,
    options: [.tag, .grep, .failed, .shard, .durations, .listing, .color],
    examples: [("rehearse list scenarios --tag sse", "the scenarios that `run` would run")])

  private static let schemaPage = VerbPage(
    verb: .schema, purpose: "Print the JSON Schemas that editors and build servers read.",
    operands: "[SCHEMA]",
    operandLines: [
      (
        "SCHEMA",
        "scenario, component, steps, rehearse-config, trace or report-events (default: scenario)"
      )
    ],
    operandCount: 0...1,
    options: [
      OptionEntry(.write, value: "DIR", "write the schemas into a folder"),
      OptionEntry(.check, value: "DIR", "fail when the schemas in a folder are not up to date"),
    ],
    examples: [("rehearse schema --write schemas", "all schemas, as files")])

  private static let explainPage = VerbPage(
    verb: .explain, purpose: "Explain a complaint, a function, a step, an operator or a key.",
    operands: "[NAME]",
    operandLines: [
      ("NAME", "the id in brackets after `error`, or a word of a scenario (default: list them all)")
    ],
    operandCount: 0...1, options: [],
    examples: [
      ("rehearse explain out-of-order", "what error[out-of-order] means"),
      ("rehearse explain sortBy", "a function of expressions, with an example"),
      ("rehearse explain debounce", "an operator of streams"),
    ])

  private static let initPage = VerbPage(
    verb: .initialize, purpose: "Write a first scenario to start from.", operands: "[DIR]",
    operandLines: [("DIR", "the folder to write to (default: \(defaultScenarioPath))")],
    operandCount: 0...1, options: [], examples: [("rehearse init", "then: rehearse run")])

  private static let evalPage = VerbPage(
    verb: .eval, purpose: "Evaluate one CEL expression and print its value as JSON.",
    operands: "EXPRESSION", operandLines: [("EXPRESSION", "as it would be written in a scenario")],
    operandCount: 1...1, options: [.variable, .color],
    examples: [("rehearse eval 'count % 2 == 0' --var count=3", "prints false")])
}
