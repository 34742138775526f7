import Diagnostics

/// The pages of `rehearse explain` about steps that look at the state, and steps that must fail.
let assertionPages: [DiagnosticPage] = [
  DiagnosticPage(
    id: "never-broken", title: "A source emitted an event that it must not emit",
    text: """
      `never` looks at the span from the last acting step before it to the moment when the \
      clock would have to move. With `for`, the span ends when that time has passed. In this \
      span its sources must emit no event except those that an `expect` has accounted for.
      """,
    wrong: """
      scenario: A counter
      graph: { count: 0 }
      steps:
        - set: { count: 1 }
        - never: [count]
      """,
    right: """
      scenario: A counter
      graph: { count: 0 }
      steps:
        - set: { count: 1 }
        - expect: { count: 1 }
        - never: [count]
      """),
  DiagnosticPage(
    id: "check-failed", title: "A check does not hold",
    text: """
      `check` is one expression that must be true for the current state. It does not wait; \
      `eventually` does. The report shows the value of every name in the expression.
      """,
    wrong: """
      scenario: A job takes 8 seconds
      reactors:
        jobs:
          state: { job: none }
          actions: { start: [{ wait: 8s }, { set: { job: done } }] }
      steps:
        - send: jobs.start
        - check: jobs.job == 'done'   # still under way
      """,
    right: """
      scenario: A job takes 8 seconds
      reactors:
        jobs:
          state: { job: none }
          actions: { start: [{ wait: 8s }, { set: { job: done } }] }
      steps:
        - send: jobs.start
        - eventually: jobs.job == 'done'
          within: 10s
      """),
  DiagnosticPage(
    id: "eventually-failed", title: "A condition did not come to hold in time",
    text: """
      `eventually` evaluates its expression again and again until it is true, for at most \
      `within` or else the scenario's `timeout`. The report shows the last values.
      """,
    wrong: """
      scenario: A job takes 8 seconds
      reactors:
        jobs:
          state: { job: none }
          actions: { start: [{ wait: 8s }, { set: { job: done } }] }
      steps:
        - send: jobs.start
        - eventually: jobs.job == 'done'
      """,
    right: """
      scenario: A job takes 8 seconds
      reactors:
        jobs:
          state: { job: none }
          actions: { start: [{ wait: 8s }, { set: { job: done } }] }
      steps:
        - send: jobs.start
        - eventually: jobs.job == 'done'
          within: 10s
      """),
  DiagnosticPage(
    id: "gave-up", title: "What steps were tried for did not come to hold",
    text: """
      `retry` runs its steps and then evaluates `until`. If it is false, `retry` waits for \
      `every` (1s by default) and runs the steps again. It stops when the next try would begin \
      later than `timeout` after the first; without `timeout`, the scenario's one applies. The \
      report shows the last values.
      """,
    wrong: """
      scenario: A job is asked about until it is done
      graph: { asked: 0, job: { computed: "asked < 8 ? 'running' : 'done'" } }
      steps:
        - retry: { until: job == 'done' }
          steps: [{ set: { asked: "${asked + 1}" } }]
      """,
    right: """
      scenario: A job is asked about until it is done
      graph: { asked: 0, job: { computed: "asked < 8 ? 'running' : 'done'" } }
      steps:
        - retry: { until: job == 'done', timeout: 10s }
          steps: [{ set: { asked: "${asked + 1}" } }]
      """),
  DiagnosticPage(
    id: "hopeless", title: "Further tries are useless",
    text: """
      After each run of the steps under `retry`, the condition of `failIf` is evaluated before \
      that of `until`. If it is true, no further try can change the result, and the step fails \
      at once. The step also fails if `failIf` gives no value.
      """,
    wrong: """
      scenario: A job is asked about until it is done
      graph: { asked: 0, job: { computed: "asked < 8 ? 'running' : 'done'" } }
      steps:
        - retry: { until: job == 'done', timeout: 10s, failIf: job != 'done' }
          steps: [{ set: { asked: "${asked + 1}" } }]
      """,
    right: """
      scenario: A job is asked about until it is done
      graph: { asked: 0, job: { computed: "asked < 8 ? 'running' : 'done'" } }
      steps:
        - retry: { until: job == 'done', timeout: 10s, failIf: job == 'failed' }
          steps: [{ set: { asked: "${asked + 1}" } }]
      """),
  DiagnosticPage(
    id: "step-succeeded", title: "A step that must fail succeeded",
    text: """
      The step under `fails` must fail. If it succeeds, the scenario fails.
      """,
    wrong: """
      scenario: An account that is not open
      reactors:
        account: { actions: { open: [], close: [{ fail: { status: 404 } }] } }
      steps:
        - fails: { send: account.open }     # this works
      """,
    right: """
      scenario: An account that is not open
      reactors:
        account: { actions: { open: [], close: [{ fail: { status: 404 } }] } }
      steps:
        - send: account.open
      """),
  DiagnosticPage(
    id: "other-error", title: "A step failed in another way than expected",
    text: """
      `error` beside `fails` is a matcher for the error of the step. The parts that are \
      written must match; the error may have other parts.
      """,
    wrong: """
      scenario: An account that is not open
      reactors:
        account: { actions: { open: [], close: [{ fail: { status: 404 } }] } }
      steps:
        - fails: { send: account.close }
          error: { status: 503 }
      """,
    right: """
      scenario: An account that is not open
      reactors:
        account: { actions: { open: [], close: [{ fail: { status: 404 } }] } }
      steps:
        - fails: { send: account.close }
          error: { status: 404 }
      """),
  DiagnosticPage(
    id: "other-message", title: "A mock received another message than its script waits for",
    text: """
      `receive` in the script of a WebSocket takes the next message of the client and compares \
      it with its matcher. It takes the messages in the order in which they were sent.
      """,
    wrong: """
      scenario: A client says hello
      endpoints:
        chat: { websocket: [{ accept: {}, script: [{ receive: { type: hello } }] }] }
      connections: { room: { websocket: { endpoint: chat, path: /room } } }
      steps:
        - connect: room
        - expect: { room.state: [connecting, connected] }
        - send: { room: { type: bye } }
        - wait: 1s
        - ignore: [room, room.state]
      """,
    right: """
      scenario: A client says hello
      endpoints:
        chat: { websocket: [{ accept: {}, script: [{ receive: { type: hello } }] }] }
      connections: { room: { websocket: { endpoint: chat, path: /room } } }
      steps:
        - connect: room
        - expect: { room.state: [connecting, connected] }
        - send: { room: { type: hello } }
        - wait: 1s
        - ignore: [room, room.state]
      """),
]
