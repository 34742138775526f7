import Diagnostics

/// The pages of `rehearse explain` about steps, expectations and matchers.
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
      Keys such as `within` or `steps` belong to a verb and do nothing alone. Often a dash before
      them is one too many.
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
      A step is one verb with its keys, so that steps happen one after the other in the order of the
      text.
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
      Expectations belong in the steps of a scenario, answers in the scripts of endpoints, and
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
    id: "empty-sequence", title: "An expectation without events",
    text: """
      A list behind a source is a sequence of events. An empty one would await nothing. Write
      `never` for silence, and `[[]]` for an empty list as a value.
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
      Each entry of an `expect` list is about one source. Options such as `after` belong in the same
      entry as the source.
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
      An operator is the key of a map, and its value is what it takes. Alone it is a text like any
      other. Put the text in quotes to show that it is meant.
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
    id: "matcher-as-field", title: "A matcher without its $",
    text: """
      A matcher is a key that begins with `$`. Any other key is a field of the value, so
      `{ equals: 3 }` needs a map with the field `equals`. If such a field is meant, write
      `{ $exactly: { equals: 3 } }`.
      """,
    wrong: """
      scenario: A counter
      graph: { count: 0 }
      steps:
        - set: { count: 4 }
        - expect: { count: { greaterThan: 3 } }
      """,
    right: """
      scenario: A counter
      graph: { count: 0 }
      steps:
        - set: { count: 4 }
        - expect: { count: { $gt: 3 } }
      """),
  DiagnosticPage(
    id: "not-tried-again", title: "A step that retry cannot repeat without until",
    text: """
      Without `until`, `retry` repeats its steps until their requests and checks pass. Its steps
      are therefore acting steps, `request` and `check`. An `expect` accounts for events, which a
      second try could not undo. With `until`, any step may be repeated.
      """,
    wrong: """
      scenario: A counter
      graph: { count: 0 }
      steps:
        - retry: { every: 1s }
          steps:
            - set: { count: "${count + 1}" }
            - expect: { count: 1 }
            - check: count == 1
      """,
    right: """
      scenario: A counter
      graph: { count: 0 }
      steps:
        - retry: { every: 1s }
          steps:
            - set: { count: "${count + 1}" }
            - check: count == 3
      """),
  DiagnosticPage(
    id: "misplaced-option", title: "An option in the map form of expect",
    text: """
      In the map form of `expect` each key names a source. `after`, `within`, `skip`, `since`,
      `mark` and `times` belong to one entry of the list form.
      """,
    wrong: """
      scenario: A counter
      graph: { count: 0 }
      steps:
        - set: { count: 1 }
        - expect: { count: 1, after: 0s }
      """,
    right: """
      scenario: A counter
      graph: { count: 0 }
      steps:
        - set: { count: 1 }
        - expect: [{ count: 1, within: 1s }]
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
      Keys that begin with `$` are operators. If the name of a field begins with `$`, write the
      field inside `$exactly`.
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
    id: "after-beyond-within", title: "An event that must come later than it may come",
    text: """
      Both `after` and `within` are measured from the entry before. An event that must come later
      than it may come can never match.
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
      Rehearsal keeps a snapshot in a file with its name: letters and digits in lower case, and `-`
      for all other characters. A name without letters and digits makes no file's name.
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
