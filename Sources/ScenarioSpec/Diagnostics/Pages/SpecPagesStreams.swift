import Diagnostics

/// The pages of `rehearse explain` about streams, their operators and diagrams.
let streamPages: [DiagnosticPage] = [
  DiagnosticPage(
    id: "unknown-stream-operator", title: "An unknown operator of a stream",
    text: """
      The operators have the names of Combine, except a few with shorter names.
      There are:
      \(operatorNames)
      The reference describes what each of them does, and how it is written.
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
    id: "unreachable-call", title: "A call that no value leads to",
    text: """
      A list behind `switch`, `flatMap`, `concatMap` or `exhaust` has a call for some values in each
      entry. The first entry whose `when` holds is called. An entry without `when` is for all other
      values, so it is the last one.
      """,
    wrong: """
      scenario: News and prices
      streams:
        topics: subject
        news: { items: [a] }
        prices: { items: [1] }
        shown:
          from: topics
          through:
            - switch:
                - stream: news
                - { when: value == 'prices', stream: prices }
      """,
    right: """
      scenario: News and prices
      streams:
        topics: subject
        news: { items: [a] }
        prices: { items: [1] }
        shown:
          from: topics
          through:
            - switch:
                - { when: value == 'prices', stream: prices }
                - stream: news
      """),
  DiagnosticPage(
    id: "two-operators", title: "Two operators in one element of `through`",
    text: """
      Values go through the operators in the order of the list. A map has no order, so each operator
      is its own element.
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
      digit or sign is a value, `|` is the end and `#` a failure. A group in parentheses happens at
      once and takes one tick. Blanks take no time; a duration between blanks takes that time. `^`
      marks time zero, and in `subscriptions` the subscription, which `!` ends.
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
      Without `values` each character of a diagram stands for itself, as text. With `values` it has
      an entry for each character that the diagram shows.
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
      This is a warning: the diagram is valid, but it probably shows less than its author meant. The
      same warning appears for an `error` if the diagram shows no failure.
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
      A diagram is all that a source emits over some time. It belongs behind its source in the map
      form of `expect`. Lists, `never` and `leadsTo` take single events. If a field is called
      `marble` or `subscriptions`, match it inside `$match`.
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
  DiagnosticPage(
    id: "diagram-as-text", title: "A diagram without its key",
    text: """
      A text behind a source is one expected value. A diagram of events over time is the value of
      `marble`. If the text itself is meant, write it inside `$exactly`.
      """,
    wrong: """
      scenario: Letters
      streams:
        letters: { marble: "--a-b|" }
      steps:
        - expect: { letters: "--a-b|" }
      """,
    right: """
      scenario: Letters
      streams:
        letters: { marble: "--a-b|" }
      steps:
        - expect: { letters: { marble: "--a-b|" } }
      """),
]

/// All operators, several on each line.
private let operatorNames: String = {
  var lines = [""]
  for rule in LanguageTable.streamOperators {
    if lines[lines.count - 1].utf8.count + rule.verb.name.utf8.count > 80 { lines.append("") }
    let isFirst = lines[lines.count - 1].isEmpty
    lines[lines.count - 1] += (isFirst ? "  " : " ") + rule.verb.name
  }
  return lines.joined(separator: "\n")
}()
