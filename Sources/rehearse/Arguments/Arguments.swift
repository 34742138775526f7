import Values

/// The command of a command line, with its arguments.
enum Command: Equatable {
  case run(RunArguments)
  case serve(ServeArguments)
  case validate(ValidateArguments)
  case list(ListArguments)
  case schema(SchemaArguments)
  case explain(ExplainArguments)
  case initialize(InitArguments)
  case eval(EvalArguments)
  case judge(JudgeArguments)
  case replay(ReplayArguments)
  case trace(TraceArguments)
  case `import`(ImportArguments)
  case fmt(FormatArguments)
  case fix(FixArguments)
  case docs(DocsArguments)
  case completions(Shell)
  case man
  case report(ReportArguments)
  case config(ConfigArguments)
  case sweep(SweepArguments)
  case check(CheckArguments)
  case time(TimeArguments)
  /// The text to show for `--help`.
  case help(String)
  /// The first commands, for someone who gave none.
  case usage
  case version
}

/// Reads a command line, without the program's name. The result depends on its words alone.
func parseArguments(_ arguments: [String]) -> Result<Command, UsageProblem> {
  let line = CommandLineText(arguments)
  do throws(UsageProblem) {
    guard let first = arguments.first else { return .success(.usage) }
    if first == "--help" || first == "-h" { return .success(.help(overviewText())) }
    if first == "--version" { return .success(.version) }
    guard !first.hasPrefix("-") else { throw .optionBeforeCommand(line) }
    // `Verb(rawValue:)` makes a dictionary of all names, which takes longer than a small scenario.
    guard let verb = Verb.allCases.first(where: { $0.rawValue == first }) else {
      throw .unknownCommand(line)
    }
    let words = try ArgumentWords(reading: line, for: verb.page)
    if words.asksForHelp { return .success(.help(helpText(for: verb))) }
    if words.has(.version) { return .success(.version) }
    return .success(try command(verb, words))
  } catch {
    return .failure(error)
  }
}

private func command(_ verb: Verb, _ words: ArgumentWords) throws(UsageProblem) -> Command {
  switch verb {
  case .run: .run(try RunArguments(words))
  case .serve: .serve(try ServeArguments(words))
  case .validate: .validate(try ValidateArguments(words))
  case .list: .list(try ListArguments(words))
  case .schema: .schema(try SchemaArguments(words))
  case .explain: .explain(ExplainArguments(name: words.operands.first?.text))
  case .initialize: .initialize(try InitArguments(words))
  case .eval: .eval(try EvalArguments(words))
  case .judge: .judge(try JudgeArguments(words))
  case .replay: .replay(try ReplayArguments(words))
  case .trace: .trace(try TraceArguments(words))
  case .import: .import(try ImportArguments(words))
  case .fmt: .fmt(try FormatArguments(words))
  case .fix: .fix(try FixArguments(words))
  case .docs: .docs(try DocsArguments(words))
  case .completions: .completions(try words.known(words.operands[0]))
  case .man: .man
  case .report: .report(try ReportArguments(words))
  case .config: .config(try ConfigArguments(words))
  case .sweep: .sweep(try SweepArguments(words))
  case .check: .check(try CheckArguments(words))
  case .time: .time(try TimeArguments(words))
  }
}

/// The scenarios that a command applies to.
struct ScenarioChoice: Equatable {
  var selectors: [Selector] = []
  /// True if the command line names no scenarios.
  var isDefault = false
  var tags = TagFilter()
  /// The place of the tags if a configuration gives them: `rehearse.yaml:3`.
  var tagsPlace: String?
  var titles = TitleFilter()
  var shard: ShardChoice?
  /// The JSON report of an earlier run, by whose durations the shards are balanced.
  var durations: String?
  var failed: FailedChoice?
}

/// `--var NAME=VALUE`. The value is text; its type is that of the variable's declaration.
struct VariableSetting: Equatable {
  var name: String
  var value: String
}

/// The format of a report and its file; without a path it goes to standard output.
struct ReportRequest: Equatable {
  /// The formats of reports.
  enum Format: String, CaseIterable {
    case human, junit, json, ndjson, tap, ctrf, github, codequality, html
  }
  var format: Format
  var path: String?
}

/// The order of `--shuffle`: by a seed, or by a new one for each run.
enum ShuffleChoice: Equatable {
  case seed(UInt64)
  case anew
}

/// The conditions that fail a run besides broken assertions.
struct FailureConditions: Equatable {
  /// True if a warning counts as a failure of the run.
  var warnings = false
  /// True if a scenario that passed only when it ran again counts as failed.
  var flaky = false
  /// True if a run counts as failed that cannot promise to be repeatable.
  var doubts = false
  /// True if what a scenario never exercises fails it.
  var isStrict = false
}

/// The words of `--fail-on`.
enum FailureWord: String, CaseIterable { case flaky, warnings, doubts }
/// The choice whether snapshots are recorded.
enum UpdateChoice: String, CaseIterable { case no, yes, force }
/// The formats of lists and of diagnostics without a run.
enum ListingFormat: String, CaseIterable { case human, json, ndjson }
/// The files that have a schema.
enum SchemaKind: String, CaseIterable {
  case scenario, component, steps
  case configuration = "rehearse-config"
  case trace
  case reportEvents = "report-events"
  case serveMessages = "serve-messages"
}
/// The words of `--against`.
enum WorldChoice: String, CaseIterable { case mock, sockets, real }
