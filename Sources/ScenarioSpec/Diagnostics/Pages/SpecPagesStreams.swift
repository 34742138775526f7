import Diagnostics

/// What `rehearse explain` tells about complaints of `SpecDiagnosticsStreams.swift`.
let streamPages: [DiagnosticPage] = [
  DiagnosticPage(
    id: "unknown-stream-operator", title: "An operator that streams do not have",
    text: """
      The operators have the names of Combine, but for a few that say what they do in fewer words.
      There are:
      \(operatorNames)
      The reference tells what each of them does, and how it is written.
      """,
    wrong: """
      scenario: A search field
      streams:
        typed: subject
        settled: { from: typed, through: [distinctUntilChanged, { debouce: 1s }] }
      """,
    right: """
      scenario: A search field
      streams:
        typed: subject
        settled: { from: typed, through: [removeDuplicates, { debounce: 1s }] }
      """),
  DiagnosticPage(
    id: "two-operators", title: "Two operators in one element of `through`",
    text: """
      Values go through the operators in the order of the list. A map has no order, so that each
      operator is an element of its own.
      """,
    wrong: """
      scenario: A search field
      streams:
        typed: subject
        settled: { from: typed, through: [{ debounce: 1s, filter: value != '' }] }
      """,
    right: """
      scenario: A search field
      streams:
        typed: subject
        settled: { from: typed, through: [{ debounce: 1s }, { filter: value != '' }] }
      """),
  DiagnosticPage(
    id: "bad-marble", title: "A diagram that cannot be read",
    text: """
      Each character of a diagram is one tick. `-` is a tick in which nothing happens, a letter,
      digit or sign is a value, `|` is the end and `#` a failure. What stands in parentheses happens
      at once and takes one tick together. Blanks take no time; a duration between blanks is as long
      as it says. `^` marks time zero, and in `subscriptions` the subscription, which `!` ends.
      """,
    wrong: """
      scenario: Letters
      streams:
        letters: { marble: "--a-(bc-|" }
      """,
    right: """
      scenario: Letters
      streams:
        letters: { marble: "--a-(bc)-|" }
      """),
  DiagnosticPage(
    id: "unknown-marble-value", title: "A character of a diagram that stands for nothing",
    text: """
      Without `values` each character of a diagram stands for itself, as text. With `values` each
      that the diagram shows is to be found there.
      """,
    wrong: """
      scenario: Prices
      streams:
        prices: { marble: "--a-b|", values: { a: 10 } }
      """,
    right: """
      scenario: Prices
      streams:
        prices: { marble: "--a-b|", values: { a: 10, b: 20 } }
      """),
  DiagnosticPage(
    id: "unused-marble-value", title: "A value that the diagram never shows",
    text: """
      This is a warning: the diagram can be played, but what it says is probably less than was
      meant. The same is said of an `error` where the diagram shows no failure.
      """,
    wrong: """
      scenario: Prices
      streams:
        prices: { marble: "--a-a|", values: { a: 10, b: 20 } }
      """,
    right: """
      scenario: Prices
      streams:
        prices: { marble: "--a-b|", values: { a: 10, b: 20 } }
      """),
  DiagnosticPage(
    id: "misplaced-marble", title: "A diagram where one event is expected",
    text: """
      A diagram is all that a source emits over some time. It stands behind its source in the map
      form of `expect`, and not where a single event is told of: in lists, `never` and `leadsTo`.
      A field that happens to be called `marble` or `subscriptions` is matched inside `$match`.
      """,
    wrong: """
      scenario: Letters
      streams:
        letters: { marble: "--a-b|" }
      steps:
        - expect: [{ letters: { marble: "--a-b|" } }]
      """,
    right: """
      scenario: Letters
      streams:
        letters: { marble: "--a-b|" }
      steps:
        - expect: { letters: { marble: "--a-b|" } }
      """),
]

/// All operators, so many to a line.
private let operatorNames: String = {
  var lines = [""]
  for rule in LanguageTable.streamOperators {
    if lines[lines.count - 1].utf8.count + rule.verb.name.utf8.count > 80 { lines.append("") }
    let isFirst = lines[lines.count - 1].isEmpty
    lines[lines.count - 1] += (isFirst ? "  " : " ") + rule.verb.name
  }
  return lines.joined(separator: "\n")
}()
