import Diagnostics

/// The pages about the meaning of expressions.
let celMeaningPages: [DiagnosticPage] = [
  DiagnosticPage(
    id: "unknown-function", title: "A function that does not exist",
    text: """
      Functions are called on a value (`title.startsWith('A')`), or by their name alone
      (`size(title)`, `math.greatest(1, 2)`). Which of the two is part of the function.
      """,
    wrong: """
      scenario: A title
      graph: { title: A counter }
      steps:
        - check: title.startWith('A')
      """,
    right: """
      scenario: A title
      graph: { title: A counter }
      steps:
        - check: title.startsWith('A')
      """),
  DiagnosticPage(
    id: "wrong-arguments", title: "A function with arguments it does not take",
    text: """
      A function takes so many arguments, of such types. Types are known as far as the scenario
      shows them: a node that starts as text, and that steps only ever set to text, is text.
      """,
    wrong: """
      scenario: A title
      graph: { title: Room 12 }
      steps:
        - check: title.contains(12)
      """,
    right: """
      scenario: A title
      graph: { title: Room 12 }
      steps:
        - check: title.contains('12')
      """),
  DiagnosticPage(
    id: "wrong-types", title: "Values that an operator does not take together",
    text: """
      Operators never convert: a text and a number are not added, `1 + 1.0` adds an int and a
      double, and a comparison of two types that have no value in common would always be false.
      `string(x)`, `int(x)` and `double(x)` convert.
      """,
    wrong: """
      scenario: A counter
      graph:
        count: 0
        text: { computed: "'Count ' + count" }
      steps:
        - check: text == 'Count 0'
      """,
    right: """
      scenario: A counter
      graph:
        count: 0
        text: { computed: "'Count ' + string(count)" }
      steps:
        - check: text == 'Count 0'
      """),
  DiagnosticPage(
    id: "not-an-address", title: "A value where the name of a source is expected",
    text: """
      `count(x)` tells how many events the source x has emitted, and `recomputes(x)` how often the
      rule of the node x has run. They are about x itself and not about its value, so x is a plain
      name. How long a list is, `size` tells.
      """,
    wrong: """
      scenario: A list
      graph: { items: [] }
      steps:
        - set: { items: [milk] }
        - check: count(items + []) == 1
      """,
    right: """
      scenario: A list
      graph: { items: [] }
      steps:
        - set: { items: [milk] }
        - check: count(items) == 1
      """),
]
