/// The arguments of `report`.
struct ReportArguments: VerbArguments, WritesReports {
  /// The action on reports.
  enum Action: String, CaseIterable { case merge }

  var action = Action.merge
  /// Files and folders of parts.
  var parts: [String] = []
  var failsOn = FailureConditions()
  var output = ReportOutput()

  static var rows: [OptionRow<Self>] {
    [
      .report, .history, .compare, .color, .strict(\.failsOn.isStrict), .failOn(\.failsOn),
      .verbose("report scenarios that passed as well"), .quiet(),
    ]
  }

  mutating func finish(_ words: ArgumentWords) throws(UsageProblem) {
    action = try words.known(words.operands[0])
    parts = words.operands.dropFirst().map(\.text)
  }
}

extension Verb {
  static let reportPage = VerbPage(
    verb: .report, purpose: "Merge the reports of several machines into one.",
    operands: "merge PART…",
    operandLines: [
      ("merge PART…", "reports written with `--format ndjson=FILE`, or folders of `*.ndjson`")
    ], operandCount: 2...Int.max, options: ReportArguments.entries,
    examples: [
      ("rehearse run --shard 1/2 --format ndjson=1.ndjson --html-events failed", "on each machine"),
      ("rehearse report merge 1.ndjson 2.ndjson --format html=report.html", "then once"),
      (
        "rehearse report merge parts --format junit=report.xml --format json=report.json",
        "of a folder"
      ),
    ])
}
