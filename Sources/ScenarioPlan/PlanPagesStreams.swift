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
