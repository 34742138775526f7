import Diagnostics

/// The arguments of `import`.
struct ImportArguments: VerbArguments {
  /// A trace or an HTTP Archive.
  var path = ""
  /// Another recording of the same flow.
  var other: String?
  /// The run of a log that holds several.
  var run: Int?
  /// The file to write; nil prints the scenario.
  var destination: String?
  var color = ColorChoice.auto

  static var rows: [OptionRow<Self>] {
    [
      .run(\.run),
      .text(.write, "FILE", \.destination, "write a new file (default: print the scenario)"),
      .color(\.color),
    ]
  }

  mutating func finish(_ words: ArgumentWords) throws(UsageProblem) {
    try words.refuseInputTwice()
    path = words.operands[0].text
    other = words.operands.dropFirst().first?.text
  }
}

extension Verb {
  static let importPage = VerbPage(
    verb: .import, purpose: "Make a scenario from a recording.",
    operands: "RECORDING [OTHER]",
    operandLines: [
      ("RECORDING", "a trace, or an HTTP Archive (HAR) as browsers export it; - for stdin"),
      ("OTHER", "the same flow recorded again: what differs is expected by its type"),
    ], operandCount: 1...2, options: ImportArguments.entries,
    examples: [
      (
        "rehearse import shop.har --write shop.scenario.yaml",
        "then: rehearse run shop.scenario.yaml"
      ),
      ("rehearse import monday.har tuesday.har", "ids and times are expected by their type"),
    ])
}
