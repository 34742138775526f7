import Diagnostics

/// The arguments of `docs`.
struct DocsArguments: Equatable {
  /// The name of a page; nil to list all.
  var topic: String?
  var color: ColorChoice

  init(topic: String?, color: ColorChoice = .auto) {
    self.topic = topic
    self.color = color
  }

  init(_ words: ArgumentWords) throws(UsageProblem) {
    topic = words.operands.first?.text
    color = try words.choice(.color) ?? .auto
  }
}

extension Verb {
  static let docsPage = VerbPage(
    verb: .docs, purpose: "Show a page of the documentation.", operands: "[TOPIC]",
    operandLines: [
      ("TOPIC", "a page, or the id of a diagnostic (default: list the pages)")
    ],
    operandCount: 0...1, options: [.color],
    examples: [
      ("rehearse docs", "the list of all pages"),
      ("rehearse docs tutorial", "one file, grown in seven steps"),
    ])
}
