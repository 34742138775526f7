import Diagnostics
import YAMLFormatting

/// The arguments of `fmt`.
struct FormatArguments: Equatable {
  /// What is done with a file whose form is another.
  enum Mode: Equatable {
    case write, check, diff
  }

  /// Files, folders or `-`.
  var paths: [String]
  var mode: Mode
  var width: Int
  var color: ColorChoice
}

extension FormatArguments {
  init(_ words: ArgumentWords) throws(UsageProblem) {
    paths = words.operands.isEmpty ? [defaultScenarioPath] : words.operands.map(\.text)
    switch (words.value(of: .check), words.value(of: .diff)) {
    case (let check?, let diff?): throw .contradiction(check, diff, words.line)
    case (_?, nil): mode = .check
    case (nil, _?): mode = .diff
    case (nil, nil): mode = .write
    }
    width = try words.width()
    color = try words.choice(.color) ?? .auto
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
    operandCount: 0...Int.max,
    options: [
      OptionEntry(.check, "write nothing; list the files that have another form"),
      OptionEntry(.diff, "write nothing; show what would change"),
      OptionEntry(
        .width, value: "N",
        "the longest line of lists and maps in brackets (default: \(usualYAMLWidth))"),
      .color,
    ],
    examples: [
      ("rehearse fmt", "all scenarios, components and shared steps in `scenarios`"),
      ("rehearse fmt --check scenarios", "for a build server: exit code 1 if a file differs"),
      ("rehearse fmt - < draft.yaml", "prints the formatted text"),
    ])
}
