import Diagnostics
import Reports

/// The arguments of `report`.
struct ReportArguments: Equatable {
  /// What is done with reports.
  enum Action: String, CaseIterable { case merge }

  var action: Action
  /// Files and folders of parts.
  var parts: [String]
  var failsOn: FailureConditions
  var reports: [ReportRequest]
  var detail: Detail
  var color: ColorChoice
}

extension ReportArguments {
  init(_ words: ArgumentWords) throws(UsageProblem) {
    guard let word = words.operands.first else { throw .missingOperand(of: words.page, words.line) }
    guard let action = Action(rawValue: word.text) else {
      throw .badChoice(word, of: Action.allCases.map(\.rawValue), words.line)
    }
    self.action = action
    parts = words.operands.dropFirst().map(\.text)
    failsOn = try words.failureConditions()
    reports = try words.reports()
    detail = try words.detail()
    color = try words.choice(.color) ?? .auto
  }
}

extension Verb {
  static let reportPage = VerbPage(
    verb: .report, purpose: "Merge the reports of several machines into one.",
    operands: "merge PART…",
    operandLines: [
      ("merge PART…", "reports written with `--format ndjson=FILE`, or folders of `*.ndjson`")
    ], operandCount: 2...Int.max,
    options: [
      .report, .color,
      .strict, .failOn,
      OptionEntry(.verbose, short: "v", "report scenarios that passed as well"),
      OptionEntry(.quiet, short: "q", "report failures only"),
    ],
    examples: [
      ("rehearse run --shard 1/2 --format ndjson=1.ndjson --html-events failed", "on each machine"),
      ("rehearse report merge 1.ndjson 2.ndjson --format html=report.html", "then once"),
      (
        "rehearse report merge parts --format junit=report.xml --format json=report.json",
        "of a folder"
      ),
    ])
}
