import Diagnostics
import Reports

/// The arguments of `replay`.
struct ReplayArguments: Equatable {
  /// Files and folders of traces.
  var traces: [String]
  var tags: TagFilter
  var variables: [VariableSetting]
  var variableFiles: [String]
  var environmentFiles: [String]
  var jobs: Int?
  /// Where the scenario is now; nil stands for the place that the trace names.
  var scenario: String?
  var update = UpdateChoice.no
  var until: Int?
  /// Another recording of the same flow, to learn noise from.
  var learn: String?
  var allowsCut: Bool
  var failsOn: FailureConditions
  var reports: [ReportRequest]
  var detail: Detail
  var color: ColorChoice
  /// True if credentials that nobody has declared are shown as they are.
  var showsCredentials = false
}

extension ReplayArguments {
  init(_ words: ArgumentWords) throws(UsageProblem) {
    try words.refuseInputTwice()
    traces = words.operands.map(\.text)
    tags = try words.tags()
    variables = try words.variables()
    variableFiles = words.values(of: .variableFile).map(\.text)
    environmentFiles = words.values(of: .environmentFile).map(\.text)
    jobs = try words.jobs()
    scenario = words.value(of: .scenario)?.text
    update = try words.update()
    until = try words.event(words.value(of: .until))
    learn = words.value(of: .learn)?.text
    if let word = words.value(of: .learn), update != .no || until != nil {
      throw .learnsOnly(word, words.line)
    }
    if let until = words.value(of: .until), let update = words.value(of: .update) {
      throw .contradiction(until, update, words.line)
    }
    allowsCut = words.has(.allowCut)
    failsOn = try words.failureConditions()
    reports = try words.reports()
    showsCredentials = try words.showsCredentials(in: reports)
    detail = try words.detail()
    color = try words.choice(.color) ?? .auto
  }
}

extension Verb {
  static let replayPage = VerbPage(
    verb: .replay, purpose: "Run scenarios against the inputs of traces, and compare.",
    operands: "TRACE…",
    operandLines: [("TRACE…", "traces, folders of `*.trace.jsonl`, or - for stdin")],
    operandCount: 1...Int.max,
    options: [
      .tag, .variable, .variableFile, .environmentFile,
      OptionEntry(.jobs, value: "N", "replay this many traces at once (default: one per core)"),
      OptionEntry(.scenario, value: "FILE", "where the scenario of the traces is now"),
      OptionEntry(
        .update, value: "force", optional: true,
        "accept what is different; if CI is set, only =force does"),
      OptionEntry(.until, value: "EVENT", "stop when this recorded event came, and show the stage"),
      OptionEntry(
        .learn, value: "OTHER",
        "write where another recording differs to NAME.noise.json"),
      OptionEntry(.allowCut, "a trace that was cut passes if it holds up to its end"),
      .strict, .failOn, .report, .color,
      OptionEntry(.verbose, short: "v", "report traces that passed as well"),
      OptionEntry(.quiet, short: "q", "report failures only"),
      .showCredentials,
    ],
    examples: [
      ("rehearse replay scenarios/traces", "all traces of a folder"),
      ("rehearse replay prices.trace.jsonl --update", "accept what is different"),
      ("rehearse replay prices.trace.jsonl --until 13", "the stage at event 13"),
      ("rehearse replay prices.trace.jsonl --learn other.trace.jsonl", "what may differ"),
    ])
}
