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

/// The pages of `rehearse explain` about the documentation.
let documentationPages = [
  DiagnosticPage(
    id: "documentation-missing", title: "The pages are not beside the program",
    text: """
      The guides are files in `share/rehearse/docs`, beside the `bin` with the program. A program
      that was copied without them shows the reference alone: keys, functions, command-line,
      diagnostics, limits and environment.
      """,
    wrong: "rehearse docs tutorial", right: "rehearse docs keys"),
  DiagnosticPage(
    id: "unknown-topic", title: "A topic that is no page",
    text: "`rehearse docs` lists the pages, with their names.",
    wrong: "rehearse docs tutorail", right: "rehearse docs tutorial"),
]
