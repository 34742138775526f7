import Diagnostics

/// Expressions and patterns that are well formed and still cannot be used.
let planExpressionPages: [DiagnosticPage] = [
  DiagnosticPage(
    id: "evaluation-failed", title: "An expression that gives no value",
    text: """
      An expression can fail while it is evaluated: a division by zero, an entry that a map does
      not have, two values that an operator does not take together. What reads nothing of the run,
      such as this variable, is evaluated when the file is loaded; everything else where the run
      comes to it, and there the rule of a computed node that fails emits `{ error: … }`.
      `has(x.y)` asks for an entry without failing, and `x.?y.orValue(0)` has something instead.
      """,
    wrong: """
      scenario: A timetable
      vars:
        minutes: { open: 90 }
        pause: "${minutes.closed / 2}"
      steps:
        - check: pause == 15
      """,
    right: """
      scenario: A timetable
      vars:
        minutes: { open: 90 }
        pause: "${minutes.?closed.orValue(30) / 2}"
      steps:
        - check: pause == 15
      """),
  DiagnosticPage(
    id: "not-a-condition", title: "A condition that is neither true nor false",
    text: """
      What stands under `check`, `eventually`, `if`, `when` and `$where` is a question with the
      answer yes or no. No other value counts as one of them: neither 0, nor an empty text.
      """,
    wrong: """
      scenario: A counter
      graph: { count: 3 }
      steps:
        - check: count
      """,
    right: """
      scenario: A counter
      graph: { count: 3 }
      steps:
        - check: count > 0
      """),
  DiagnosticPage(
    id: "initial-reads-stage", title: "A value at the start that reads the stage",
    text: """
      The values of the stage at the start are set all at once, so none of them can be made from
      another; variables and the environment are there before. A node that is to follow others
      all along is a computed one.
      """,
    wrong: """
      scenario: A rectangle
      graph:
        width: 3
        area: "${width * 2}"
      steps:
        - check: area == 6
      """,
    right: """
      scenario: A rectangle
      graph:
        width: 3
        area: { computed: width * 2 }
      steps:
        - check: area == 6
      """),
  DiagnosticPage(
    id: "invalid-pattern", title: "A pattern that is no regular expression",
    text: """
      `$regex` takes a Perl-compatible regular expression and finds it anywhere in the text; `^`
      and `$` tie it to the beginning and the end. A character with a meaning of its own is taken
      as it stands behind a backslash.
      """,
    wrong: """
      scenario: A greeting
      graph: { greeting: "" }
      steps:
        - set: { greeting: "Hello :(" }
        - expect: { greeting: { $regex: 'Hello :(' } }
      """,
    right: #"""
      scenario: A greeting
      graph: { greeting: "" }
      steps:
        - set: { greeting: "Hello :(" }
        - expect: { greeting: { $regex: 'Hello :\(' } }
      """#),
  DiagnosticPage(
    id: "cycle", title: "A computed node that depends on itself",
    text: """
      To know the value of a computed node, the nodes its rule reads are worked out first. When
      these lead back to the node, no value is ever known. The complaint names the circle, which
      has to be broken at one of its nodes: store it, or compute it from something else.
      """,
    wrong: """
      scenario: A price
      graph:
        net: { computed: gross - tax }
        gross: { computed: net + tax }
        tax: 19
      steps:
        - check: gross == 119
      """,
    right: """
      scenario: A price
      graph:
        net: 100
        gross: { computed: net + tax }
        tax: 19
      steps:
        - check: gross == 119
      """),
]
