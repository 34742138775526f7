import Diagnostics
import Reports

/// The arguments of `judge`.
struct JudgeArguments: Equatable {
  var scenario: ScenarioChoice
  /// Files and folders of traces.
  var traces: [String]
  var variables: [VariableSetting]
  var variableFiles: [String]
  var environmentFiles: [String]
  var jobs: Int?
  var reports: [ReportRequest]
  var detail: Detail
  var color: ColorChoice
}

extension JudgeArguments {
  init(_ words: ArgumentWords) throws(UsageProblem) {
    guard let word = words.operands.first else { throw .missingOperand(of: words.page, words.line) }
    guard let selection = Selection(word.text) else { throw .badSelector(word, words.line) }
    try words.refuseInputTwice()
    scenario = ScenarioChoice(
      selectors: [Selector(text: word.text, selection: selection)], tags: try words.tags())
    traces = words.operands.dropFirst().map(\.text)
    variables = try words.variables()
    variableFiles = words.values(of: .variableFile).map(\.text)
    environmentFiles = words.values(of: .environmentFile).map(\.text)
    jobs = try words.jobs()
    reports = try words.reports()
    detail = try words.detail()
    color = try words.choice(.color) ?? .auto
  }
}

extension Verb {
  static let judgePage = VerbPage(
    verb: .judge, purpose: "Hold a scenario against events that any program recorded.",
    operands: "SCENARIO TRACE…",
    operandLines: [
      ("SCENARIO", "a scenario file, FILE:LINE or FILE::TITLE, or - for stdin"),
      ("TRACE…", "traces, folders of `*.trace.jsonl`, or - for stdin"),
    ], operandCount: 2...Int.max,
    options: [
      .tag, .variable, .variableFile, .environmentFile,
      OptionEntry(.jobs, value: "N", "judge this many traces at once (default: one per core)"),
      .report, .color,
      OptionEntry(.verbose, short: "v", "report traces that passed as well"),
      OptionEntry(.quiet, short: "q", "report failures only"),
    ],
    examples: [
      ("rehearse judge cart.scenario.yaml cart.trace.jsonl", "one trace"),
      ("rehearse judge cart.scenario.yaml traces", "all traces of a folder"),
    ])
}
