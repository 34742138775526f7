import Diagnostics

/// The pages of `rehearse explain` about names.
let namesPages: [DiagnosticPage] = [
  DiagnosticPage(
    id: "bad-name", title: "A name that expressions cannot use",
    text: """
      Expressions use names, so names consist of letters, digits and `_`, and do not begin with a
      digit. Addresses are such names joined by dots.
      """,
    wrong: """
      scenario: A counter
      graph: { click-count: 0 }
      """,
    right: """
      scenario: A counter
      graph: { click_count: 0 }
      """),
  DiagnosticPage(
    id: "reserved-name", title: "A name that the language uses itself",
    text: """
      The words of the expression language, the options of expectations, and words like `value`
      or `request` that expressions find in scope cannot name things on the stage.
      """,
    wrong: """
      scenario: A gauge
      graph: { value: 0 }
      """,
    right: """
      scenario: A gauge
      graph: { level: 0 }
      """),
  DiagnosticPage(
    id: "duplicate-name", title: "Two things with one name",
    text: """
      Nodes, reactors, endpoints, providers, variables and captures share one namespace, so that
      an address is short and means one thing. A list that declares names, such as `params`, has
      each of them once.
      """,
    wrong: """
      scenario: A counter
      vars: { count: 3 }
      graph: { count: 0 }
      """,
    right: """
      scenario: A counter
      vars: { limit: 3 }
      graph: { count: 0 }
      """),
  DiagnosticPage(
    id: "duplicate-case", title: "Two rows with one id",
    text: """
      Each row of `cases` is reported under its id. A row without an id is reported under its
      number.
      """,
    wrong: """
      scenario: Limits
      cases:
        - { id: small, limit: 1 }
        - { id: small, limit: 2 }
      """,
    right: """
      scenario: Limits
      cases:
        - { id: small, limit: 1 }
        - { id: medium, limit: 2 }
      """),
  DiagnosticPage(
    id: "ragged-cases", title: "Rows with different columns",
    text: """
      The columns of `cases` are variables. A column that is missing in a row would be an
      unknown name in that run.
      """,
    wrong: """
      scenario: Limits
      cases:
        - { limit: 1, sum: 3 }
        - { limit: 2 }
      """,
    right: """
      scenario: Limits
      cases:
        - { limit: 1, sum: 3 }
        - { limit: 2, sum: 5 }
      """),
  DiagnosticPage(
    id: "path-without-slash", title: "A path that does not begin with a slash",
    text: """
      Routes compare the whole path of a request, and every such path begins with `/`.
      """,
    wrong: """
      scenario: A server
      endpoints:
        api:
          http:
            - { get: fact, respond: { status: 204 } }
      """,
    right: """
      scenario: A server
      endpoints:
        api:
          http:
            - { get: /fact, respond: { status: 204 } }
      """),
  DiagnosticPage(
    id: "websocket-method", title: "A WebSocket under a method other than GET",
    text: """
      The request that opens a WebSocket is always a GET. A route for another method would never \
      be found by one.
      """,
    wrong: """
      scenario: A room
      endpoints:
        chat:
          http:
            - { post: /room, websocket: [{ send: welcome }] }
      """,
    right: """
      scenario: A room
      endpoints:
        chat:
          http:
            - { get: /room, websocket: [{ send: welcome }] }
      """),
]
