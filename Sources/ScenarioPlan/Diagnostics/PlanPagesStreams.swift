import Diagnostics

/// Streams that cannot be, and durations that are none.
let planStreamPages: [DiagnosticPage] = [
  DiagnosticPage(
    id: "stream-cycle", title: "Streams that wait for each other",
    text: """
      A stream begins when those it follows have begun, so streams cannot follow each other in a
      circle. Where what comes out is to go in again, a step or an action sends it into a subject.
      """,
    wrong: """
      scenario: An echo
      streams:
        said: { from: heard }
        heard: { from: said, through: [{ delay: 1s }] }
      steps:
        - wait: 1s
      """,
    right: """
      scenario: An echo
      streams:
        said: subject
        heard: { from: said, through: [{ delay: 1s }] }
      steps:
        - send: { said: hello }
        - expect: { heard: hello }
      """),
  DiagnosticPage(
    id: "sends-to-event-stream", title: "A message for a stream that only listens",
    text: """
      Event streams and streams of lines go one way: the server sends, the client listens. A step
      can make the server send something with `serve`; where both sides talk, the connection is a
      `websocket`.
      """,
    wrong: """
      scenario: News
      endpoints:
        feed: { sse: [{ accept: { path: /news } }] }
      connections:
        news: { sse: { endpoint: feed, path: /news } }
      steps:
        - connect: news
        - send: { news: hello }
      """,
    right: """
      scenario: News
      endpoints:
        feed: { sse: [{ accept: { path: /news } }] }
      connections:
        news: { sse: { endpoint: feed, path: /news } }
      steps:
        - connect: news
        - serve: { feed: { event: hello } }
        - expect: { news: { data: hello } }
      """),
  DiagnosticPage(
    id: "subscriptions-of-no-stream", title: "Subscriptions of something that has none",
    text: """
      `subscriptions` tells when a stream is subscribed to and when it is left. Nodes, fields,
      endpoints and named events are there all the time; only what they emit can be expected.
      """,
    wrong: """
      scenario: A counter
      graph: { count: 0 }
      steps:
        - set: { count: 1 }
        - expect: { count: { subscriptions: "^" } }
      """,
    right: """
      scenario: A counter
      graph: { count: 0 }
      steps:
        - set: { count: 1 }
        - expect: { count: 1 }
      """),
  DiagnosticPage(
    id: "not-a-duration", title: "An expression that gives no duration",
    text: """
      Where a duration is awaited, an expression gives one, `duration('2s')`, or text that is
      written like one, `2s`. A number has no unit, which the text around it can add:
      `"${seconds}s"`. Negative durations are none.
      """,
    wrong: """
      scenario: A pause
      vars: { pause: 2 }
      steps:
        - wait: "${pause}"
      """,
    right: """
      scenario: A pause
      vars: { pause: 2 }
      steps:
        - wait: "${pause}s"
      """),
]
