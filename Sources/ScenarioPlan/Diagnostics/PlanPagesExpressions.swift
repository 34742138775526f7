import Diagnostics

/// Expressions and patterns that are well formed and still cannot be used.
let planExpressionPages: [DiagnosticPage] = [
  DiagnosticPage(
    id: "evaluation-failed", title: "An expression that gives no value",
    text: """
      An expression can fail while it is evaluated: a division by zero, an entry that a map does
      not have, two values that an operator cannot combine. Rehearsal evaluates an expression that
      does not depend on the run, such as this variable, when it loads the file. It evaluates all
      others during the run. If the rule of a computed node fails, the node emits `{ error: … }`.
      `has(x.y)` tests for an entry without failing, and `x.?y.orValue(0)` gives a default.
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
      `check`, `eventually`, `if`, `when` and `$where` take an expression that is true or false.
      No other value is treated as one of them, neither 0 nor an empty text.
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
      All values of the stage at the start are set at the same time, so none of them can be made
      from another. They can read variables and the environment, which exist before. To make a
      node follow others during the run, write a computed node.
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
    id: "random-rule", title: "A computed node with random values",
    text: """
      The rule of a computed node runs when something that it reads has changed and somebody wants
      the value. A random value would be another one each time, for no reason that the scenario
      shows. A stored node, a variable or a step has its random value once.
      """,
    wrong: """
      scenario: An order
      graph:
        order: { computed: "'order-' + random.text(4)" }
      steps:
        - check: order.startsWith('order-')
      """,
    right: """
      scenario: An order
      graph:
        number: "${random.text(4)}"
        order: { computed: "'order-' + number" }
      steps:
        - check: order.startsWith('order-')
      """),
  DiagnosticPage(
    id: "invalid-pattern", title: "A pattern that is no regular expression",
    text: """
      `$regex` takes a Perl-compatible regular expression and finds it anywhere in the text; `^`
      and `$` match the beginning and the end. Put a backslash before a special character to
      match the character itself.
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
      The value of a computed node depends on the nodes that its rule reads. If these depend on
      the node again, it can have no value. The diagnostic names the nodes of the cycle. Break
      it at one of them: store its value, or compute it from other nodes.
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
