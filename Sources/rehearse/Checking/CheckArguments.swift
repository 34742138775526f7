/// The arguments of `check`.
struct CheckArguments: VerbArguments, WritesReports {
  /// Files and folders of recordings.
  var recordings: [String] = []
  var jobs: Int?
  var failsOn = FailureConditions()
  var output = ReportOutput()

  static var rows: [OptionRow<Self>] {
    [
      .jobs(\.jobs, "check this many recordings at once (default: one per core)"),
      .strict(\.failsOn.isStrict), .failOn(\.failsOn), .report, .color,
      .verbose("report recordings without a finding as well"),
      .quiet("report findings only"),
    ]
  }

  mutating func finish(_ words: ArgumentWords) throws(UsageProblem) {
    try words.refuseInputTwice()
    recordings = words.operands.map(\.text)
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
    ], operandCount: 1...Int.max, options: CheckArguments.entries,
    examples: [
      ("rehearse check shop.har", "what a browser and its servers did against the rules"),
      ("rehearse check traces --format json", "all traces of a folder, for programs"),
    ])
}
