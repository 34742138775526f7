import Diagnostics

/// The pages of `rehearse explain` about keys and the kinds of their values.
let keysPages: [DiagnosticPage] = [
  DiagnosticPage(
    id: "unknown-key", title: "A key the language does not know here",
    text: """
      Each mapping of the language has a fixed set of keys, listed in the reference. Rehearsal
      refuses any other key: it would otherwise silently ignore a mistyped one.
      """,
    wrong: """
      scenario: A counter
      timout: 2s
      """,
    right: """
      scenario: A counter
      timeout: 2s
      """),
  DiagnosticPage(
    id: "missing-key", title: "A required key is missing",
    text: """
      Some keys are required: a scenario has a title, a route has an answer, a loop has steps.
      """,
    wrong: """
      scenario: A counter
      steps:
        - repeat: 3
      """,
    right: """
      scenario: A counter
      graph: { count: 0 }
      steps:
        - repeat: 3
          steps:
            - set: { count: "${count + 1}" }
      """),
  DiagnosticPage(
    id: "conflicting-keys", title: "Two keys that exclude each other",
    text: """
      Some keys have the same meaning in different forms, such as the body of an answer as `json` or
      as `text`. Only one of them is possible.
      """,
    wrong: """
      scenario: A server
      endpoints:
        api:
          http:
            - get: /fact
              respond: { json: { fact: Cats sleep }, text: Cats sleep }
      """,
    right: """
      scenario: A server
      endpoints:
        api:
          http:
            - get: /fact
              respond: { json: { fact: Cats sleep } }
      """),
  DiagnosticPage(
    id: "wrong-type", title: "A value of another kind than the key takes",
    text: """
      Each key takes values of one kind, or of a few: a list of steps, a duration, a name. Scalars
      follow the core schema of YAML 1.2, so `true` is a truth value and `'true'` is text.
      """,
    wrong: """
      scenario: A counter
      tags: counter
      """,
    right: """
      scenario: A counter
      tags: [counter]
      """),
  DiagnosticPage(
    id: "unknown-word", title: "A word that means nothing here",
    text: """
      If a key takes one of a few words, any other word is an error. The same is true for the
      expected values of a connection's `state`.
      """,
    wrong: """
      scenario: A server
      endpoints:
        api:
          http:
            - { get: /fact, respond: stal }
      """,
    right: """
      scenario: A server
      endpoints:
        api:
          http:
            - { get: /fact, respond: stall }
      """),
  DiagnosticPage(
    id: "out-of-range", title: "A number beyond its bounds",
    text: """
      Some numbers have bounds: a status code lies between 100 and 599, and an event is awaited
      at least once.
      """,
    wrong: """
      scenario: A server
      endpoints:
        api:
          http:
            - { get: /fact, respond: { status: 42 } }
      """,
    right: """
      scenario: A server
      endpoints:
        api:
          http:
            - { get: /fact, respond: { status: 420 } }
      """),
  DiagnosticPage(
    id: "empty-map", title: "A step that names nothing",
    text: """
      A step such as `set` or `send` names what it changes. With an empty map it would do nothing.
      """,
    wrong: """
      scenario: A counter
      steps:
        - set: {}
      """,
    right: """
      scenario: A counter
      graph: { count: 0 }
      steps:
        - set: { count: 1 }
      """),
  DiagnosticPage(
    id: "empty-list", title: "A list that needs an element",
    text: """
      A list of answers, of rows or of branches has at least one element.
      """,
    wrong: """
      scenario: A server
      endpoints:
        api:
          http:
            - { get: /fact, respond: [] }
      """,
    right: """
      scenario: A server
      endpoints:
        api:
          http:
            - { get: /fact, respond: [{ status: 204 }] }
      """),
  DiagnosticPage(
    id: "several-entries", title: "More than the one entry",
    text: """
      `emit` emits one event, and `forEach` takes one list: their maps have exactly one entry.
      """,
    wrong: """
      scenario: Two events
      steps:
        - emit: { started: 1, stopped: 2 }
      """,
    right: """
      scenario: Two events
      steps:
        - emit: { started: 1 }
        - emit: { stopped: 2 }
      """),
  DiagnosticPage(
    id: "node-is-map", title: "A map in the graph that is no kind of node",
    text: """
      In `graph` a map defines the kind of a node. A stored node whose value is a map is therefore
      written with `stored`.
      """,
    wrong: """
      scenario: A person
      graph:
        person: { first: Ann, last: Lee }
      """,
    right: """
      scenario: A person
      graph:
        person: { stored: { first: Ann, last: Lee } }
      """),
  DiagnosticPage(
    id: "field-like-node", title: "A field that is written like a node of the graph",
    text: """
      The fields of a reactor or an endpoint are values. A value that depends on them is a computed
      node of `graph`, which may read them. If the value of a field really is such a map, write it
      as an expression: `"${{'stored': 1}}"`.
      """,
    wrong: """
      scenario: A counter
      reactors:
        counter:
          state: { count: 1, twice: { computed: count * 2 } }
      """,
    right: """
      scenario: A counter
      graph:
        twice: { computed: counter.count * 2 }
      reactors:
        counter:
          state: { count: 1 }
      """),
]
