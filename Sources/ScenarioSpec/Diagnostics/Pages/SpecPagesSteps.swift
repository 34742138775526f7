import Diagnostics

/// What `rehearse explain` tells about complaints of `SpecDiagnosticsSteps.swift`.
let stepsPages: [DiagnosticPage] = [
  DiagnosticPage(
    id: "unknown-step", title: "A verb that no step has",
    text: """
      A step begins with its verb. The reference lists all of them, and where they belong.
      """,
    wrong: """
      scenario: A counter
      graph: { count: 0 }
      steps:
        - sett: { count: 1 }
      """,
    right: """
      scenario: A counter
      graph: { count: 0 }
      steps:
        - set: { count: 1 }
      """),
  DiagnosticPage(
    id: "no-verb", title: "A step that does nothing",
    text: """
      Keys such as `within` or `steps` go with a verb and do nothing alone. Often a dash too
      many has parted them from it.
      """,
    wrong: """
      scenario: A counter
      graph: { count: 0 }
      steps:
        - repeat: 3
          steps: []
        - steps:
            - set: { count: 1 }
      """,
    right: """
      scenario: A counter
      graph: { count: 0 }
      steps:
        - repeat: 3
          steps:
            - set: { count: 1 }
      """),
  DiagnosticPage(
    id: "two-verbs", title: "A step that does two things",
    text: """
      A step is one verb with what goes with it, so that steps happen one after the other as
      they are written.
      """,
    wrong: """
      scenario: A counter
      graph: { count: 0 }
      steps:
        - set: { count: 1 }
          expect: { count: 1 }
      """,
    right: """
      scenario: A counter
      graph: { count: 0 }
      steps:
        - set: { count: 1 }
        - expect: { count: 1 }
      """),
  DiagnosticPage(
    id: "misplaced-step", title: "A step that does not belong in this script",
    text: """
      Expectations stand in the steps of a scenario, answers in the scripts of endpoints, and
      loading in the actions of reactors. Inside a transaction no time passes. What `serve` does
      must fit the connections of the endpoint: events go to streams, messages to WebSockets.
      """,
    wrong: """
      scenario: A counter
      graph: { count: 0 }
      reactors:
        counter:
          actions:
            add:
              - expect: { count: 1 }
      """,
    right: """
      scenario: A counter
      graph: { count: 0 }
      reactors:
        counter:
          actions:
            add:
              - set: { count: "${count + 1}" }
      steps:
        - send: counter.add
        - expect: { count: 1 }
      """),
  DiagnosticPage(
    id: "empty-sequence", title: "An expectation of nothing",
    text: """
      A list behind a source is a sequence of events, and an empty one would await nothing.
      Silence is written with `never`, an empty list as a value as `[[]]`.
      """,
    wrong: """
      scenario: A list
      graph: { items: [1] }
      steps:
        - set: { items: [] }
        - expect: { items: [] }
      """,
    right: """
      scenario: A list
      graph: { items: [1] }
      steps:
        - set: { items: [] }
        - expect: { items: [[]] }
      """),
  DiagnosticPage(
    id: "entry-without-source", title: "An entry of options alone",
    text: """
      Each entry of an `expect` list is about one source. Options such as `after` stand beside
      it, in the same entry.
      """,
    wrong: """
      scenario: A counter
      graph: { count: 0 }
      steps:
        - set: { count: 1 }
        - expect:
            - count: 1
            - within: 1s
      """,
    right: """
      scenario: A counter
      graph: { count: 0 }
      steps:
        - set: { count: 1 }
        - expect:
            - count: 1
              within: 1s
      """),
  DiagnosticPage(
    id: "entry-with-two-sources", title: "An entry about two sources",
    text: """
      Each entry of an `expect` list is about one source, since the list is an order. A mistyped
      option looks like a second source.
      """,
    wrong: """
      scenario: A counter
      graph: { count: 0, total: 0 }
      steps:
        - set: { count: 1, total: 1 }
        - expect:
            - { count: 1, total: 1 }
      """,
    right: """
      scenario: A counter
      graph: { count: 0, total: 0 }
      steps:
        - set: { count: 1, total: 1 }
        - expect:
            - count: 1
            - total: 1
      """),
  DiagnosticPage(
    id: "operator-as-text", title: "An operator without its value",
    text: """
      An operator is the key of a map, so that it can say what it takes; alone it is a text like any
      other. In quotes nobody doubts that the text is meant.
      """,
    wrong: """
      scenario: A greeting
      graph: { greeting: { stored: none } }
      steps:
        - set: { greeting: Hello }
        - expect: { greeting: $any }
      """,
    right: """
      scenario: A greeting
      graph: { greeting: { stored: none } }
      steps:
        - set: { greeting: Hello }
        - expect: { greeting: { $any: true } }
      """),
  DiagnosticPage(
    id: "mixed-operators", title: "Operators and fields in one map",
    text: """
      A map whose keys begin with `$` is a set of operators, any other map matches fields.
      `$match` puts a matcher beside operators.
      """,
    wrong: """
      scenario: A person
      graph: { person: { stored: { age: 30 } } }
      steps:
        - set: { person: { age: 31 } }
        - expect: { person: { $size: 1, age: 31 } }
      """,
    right: """
      scenario: A person
      graph: { person: { stored: { age: 30 } } }
      steps:
        - set: { person: { age: 31 } }
        - expect: { person: { $size: 1, $match: { age: 31 } } }
      """),
  DiagnosticPage(
    id: "unknown-operator", title: "An operator that matchers do not have",
    text: """
      Keys that begin with `$` are operators. A field whose name begins so is written inside
      `$exactly`.
      """,
    wrong: """
      scenario: A name
      graph: { who: Ann }
      steps:
        - set: { who: Anna }
        - expect: { who: { $regx: ^Ann } }
      """,
    right: """
      scenario: A name
      graph: { who: Ann }
      steps:
        - set: { who: Anna }
        - expect: { who: { $regex: ^Ann } }
      """),
  DiagnosticPage(
    id: "after-beyond-within", title: "An event that is due after the time it may take",
    text: """
      Both `after` and `within` count from the entry before. An event that is due at a later time
      than it may come at all can never be as expected.
      """,
    wrong: """
      scenario: A light
      graph: { light: red }
      steps:
        - expect:
            - { light: green, after: 2s, within: 1s }
      """,
    right: """
      scenario: A light
      graph: { light: red }
      steps:
        - expect:
            - { light: green, after: 2s }
      """),
  DiagnosticPage(
    id: "name-of-no-file", title: "A snapshot whose name makes no file's name",
    text: """
      A snapshot is kept in a file that is called by its name: letters and digits in lower case, and
      `-` for all else. A name of nothing but signs leaves nothing.
      """,
    wrong: """
      scenario: A counter
      graph: { count: 0 }
      steps:
        - snapshot: "!?"
      """,
    right: """
      scenario: A counter
      graph: { count: 0 }
      steps:
        - snapshot: at the start
      """),
]
