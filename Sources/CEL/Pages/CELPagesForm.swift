import Diagnostics

/// The pages about the form of expressions.
let celFormPages: [DiagnosticPage] = [
  DiagnosticPage(
    id: "expression-syntax", title: "An expression that is not well formed",
    text: """
      Expressions are written in CEL, the Common Expression Language: `==` compares, `&&` is and,
      `||` is or, `!` is not, `a ? b : c` chooses. Text stands in single or double quotes, a list
      in brackets, a map in braces. The caret shows where the expression stops making sense.
      """,
    wrong: """
      scenario: A counter
      graph: { count: 3 }
      steps:
        - check: count = 3
      """,
    right: """
      scenario: A counter
      graph: { count: 3 }
      steps:
        - check: count == 3
      """),
  DiagnosticPage(
    id: "expression-too-long", title: "An expression of more bytes than any honest one",
    text: """
      An expression has at most \(CELLimits.textLength) bytes. Data as large as that belongs on
      the stage or into a variable, where it is a value and not a text to be parsed. The wrong
      example stands for a list of that length.
      """,
    wrong: """
      scenario: A sum
      steps:
        - check: "size([1, 1, 1, …]) > 0"
      """,
    right: """
      scenario: A sum
      vars: { numbers: [1, 1, 1] }
      steps:
        - check: size(numbers) > 0
      """),
  DiagnosticPage(
    id: "expression-too-deep", title: "An expression that is nested too deeply",
    text: """
      Parentheses, brackets, calls and operators nest at most \(CELLimits.nesting) levels deep, so
      that no expression can exhaust the program. An expression that is taken apart into computed
      nodes is easier to read as well.
      """,
    wrong: """
      scenario: A counter
      graph: { count: 3 }
      steps:
        - check: \(String(repeating: "(", count: CELLimits.nesting + 1) + "count > 0"
          + String(repeating: ")", count: CELLimits.nesting + 1))
      """,
    right: """
      scenario: A counter
      graph: { count: 3 }
      steps:
        - check: ((count > 0))
      """),
  DiagnosticPage(
    id: "reserved-word", title: "A word that the expression language keeps for itself",
    text: """
      Some words cannot be names, among them `for`, `if`, `let`, `return` and `while`. As the name
      of a field, behind a dot, they are fine.
      """,
    wrong: """
      scenario: A reservation
      graph:
        table: { stored: { for: 4 } }
      steps:
        - check: for == 4
      """,
    right: """
      scenario: A reservation
      graph:
        table: { stored: { for: 4 } }
      steps:
        - check: table.for == 4
      """),
  DiagnosticPage(
    id: "invalid-literal", title: "A value written in a way that none is written",
    text: """
      Numbers fit in 64 bits, text has only the escapes of the language, and a pattern, a duration
      or a time that is written out must be one. A backslash in a pattern is written twice, or the
      text begins with `r`, which takes it as it stands.
      """,
    wrong: #"""
      scenario: A price
      graph: { price: 10 EUR }
      steps:
        - check: price.matches('\d+ EUR')
      """#,
    right: #"""
      scenario: A price
      graph: { price: 10 EUR }
      steps:
        - check: price.matches(r'\d+ EUR')
      """#),
  DiagnosticPage(
    id: "no-messages", title: "A message where there are only maps",
    text: """
      CEL can build protocol buffer messages, `Point{x: 1}`. There are none here: values with
      parts are maps, whose keys are written as text in quotes.
      """,
    wrong: """
      scenario: A point
      graph:
        x: 1
        point: { computed: "Point{x: x}" }
      steps:
        - check: point.x == 1
      """,
    right: """
      scenario: A point
      graph:
        x: 1
        point: { computed: "{'x': x}" }
      steps:
        - check: point.x == 1
      """),
]
