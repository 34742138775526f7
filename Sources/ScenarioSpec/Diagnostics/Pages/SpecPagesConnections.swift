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
      """)
]
