import Diagnostics

/// The arguments of `fix`.
struct FixArguments: VerbArguments {
  var scenarios = ScenarioChoice()
  var isWritten = false
  var color = ColorChoice.auto

  static var rows: [OptionRow<Self>] {
    [
      .flag(.write, \.isWritten, "write the files; without it, a difference is shown"),
      .color(\.color),
    ]
  }

  mutating func finish(_ words: ArgumentWords) throws(UsageProblem) {
    scenarios = try words.scenarios()
  }
}

extension Verb {
  static let fixPage = VerbPage(
    verb: .fix, purpose: "Mend the mistakes of files whose corrections are certain.",
    operands: "[PATH…]",
    operandLines: [("PATH…", "files or folders (default: \(defaultScenarioPath))")],
    operandCount: 0...Int.max, options: FixArguments.entries,
    examples: [
      ("rehearse fix", "shows what would change"),
      ("rehearse fix --write scenarios/cart.scenario.yaml", "writes it"),
    ])
}
