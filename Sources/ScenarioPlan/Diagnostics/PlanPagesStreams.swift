import Diagnostics

/// Streams that cannot be, and durations that are none.
let planStreamPages: [DiagnosticPage] = [
  DiagnosticPage(
    id: "stream-cycle", title: "Streams that wait for each other",
    text: """
      A stream begins when its inputs have begun, so streams cannot follow each other in a
      cycle. If an output must become an input again, let a step or an action send it to a
      subject.
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
    id: "parameters-of-hot-stream", title: "Parameters of a stream that exists once",
    text: """
      A stream with `params` starts for each call, with the values that the call gives. A subject
      and a `hot` diagram exist once for all subscribers, so they have no parameters. Another
      stream can have them, and follow the subject.
      """,
    wrong: """
      scenario: Prices of a symbol
      streams:
        chosen: subject
        prices: { subject: null, params: [symbol] }
        shown: { from: chosen, through: [switch: prices] }
      steps:
        - send: { chosen: A }
      """,
    right: """
      scenario: Prices of a symbol
      streams:
        chosen: subject
        ticks: subject
        prices: { params: [symbol], from: { source: ticks, where: value.symbol == symbol } }
        shown: { from: chosen, through: [switch: prices] }
      steps:
        - send: { chosen: A }
        - send: { ticks: { symbol: A, price: 1 } }
        - expect: { shown: { symbol: A, price: 1 } }
      """),
  DiagnosticPage(
    id: "live-stream-again", title: "A stream that does not start again",
    text: """
      Diagrams, `items` and `interval` start again for each subscriber. A stream that follows
      others begins once, with the scenario, and all its subscribers share it. `retry`, `catch`,
      `append`, `switch` and the like subscribe later, and miss what it emitted before.
      With `cold: true` it starts again for each subscriber. With `cold: false` it is shared
      without this warning.
      """,
    wrong: """
      scenario: What was kept is shown after a failure
      streams:
        kept: { items: [1, 2] }
        doubled: { from: kept, through: [map: value * 2] }
        shaky: { marble: "-#" }
        shown: { from: shaky, through: [catch: doubled] }
      steps:
        - expect: { shown: completed }
      """,
    right: """
      scenario: What was kept is shown after a failure
      streams:
        kept: { items: [1, 2] }
        doubled: { from: kept, cold: true, through: [map: value * 2] }
        shaky: { marble: "-#" }
        shown: { from: shaky, through: [catch: doubled] }
      steps:
        - expect: { shown: [2, 4] }
      """),
  DiagnosticPage(
    id: "sends-to-event-stream", title: "A message for a stream that only listens",
    text: """
      Event streams and streams of lines have one direction: the server sends, the client
      receives. A step can make the server send something with `serve`. If both sides must send,
      the connection is a `websocket`.
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
      `subscriptions` shows when subscriptions to a stream begin and end. Nodes, fields,
      endpoints and named events have no subscriptions; only their events can be expected.
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
      If a duration is expected, the expression must give a duration, `duration('2s')`, or text
      in the same form, `2s`. A number has no unit, but the text around it can add one:
      `"${seconds}s"`. A duration cannot be negative, nor finer than a microsecond.
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
