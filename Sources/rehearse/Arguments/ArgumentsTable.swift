import TextSearch

/// A command of the program. Its page declares what follows it on the command line.
enum Verb: String, CaseIterable {
  case run, serve, validate, list, schema, explain
  case initialize = "init"
  case config, eval, judge, check, sweep, replay, time, trace, `import`, report, fmt, fix, docs
  case completions, man
}

/// The names of options, without their dashes.
enum OptionName: String, CaseIterable {
  case tag, `for`
  case variable = "var"
  case variableFile = "vars-file"
  case environmentFile = "env-file"
  case environment = "env"
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
  case history, compare
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
  case scenario, until, then, learn, follow, answer, trace
  case allowCut = "allow-cut"
  case disturb, pairs, pin, baseline, courses
  case listing = "list"
  case allPlaces = "all-places"
  case same
  case serve, clock, twice
  case realTime = "real-time"
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
  /// True if the first operand is a command, whose own options follow.
  var takesCommand = false

  /// The options of this command and those of every command.
  var allOptions: [OptionEntry] { options + OptionEntry.everywhere }
}

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
    case .fix: Verb.fixPage
    case .docs: Verb.docsPage
    case .completions: Verb.completionsPage
    case .man: Verb.manualPage
    case .report: Verb.reportPage
    case .config: Verb.configPage
    case .sweep: Verb.sweepPage
    case .check: Verb.checkPage
    case .time: Verb.timePage
    }
  }
}
