import Diagnostics

/// The pages of `rehearse explain` about steps that look at the state, and steps that must fail.
let assertionPages: [DiagnosticPage] = [
  DiagnosticPage(
    id: "never-broken", title: "A source emitted what it must not",
    text: """
      `never` looks at the time since the last acting step before it, and on until the clock would \
      have to move, or with `for` until that time has passed. In that time its sources emit \
      nothing that no `expect` has accounted for.
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
      `check` is one expression that must be true for the state as it is now. It does not wait; \
      `eventually` does. The report shows the value of every name the expression looked at.
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
      `eventually` looks at the state again and again until its expression is true, for as long as \
      `within` or the scenario's `timeout` says. The values shown are those of the last look.
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
      `retry` runs its steps and looks whether `until` holds; if not, it waits for `every` (1s \
      where nothing is said) and runs them again. It gives up when the next try would begin later \
      than `timeout` after the first; without it, the scenario's timeout counts. The values shown \
      are those of the last look.
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
      After each run of the steps under `retry`, the condition of `failIf` is looked at before \
      that of `until`. Where it holds, no further try could change anything, and the step fails at \
      once. A `failIf` that gives no value fails as well.
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
      The step under `fails` has to fail. If it succeeds, the scenario fails instead.
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
      `error` beside `fails` is a matcher for the error of the step: the parts that are written \
      must be so, other parts may be there.
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
      `receive` in the script of a WebSocket takes the next message of the client, and its matcher \
      says what that must be like. The messages are taken in the order they were sent.
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
