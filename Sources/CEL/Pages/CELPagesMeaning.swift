import Diagnostics

/// The pages about the meaning of expressions.
let celMeaningPages: [DiagnosticPage] = [
  DiagnosticPage(
    id: "unknown-function", title: "A function that does not exist",
    text: """
      Functions are called on a value (`title.startsWith('A')`), or by their name alone
      (`size(title)`, `math.greatest(1, 2)`). Each function has only one of the two forms.
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
      A function takes a fixed number of arguments, of fixed types. The type of a node is known if
      the scenario shows it: a node that starts as text, and is only set to text, is text.
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
      Operators never convert. A text and a number cannot be added, nor an int and a double as in
      `1 + 1.0`. A comparison of two types without common values would always be false. Convert
      with `string(x)`, `int(x)` and `double(x)`.
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
      `count(x)` is the number of events that the source x has emitted. `recomputes(x)` is the
      number of times that the rule of the node x has run. Both are about x itself and not about
      its value, so x is a plain name. The length of a list is `size(x)`.
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
