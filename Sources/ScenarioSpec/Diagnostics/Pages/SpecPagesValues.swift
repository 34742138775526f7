import Diagnostics

/// The pages of `rehearse explain` about durations, points in time and expressions.
let valuesPages: [DiagnosticPage] = [
  DiagnosticPage(
    id: "not-a-message-part", title: "A word of `traces` that names no part of a message",
    text: """
      A word alone is the name of a header. Anything else begins with a member of a message: \
      `method`, `path`, `query`, `headers`, `body`, and, but for `match`, `status`, `data` or \
      `value`. `*` stands for each element.
      """,
    wrong: """
      scenario: A user
      traces: { hide: [user.email] }
      steps:
        - check: 1 + 1 == 2
      """,
    right: """
      scenario: A user
      traces: { hide: [body.user.email] }
      steps:
        - check: 1 + 1 == 2
      """),
  DiagnosticPage(
    id: "bare-number-duration", title: "A duration without its unit",
    text: """
      A number alone could be milliseconds or seconds. A duration has a unit.
      """,
    wrong: """
      scenario: Patience
      steps:
        - wait: 5
      """,
    right: """
      scenario: Patience
      steps:
        - wait: 5s
      """),
  DiagnosticPage(
    id: "bad-duration", title: "Text that is no duration",
    text: """
      A duration is one or more numbers with units: `d`, `h`, `m`, `s`, `ms`, `us`.
      """,
    wrong: """
      scenario: Patience
      steps:
        - wait: 5 sec
      """,
    right: """
      scenario: Patience
      steps:
        - wait: 5s
      """),
  DiagnosticPage(
    id: "bad-timestamp", title: "Text that is no point in time",
    text: """
      A point in time has a date, a time of day and a zone, as in `2026-03-01T09:00:00Z`. For the
      time of the machine, write `now`.
      """,
    wrong: """
      scenario: Spring
      clock: 1 March 2026
      """,
    right: """
      scenario: Spring
      clock: 2026-03-01T00:00:00Z
      """),
  DiagnosticPage(
    id: "unterminated-expression", title: "An expression without its end",
    text: """
      In values, `${` begins an expression and `}` ends it. Braces inside the expression and in its
      texts belong to the expression.
      """,
    wrong: """
      scenario: A greeting
      graph: { greeting: "Hello ${'Ann'" }
      """,
    right: """
      scenario: A greeting
      graph: { greeting: "Hello ${'Ann'}" }
      """),
  DiagnosticPage(
    id: "wrapped-expression", title: "An expression in braces where it stands bare",
    text: """
      Keys that are an expression, such as `check` and `computed`, take it without braces. `${…}`
      puts an expression into a value.
      """,
    wrong: """
      scenario: A sum
      steps:
        - check: "${1 + 1 == 2}"
      """,
    right: """
      scenario: A sum
      steps:
        - check: 1 + 1 == 2
      """),
  DiagnosticPage(
    id: "empty-expression", title: "No expression where one is needed",
    text: """
      A key that is an expression, and `${}` inside a value, need something to evaluate.
      """,
    wrong: """
      scenario: A sum
      steps:
        - check: ''
      """,
    right: """
      scenario: A sum
      steps:
        - check: 1 + 1 == 2
      """),
  DiagnosticPage(
    id: "number-too-large", title: "A number that is too large",
    text: """
      A whole number has at most 64 bits, and other numbers are doubles, up to about 1.8e308. In
      quotes it is text.
      """,
    wrong: """
      scenario: A large number
      graph: { size: 1e400 }
      steps: [{ check: size > 1 }]
      """,
    right: """
      scenario: A large number
      graph: { size: 1e300 }
      steps: [{ check: size > 1 }]
      """),
  DiagnosticPage(
    id: "literal-only", title: "An expression where only data can stand",
    text: """
      The rows of `cases`, durations that bound an expectation, names, words, paths of files and
      most numbers are read before the run begins, so they cannot be expressions. The reference
      lists what each key takes.
      """,
    wrong: """
      scenario: Limits
      cases:
        - { limit: "${1 + 1}" }
      """,
    right: """
      scenario: Limits
      cases:
        - { limit: 2 }
      """),
]
