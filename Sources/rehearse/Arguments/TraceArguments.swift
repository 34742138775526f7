import Diagnostics
import ScenarioRuns
import TextSearch
import Values

/// The arguments of `trace`.
struct TraceArguments: Equatable {
  /// The questions to a trace.
  enum Action: String, CaseIterable {
    case show, why, state, requests, stats, diff, export, audit
  }

  /// The formats of `export`.
  enum ExportFormat: String, CaseIterable { case chrome, otlp, har, marbles }

  var action: Action
  var path: String
  /// The other trace of `diff`.
  var otherPath: String?
  /// The event of `why` and `state`.
  var event: Int?
  /// The format of `export`.
  var format: ExportFormat?
  /// The run of a log that holds several.
  var run: Int?
  var showsAll: Bool
  var isForPrograms: Bool
  /// True if `diff` prints a line for each source.
  var isSummary: Bool
  var sources: [String]
  var kinds: [String]
  /// The times that lines are shown from and up to.
  var begin: Microseconds?
  var end: Microseconds?
  var variables: [VariableSetting]
  var variableFiles: [String]
  var environmentFiles: [String]
  var color: ColorChoice
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

extension TraceArguments {
  init(_ words: ArgumentWords) throws(UsageProblem) {
    guard let word = words.operands.first else { throw .missingOperand(of: words.page, words.line) }
    guard let action = Action(rawValue: word.text) else {
      throw .badChoice(word, of: Action.allCases.map(\.rawValue), words.line)
    }
    self.action = action
    try words.check(for: action)
    try words.refuseInputTwice()
    path = words.operands[1].text
    let third = words.operands.dropFirst(2).first
    otherPath = action == .diff ? third?.text : nil
    event = action.takesEvent ? try words.event(third) : nil
    format = try action == .export ? words.exportFormat() : nil
    run = try words.runNumber()
    showsAll = words.has(.all)
    isForPrograms = words.has(.json)
    isSummary = words.has(.summary)
    sources = words.values(of: .source).map(\.text)
    kinds = words.values(of: .kind).map(\.text)
    begin = try words.time(.begin)
    end = try action == .export ? nil : words.time(.end)
    variables = try words.variables()
    variableFiles = words.values(of: .variableFile).map(\.text)
    environmentFiles = words.values(of: .environmentFile).map(\.text)
    color = try words.choice(.color) ?? .auto
  }
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
    case .audit: [.variable, .variableFile, .environmentFile, .json]
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

  fileprivate func exportFormat() throws(UsageProblem) -> TraceArguments.ExportFormat? {
    guard let word = value(of: .end) else { return nil }
    guard let format = TraceArguments.ExportFormat(rawValue: word.text) else {
      throw .badChoice(word, of: TraceArguments.ExportFormat.allCases.map(\.rawValue), line)
    }
    return format
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
    switch (value(of: .record), value(of: .recordFailures)) {
    case (let all?, let failures?): throw .contradiction(all, failures, line)
    case (let all?, nil): RecordChoice(folder: all.text.isEmpty ? nil : all.text)
    case (nil, let failures?):
      RecordChoice(onlyFailures: true, folder: failures.text.isEmpty ? nil : failures.text)
    case (nil, nil): nil
    }
  }
}

extension OptionEntry {
  static let record = OptionEntry(
    .record, value: "DIR", optional: true,
    "record a trace of each scenario, in traces beside it or in DIR")
  static let recordFailures = OptionEntry(
    .recordFailures, value: "DIR", optional: true, "keep the traces of failed scenarios only")
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
    operandCount: 2...3,
    options: [
      OptionEntry(
        .source, value: "NAME", repeatable: true, "show, state: only this source; repeatable"),
      OptionEntry(
        .kind, value: "KIND", repeatable: true, "show: only lines of this kind; repeatable"),
      OptionEntry(.begin, value: "TIME", "show: only lines from this time on, such as 1.5s"),
      OptionEntry(
        .end, value: "TIME|FORMAT", "show: only lines up to this time; export: the format"),
      OptionEntry(.run, value: "N", "the run of a log that holds several"),
      OptionEntry(.summary, "diff: print a line for each source, for the review of a change"),
      OptionEntry(.all, "print all lines of text (default: the first 40)"),
      OptionEntry(.json, "print the answer as JSON"),
      .variable, .variableFile, .environmentFile, .color,
    ],
    examples: [
      ("rehearse trace show traces/prices.a-feed.trace.jsonl --source feed", "its conversation"),
      ("rehearse trace why prices.a-feed.trace.jsonl 13", "the causes of event 13"),
      ("rehearse trace state prices.a-feed.trace.jsonl 13 --source prices.state", "its value"),
      ("rehearse trace diff traces/old.trace.jsonl traces/new.trace.jsonl", "what changed"),
      ("rehearse trace export prices.a-feed.trace.jsonl --to chrome", "for Perfetto"),
      ("rehearse trace audit prices.a-feed.trace.jsonl --var token=abc", "before sharing it"),
    ])
}
