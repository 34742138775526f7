import Diagnostics

/// The arguments of `docs`.
struct DocsArguments: VerbArguments {
  /// The name of a page; nil to list all.
  var topic: String?
  var color = ColorChoice.auto

  static var rows: [OptionRow<Self>] {
    [.color(\.color)]
  }

  mutating func finish(_ words: ArgumentWords) throws(UsageProblem) {
    topic = words.operands.first?.text
  }
}

extension Verb {
  static let docsPage = VerbPage(
    verb: .docs, purpose: "Show a page of the documentation.", operands: "[TOPIC]",
    operandLines: [
      ("TOPIC", "a page, or the id of a diagnostic (default: list the pages)")
    ],
    operandCount: 0...1, options: DocsArguments.entries,
    examples: [
      ("rehearse docs", "the list of all pages"),
      ("rehearse docs tutorial", "one file, grown in seven steps"),
    ])
}
