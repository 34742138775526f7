import Diagnostics

/// The pages of `rehearse explain` about the step `request`.
let answerPages: [DiagnosticPage] = [
  DiagnosticPage(
    id: "unexpected-answer", title: "The answer to a request is not the one expected",
    text: """
      `expect` under `request` describes the answer: its `status`, `headers`, `cookies`, and \
      the body as `json`, `text` or `bytes`. Each takes a matcher; parts that are not named \
      may have any value. This also holds for the status. The report shows the complete \
      exchange, and a command that repeats it.
      """,
    wrong: """
      scenario: A task is made
      endpoints: { api: { http: [{ post: /tasks, respond: { status: 201 } }] } }
      steps:
        - request: { endpoint: api, post: /tasks, expect: { status: 200 } }   # it is 201
      """,
    right: """
      scenario: A task is made
      endpoints: { api: { http: [{ post: /tasks, respond: { status: 201 } }] } }
      steps:
        - request: { endpoint: api, post: /tasks, expect: { status: 2xx } }
      """),
  DiagnosticPage(
    id: "slow-answer", title: "An answer took longer than `within` allows",
    text: """
      `within` in the `expect` of a request limits the time from sending the request to its \
      answer, including all redirects. `timeout` beside it limits how long the client waits \
      for an answer at all.
      """,
    wrong: """
      scenario: A report
      endpoints: { api: { http: [{ get: /report, respond: { status: 200, after: 200ms } }] } }
      steps:
        - request: { endpoint: api, get: /report, expect: { within: 100ms } }
      """,
    right: """
      scenario: A report
      endpoints: { api: { http: [{ get: /report, respond: { status: 200, after: 200ms } }] } }
      steps:
        - request: { endpoint: api, get: /report, expect: { within: 200ms } }
      """),
  DiagnosticPage(
    id: "request-failed", title: "A request got no answer",
    text: """
      The connection was lost, no answer arrived within `timeout`, the endpoint could not be \
      reached, the request could not be sent as it is written, or its redirects led to no answer. \
      If the request is expected to fail, put the step under `fails`. The `reason` of its \
      error is `connectionLost`, `timeout`, `offline`, `protocolError`, `tooManyRedirects` or \
      `redirectOutside`.
      """,
    wrong: """
      scenario: A report
      endpoints: { api: { http: [{ get: /report, respond: { status: 200, after: 2s } }] } }
      steps:
        - request: { endpoint: api, get: /report, timeout: 1s }
      """,
    right: """
      scenario: A report
      endpoints: { api: { http: [{ get: /report, respond: { status: 200, after: 2s } }] } }
      steps:
        - fails: { request: { endpoint: api, get: /report, timeout: 1s } }
          error: { reason: timeout }
      """),
]
