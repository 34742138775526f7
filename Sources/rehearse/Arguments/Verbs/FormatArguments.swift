import Diagnostics
import YAMLSyntax

/// The arguments of `fmt`.
struct FormatArguments: VerbArguments {
  /// The action for a file with another form.
  enum Mode: Equatable {
    case write, check, diff
  }

  /// Files, folders or `-`.
  var paths: [String] = []
  var mode = Mode.write
  var width = usualYAMLWidth
  var color = ColorChoice.auto

  static var rows: [OptionRow<Self>] {
    [
      OptionRow(.check, "write nothing; list the files that have another form") {
        $1.mode = .check
      },
      OptionRow(.diff, "write nothing; show what would change") { $1.mode = .diff },
      OptionRow(
        .width, value: "N",
        "the longest line of lists and maps in brackets (default: \(usualYAMLWidth))"
      ) { $1.width = try $0.width() },
      .color(\.color),
    ]
  }

  mutating func finish(_ words: ArgumentWords) throws(UsageProblem) {
    try words.refuse(.check, beside: .diff)
    paths = words.operands.isEmpty ? [defaultScenarioPath] : words.operands.map(\.text)
  }
}

extension ArgumentWords {
  fileprivate func width() throws(UsageProblem) -> Int {
    guard let word = value(of: .width) else { return usualYAMLWidth }
    guard let width = Int(word.text), (40...1000).contains(width) else {
      throw .badValue(word, "a number of characters from 40 to 1000", line)
    }
    return width
  }
}

extension Verb {
  static let formatPage = VerbPage(
    verb: .fmt, purpose: "Write scenarios in one form; what they mean stays the same.",
    operands: "[PATH…]",
    operandLines: [
      ("PATH…", "files, folders or - for stdin to stdout (default: \(defaultScenarioPath))")
    ],
    operandCount: 0...Int.max, options: FormatArguments.entries,
    examples: [
      ("rehearse fmt", "all scenarios, components and shared steps in `scenarios`"),
      ("rehearse fmt --check scenarios", "for a build server: exit code 1 if a file differs"),
      ("rehearse fmt - < draft.yaml", "prints the formatted text"),
    ])
}
