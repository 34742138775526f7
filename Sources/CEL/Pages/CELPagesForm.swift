import Diagnostics

/// The pages about the form of expressions.
let celFormPages: [DiagnosticPage] = [
  DiagnosticPage(
    id: "expression-syntax", title: "An expression that is not well formed",
    text: """
      Expressions are written in CEL, the Common Expression Language: `==` compares, `&&` is and,
      `||` is or, `!` is not, `a ? b : c` chooses. Text is in single or double quotes, a list in
      brackets, a map in braces. The caret shows the place at which the expression is wrong.
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
    id: "expression-too-long", title: "An expression that is too long",
    text: """
      An expression has at most \(CELLimits.textLength) bytes. Put larger data on the stage or
      into a variable: there it is a value, and not a text to parse. The wrong example is a list
      of that length.
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
      that no expression can exhaust the program. Several computed nodes are easier to read than
      one deep expression.
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
    id: "reserved-word", title: "A reserved word as a name",
    text: """
      Some words cannot be names, among them `for`, `if`, `let`, `return` and `while`. After a dot,
      as the name of a field, they are allowed.
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
    id: "invalid-literal", title: "A literal that is not valid",
    text: """
      Numbers fit in 64 bits, and text has only the escapes of the language. A literal pattern,
      duration or time must be valid. Write a backslash in a pattern twice, or begin the text with
      `r`, which keeps backslashes unchanged.
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
    id: "no-messages", title: "A message type in place of a map",
    text: """
      CEL can build protocol buffer messages, `Point{x: 1}`. Rehearsal has none: values with parts
      are maps, and their keys are text in quotes.
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
