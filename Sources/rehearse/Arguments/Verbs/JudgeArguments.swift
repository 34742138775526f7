import ScenarioRuns
import Values

/// The arguments of `judge`.
struct JudgeArguments: VerbArguments, TakesInputs, WritesReports {
  var scenario = ScenarioChoice()
  /// Files and folders of traces.
  var traces: [String] = []
  var inputs = GivenInputs()
  /// When the events of a trace begin to ask for no answer, and how that was written.
  var until: AskingEnd?
  var untilText: String?
  /// True if lines of standard input are judged while they come.
  var follows = false
  var jobs: Int?
  var failsOn = FailureConditions()
  var output = ReportOutput()
  var showsCredentials = false

  static var rows: [OptionRow<Self>] {
    [
      OptionRow(.tag), .variable, .variableFile, .environmentFile, .environment,
      OptionRow(.until, value: "TIME", "judge what began before a date, 90s, or -1m from the end") {
        words, arguments throws(UsageProblem) in
        arguments.until = try words.askingEnd()
        arguments.untilText = words.value(of: .until)?.text
      },
      .flag(
        .follow, \.follows, "judge lines of - while they come, and end with the first failure"),
      .jobs(\.jobs, "judge this many traces at once (default: one per core)"),
      .strict(\.failsOn.isStrict), .failOn(\.failsOn), .report, .color,
      .verbose("report traces that passed as well"),
      .quiet(),
      .showCredentials(\.showsCredentials),
    ]
  }

  mutating func finish(_ words: ArgumentWords) throws(UsageProblem) {
    let word = words.operands[0]
    guard let selection = Selection(word.text) else { throw .badSelector(word, words.line) }
    try words.refuseInputTwice()
    scenario = ScenarioChoice(
      selectors: [Selector(text: word.text, selection: selection)], tags: try words.tags())
    traces = words.operands.dropFirst().map(\.text)
    if follows,
      let other = words.operands.dropFirst().first(where: { $0.text != standardInputPath })
        ?? words.value(of: .until)
    {
      throw .followsFile(other, words.line)
    }
  }
}

extension ArgumentWords {
  /// The value of `--until`: a time of day, a time since the start, or one before the end.
  fileprivate func askingEnd() throws(UsageProblem) -> AskingEnd? {
    guard let word = value(of: .until) else { return nil }
    if let time = Timestamp(text: word.text) { return .timeOfDay(time) }
    let isBeforeEnd = word.text.hasPrefix("-")
    let text = isBeforeEnd ? String(word.text.dropFirst()) : word.text
    guard case .success(let span) = parseDuration(text) else { throw .badMoment(word, line) }
    return isBeforeEnd ? .beforeEnd(span) : .afterStart(span)
  }
}

extension UsageProblem {
  fileprivate static func followsFile(
    _ word: ArgumentWords.Word, _ line: CommandLineText
  ) -> UsageProblem {
    badValue(
      word, "`--follow` judges all lines of standard input", line,
      help: "write `tail -f app.log | rehearse judge app.scenario.yaml - --follow`")
  }

  fileprivate static func badMoment(
    _ word: ArgumentWords.Word, _ line: CommandLineText
  ) -> UsageProblem {
    badValue(
      word, "`\(word.text)` is no moment of a trace", line,
      help: "write a time of day like 2026-01-31T12:00:00Z, 90s after the start, or -1m for a "
        + "minute before the end")
  }
}

extension Verb {
  static let judgePage = VerbPage(
    verb: .judge, purpose: "Hold a scenario against events that any program recorded.",
    operands: "SCENARIO TRACE…",
    operandLines: [
      ("SCENARIO", "a scenario file, FILE:LINE or FILE::TITLE, or - for stdin"),
      ("TRACE…", "traces, folders of `*.trace.jsonl`, or - for stdin"),
    ], operandCount: 2...Int.max, options: JudgeArguments.entries,
    examples: [
      ("rehearse judge cart.scenario.yaml cart.trace.jsonl", "one trace"),
      ("rehearse judge cart.scenario.yaml traces", "all traces of a folder"),
      ("rehearse judge shop.scenario.yaml shop.trace.jsonl --until=-2h", "a log that goes on"),
      ("rehearse judge app.scenario.yaml - --follow", "lines while they come"),
    ])
}
