import Diagnostics
import Reports

/// The arguments of `check`.
struct CheckArguments: Equatable {
  /// Files and folders of recordings.
  var recordings: [String]
  var jobs: Int?
  var failsOn: FailureConditions
  var reports: [ReportRequest]
  var detail: Detail
  var color: ColorChoice
}

extension CheckArguments {
  init(_ words: ArgumentWords) throws(UsageProblem) {
    guard !words.operands.isEmpty else { throw .missingOperand(of: words.page, words.line) }
    try words.refuseInputTwice()
    recordings = words.operands.map(\.text)
    jobs = try words.jobs()
    failsOn = try words.failureConditions()
    reports = try words.reports()
    detail = try words.detail()
    color = try words.choice(.color) ?? .auto
  }
}

extension Verb {
  static let checkPage = VerbPage(
    verb: .check, purpose: "Apply the rules of protocols to recordings, without a scenario.",
    operands: "RECORDING…",
    operandLines: [
      (
        "RECORDING…",
        "traces, HTTP Archives (HAR), folders of `*.trace.jsonl` and `*.har`, or - for stdin"
      )
    ], operandCount: 1...Int.max,
    options: [
      OptionEntry(.jobs, value: "N", "check this many recordings at once (default: one per core)"),
      .strict, .failOn, .report, .color,
      OptionEntry(.verbose, short: "v", "report recordings without a finding as well"),
      OptionEntry(.quiet, short: "q", "report findings only"),
    ],
    examples: [
      ("rehearse check shop.har", "what a browser and its servers did against the rules"),
      ("rehearse check traces --format json", "all traces of a folder, for programs"),
    ])
}
