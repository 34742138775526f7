import Diagnostics
import ScenarioRuns
import TextSearch
import Values

/// The arguments of `trace`.
struct TraceArguments: VerbArguments, TakesInputs {
  /// The questions to a trace.
  enum Action: String, CaseIterable {
    case show, why, state, requests, stats, diff, export, audit
  }

  /// The formats of `export`.
  enum ExportFormat: String, CaseIterable { case chrome, otlp, har, marbles }

  var action = Action.show
  var path = ""
  /// The other trace of `diff`.
  var otherPath: String?
  /// The event of `why` and `state`.
  var event: Int?
  /// The format of `export`.
  var format: ExportFormat?
  /// The run of a log that holds several.
  var run: Int?
  var showsAll = false
  var isForPrograms = false
  /// True if `diff` prints a line for each source.
  var isSummary = false
  var sources: [String] = []
  var kinds: [String] = []
  /// The times that lines are shown from and up to.
  var begin: Microseconds?
  var end: Microseconds?
  var inputs = GivenInputs()
  var color = ColorChoice.auto

  static var rows: [OptionRow<Self>] {
    [
      .texts(.source, "NAME", \.sources, "show, state: only this source; repeatable"),
      .texts(.kind, "KIND", \.kinds, "show: only lines of this kind; repeatable"),
      .time(.begin, \.begin, "show: only lines from this time on, such as 1.5s"),
      OptionRow(.end, value: "TIME|FORMAT", "show: only lines up to this time; export: the format"),
      .run(\.run),
      .flag(
        .summary, \.isSummary, "diff: print a line for each source, for the review of a change"),
      .flag(.all, \.showsAll, "print all lines of text (default: the first 40)"),
      .flag(.json, \.isForPrograms, "print the answer as JSON"),
      .variable, .variableFile, .environmentFile, .environment, .color(\.color),
    ]
  }

  mutating func finish(_ words: ArgumentWords) throws(UsageProblem) {
    action = try words.known(words.operands[0])
    try words.check(for: action)
    try words.refuseInputTwice()
    path = words.operands[1].text
    let third = words.operands.dropFirst(2).first
    otherPath = action == .diff ? third?.text : nil
    event = action.takesEvent ? try words.event(third) : nil
    if action == .export {
      format = try words.choice(.end)
    } else {
      end = try words.time(.end)
    }
  }
}

/// The destination of a log, and its form.
enum LogDestination: Equatable {
  case file(String)
  /// Standard output: for people on a terminal, unless JSON is asked for.
  case output(json: Bool)
}

/// The runs that get a trace of their own, and its folder.
struct RecordChoice: Equatable {
  var onlyFailures = false
  /// Nil stands for `traces` beside each scenario.
  var folder: String?
}

extension TraceArguments.Action {
  var takesEvent: Bool { self == .why || self == .state }

  /// The options of this action, apart from those of every action.
  fileprivate var options: [OptionName] {
    switch self {
    case .show: [.source, .kind, .begin, .end, .run, .all, .json]
    case .why, .requests, .stats: [.run, .all, .json]
    case .diff: [.summary, .run, .all, .json]
    case .state: [.source, .run, .all, .json]
    case .export: [.end, .run, .all]
    case .audit: [.variable, .variableFile, .environmentFile, .environment, .json]
    }
  }

  /// The operands, after the name of the action.
  fileprivate var operands: String {
    switch self {
    case .show, .requests, .stats: "FILE"
    case .audit: "FILE|FOLDER"
    case .why, .state: "FILE EVENT"
    case .diff: "A B"
    case .export: "FILE --to FORMAT"
    }
  }

  fileprivate var operandCount: Int { takesEvent || self == .diff ? 3 : 2 }
}

extension ArgumentWords {
  /// Checks that an action gets its operands and its own options.
  fileprivate func check(for action: TraceArguments.Action) throws(UsageProblem) {
    let usage = "\(action.rawValue) \(action.operands)"
    if operands.count < action.operandCount { throw .missingPart(of: usage, line) }
    if operands.count > action.operandCount {
      throw .unexpectedArgument(operands[action.operandCount], of: page, line)
    }
    let others: [OptionName] = [.color, .help, .version]
    for given in options where !(action.options + others).contains(given.entry.name) {
      throw .optionOfAnother(given.entry.name, given.value, than: action.rawValue, line)
    }
    if action == .export, value(of: .end) == nil { throw .missingPart(of: usage, line) }
  }

  /// Refuses a second operand that leads to standard input.
  func refuseInputTwice() throws(UsageProblem) {
    let inputs = operands.filter { isStandardInput($0.text) }
    if inputs.count > 1 { throw .inputTwice(inputs[0], inputs[1], line) }
  }

  /// Refuses what else would read standard input if the trace of `--against` comes from there.
  func refuseInputBesideWorld() throws(UsageProblem) {
    let worlds = values(of: .against).filter { word in
      word.text.split(separator: ",").contains { part in
        part.firstRange(of: "trace:").map { isStandardInput(String(part[$0.upperBound...])) }
          ?? false
      }
    }
    guard let world = worlds.first else { return }
    if let other = operands.first(where: { isStandardInput($0.text) }) {
      throw .inputTwice(world, other, line)
    }
    if let watch = value(of: .watch) { throw .inputTwice(world, watch, line) }
  }

  private func isStandardInput(_ path: String) -> Bool {
    [standardInputPath, "/dev/stdin"].contains(path)
  }

  func event(_ word: Word?) throws(UsageProblem) -> Int? {
    guard let word else { return nil }
    guard let number = Int(word.text), number >= 0 else { throw .badEvent(word, line) }
    return number
  }

  func runNumber() throws(UsageProblem) -> Int? {
    guard let word = value(of: .run) else { return nil }
    guard let number = Int(word.text), number > 0 else { throw .badRun(word, line) }
    return number
  }

  /// Returns where `--log` leads: to a file, or with `-` or `json` to standard output.
  func log() -> LogDestination? {
    guard let text = value(of: .log)?.text else { return nil }
    switch text {
    case "-": return .output(json: false)
    case "json", "json=-": return .output(json: true)
    default: return .file(text.hasPrefix("json=") ? String(text.dropFirst(5)) : text)
    }
  }

  /// Refuses a report of a program's format on standard output, if the log goes there.
  func refuseReportBesideLog() throws(UsageProblem) {
    guard case .output = log(), let log = value(of: .log) else { return }
    let human = ReportRequest.Format.human.rawValue
    let reports = values(of: .format).filter { !$0.text.contains("=") || $0.text.hasSuffix("=-") }
    if let shown = reports.first(where: { !$0.text.hasPrefix(human) }) {
      throw .twoReportsShown(log, shown, line)
    }
  }

  func record() throws(UsageProblem) -> RecordChoice? {
    try refuse(.record, beside: .recordFailures)
    guard let word = value(of: .record) ?? value(of: .recordFailures) else { return nil }
    return RecordChoice(
      onlyFailures: !has(.record), folder: word.text.isEmpty ? nil : word.text)
  }
}

extension OptionRow {
  /// The number of a run in its log.
  static func run(_ path: WritableKeyPath<Arguments, Int?>) -> Self {
    Self(.run, value: "N", "the run of a log that holds several") {
      $1[keyPath: path] = try $0.runNumber()
    }
  }
}

extension Verb {
  static let tracePage = VerbPage(
    verb: .trace, purpose: "Read traces: show, question, compare, export or audit them.",
    operands: "ACTION FILE",
    operandLines: [
      ("FILE", "a trace, or - for stdin"),
      ("show FILE", "print the lines of a trace, and say where it ends"),
      ("why FILE EVENT", "print the causes of the event with this number, newest first"),
      ("state FILE EVENT", "print the last value of every source at this event"),
      ("requests FILE", "print a line for each request, with its answer or its stream"),
      ("stats FILE", "count lines by kind and by source, and show gaps over 10 s"),
      ("diff A B", "compare two traces by source and order; exit code 1 if they differ"),
      ("export FILE --to FORMAT", "print the trace as chrome, otlp, har or marbles"),
      ("audit FILE|FOLDER", "search traces for tokens and for the values of --var"),
    ],
    operandCount: 2...3, options: TraceArguments.entries,
    examples: [
      ("rehearse trace show traces/prices.a-feed.trace.jsonl --source feed", "its conversation"),
      ("rehearse trace why prices.a-feed.trace.jsonl 13", "the causes of event 13"),
      ("rehearse trace state prices.a-feed.trace.jsonl 13 --source prices.state", "its value"),
      ("rehearse trace diff traces/old.trace.jsonl traces/new.trace.jsonl", "what changed"),
      ("rehearse trace export prices.a-feed.trace.jsonl --to chrome", "for Perfetto"),
      ("rehearse trace audit prices.a-feed.trace.jsonl --var token=abc", "before sharing it"),
    ])
}
