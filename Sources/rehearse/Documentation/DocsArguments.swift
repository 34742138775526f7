import Diagnostics

/// The arguments of `docs`.
struct DocsArguments: VerbArguments {
  /// The name of a page, or words to search for; empty to list all pages.
  var words: [String] = []
  var color = ColorChoice.auto

  static var rows: [OptionRow<Self>] {
    [.color(\.color)]
  }

  mutating func finish(_ words: ArgumentWords) throws(UsageProblem) {
    self.words = words.operands.map(\.text)
  }
}

extension Verb {
  static let docsPage = VerbPage(
    verb: .docs, purpose: "Show a page of the documentation, or search all pages.",
    operands: "[TOPIC | WORD…]",
    operandLines: [
      ("TOPIC", "a page, a section (`PAGE#HEADING`) or the id of a diagnostic"),
      ("WORD", "words to search for in all pages (default: list the pages)"),
    ],
    operandCount: 0...Int.max, options: DocsArguments.entries,
    examples: [
      ("rehearse docs", "the list of all pages"),
      ("rehearse docs tutorial", "one file, grown in seven steps"),
      ("rehearse docs broken connection", "the sections with both words"),
    ])
}
