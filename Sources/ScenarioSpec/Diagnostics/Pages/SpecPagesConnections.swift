import Diagnostics

let connectionPages: [DiagnosticPage] = [
  DiagnosticPage(
    id: "bad-hexadecimal", title: "Bytes that are no pairs of digits",
    text: """
      Under `hex` each byte is written as two hexadecimal digits; blanks between them are ignored.
      Text is written without `hex`, and any bytes as an expression: `"${b'\\xff'}"`.
      """,
    wrong: """
      scenario: A broken stream
      endpoints:
        feed:
          sse:
            - accept: { path: /prices }
              script:
                - bytes: { hex: "64 61 7" }
      """,
    right: """
      scenario: A broken stream
      endpoints:
        feed:
          sse:
            - accept: { path: /prices }
              script:
                - bytes: { hex: "64 61 74 61 3a" }
      """),
  DiagnosticPage(
    id: "fault-without-body", title: "Half of no body",
    text: """
      The fault `partialBody` sends the head of an answer and the first half of its body. Without a
      body there is no half. To end the connection without an answer, write `respond: drop`.
      """,
    wrong: """
      scenario: A server that breaks off
      endpoints:
        api:
          http:
            - { get: /tasks, respond: { status: 200, fault: partialBody } }
      """,
    right: """
      scenario: A server that breaks off
      endpoints:
        api:
          http:
            - { get: /tasks, respond: { json: [Write, Read], fault: partialBody } }
      """),
  DiagnosticPage(
    id: "path-pattern", title: "A pattern in a path that is none",
    text: """
      In the path of a route, `{name}` stands for one segment or a part of it (`{name}.pdf`), one
      character at least, and `{name...}` at the end for all segments that follow. A segment has one
      name. Anything else stands for itself, also `*` and `:name`.
      """,
    wrong: """
      scenario: A server of files
      endpoints:
        api:
          http:
            - { get: "/files/{path...}/size", respond: { json: 1 } }
      """,
    right: """
      scenario: A server of files
      endpoints:
        api:
          http:
            - { get: "/files/{path...}", respond: { text: "${request.params.path}" } }
      """),
]
