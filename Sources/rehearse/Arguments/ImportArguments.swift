import Diagnostics

/// The arguments of `import`.
struct ImportArguments: Equatable {
  /// A trace or an HTTP Archive.
  var path: String
  /// Another recording of the same flow.
  var other: String?
  /// The run of a log that holds several.
  var run: Int?
  /// The file to write; nil prints the scenario.
  var destination: String?
  var color: ColorChoice
}

extension ImportArguments {
  init(_ words: ArgumentWords) throws(UsageProblem) {
    guard let first = words.operands.first else {
      throw .missingOperand(of: words.page, words.line)
    }
    try words.refuseInputTwice()
    path = first.text
    other = words.operands.dropFirst().first?.text
    run = try words.runNumber()
    destination = words.value(of: .write)?.text
    color = try words.choice(.color) ?? .auto
  }
}

extension Verb {
  static let importPage = VerbPage(
    verb: .import, purpose: "Make a scenario from a recording.",
    operands: "RECORDING [OTHER]",
    operandLines: [
      ("RECORDING", "a trace, or an HTTP Archive (HAR) as browsers export it; - for stdin"),
      ("OTHER", "the same flow recorded again: what differs is expected by its type"),
    ], operandCount: 1...2,
    options: [
      OptionEntry(.run, value: "N", "the run of a log that holds several"),
      OptionEntry(.write, value: "FILE", "write a new file (default: print the scenario)"),
      .color,
    ],
    examples: [
      (
        "rehearse import shop.har --write shop.scenario.yaml",
        "then: rehearse run shop.scenario.yaml"
      ),
      ("rehearse import monday.har tuesday.har", "ids and times are expected by their type"),
    ])
}
