import Diagnostics

/// Actions that wait for others.
let planAwaitPages: [DiagnosticPage] = [
  DiagnosticPage(
    id: "await-circle", title: "Actions that wait for themselves",
    text: """
      With `await: true`, an action continues when the action that it sends has ended. If that one
      waits for the first in turn, neither ends. This also holds for a `queue` and a `join`: a run
      that waits there for its turn, or for the run under way, must not be awaited by that run.
      Waits that depend on a condition are found while the scenario runs, and fail the step.
      """,
    wrong: """
      scenario: A draft is saved before it is published
      reactors:
        draft:
          state: { log: [] }
          actions:
            save:
              queue: save
              steps: [{ set: { log: "${log + ['saved']}" } }]
            publish:
              queue: save
              steps:
                - send: draft.save
                  await: true
                - set: { log: "${log + ['published']}" }
      steps:
        - send: draft.publish
        - expect: { draft.log: [[saved], [saved, published]] }
      """,
    right: """
      scenario: A draft is saved before it is published
      reactors:
        draft:
          state: { log: [] }
          actions:
            save:
              queue: save
              steps: [{ set: { log: "${log + ['saved']}" } }]
            publish:
              queue: publish
              steps:
                - send: draft.save
                  await: true
                - set: { log: "${log + ['published']}" }
      steps:
        - send: draft.publish
        - expect: { draft.log: [[saved], [saved, published]] }
      """),
  DiagnosticPage(
    id: "await-of-no-action", title: "A wait for something that has no end",
    text: """
      An action has an end, which `await: true` beside `send` waits for. A value for a stream, a
      message for a WebSocket and a line for a program are sent at once, and nothing is left to wait
      for.
      """,
    wrong: """
      scenario: A draft announces what it saved
      streams: { saved: subject }
      reactors:
        draft:
          state: { text: "" }
          actions:
            save:
              params: [text]
              steps:
                - set: { text: "${payload}" }
                - send: { saved: "${payload}" }
                  await: true
      steps:
        - send: { draft.save: hello }
        - expect: { saved: hello }
      """,
    right: """
      scenario: A draft announces what it saved
      streams: { saved: subject }
      reactors:
        draft:
          state: { text: "" }
          actions:
            save:
              params: [text]
              steps:
                - set: { text: "${payload}" }
                - send: { saved: "${payload}" }
      steps:
        - send: { draft.save: hello }
        - expect: { saved: hello }
      """),
]
