import Diagnostics

/// What `rehearse explain` tells about failures of a run.
package let verdictPages: [DiagnosticPage] =
  expectPages + streamPages + assertionPages + answerPages + snapshotPages + driftPages
  + problemPages

private let expectPages: [DiagnosticPage] = [
  DiagnosticPage(
    id: "unexpected-event", title: "The next event is not the one expected",
    text: """
      An `expect` says what the next events of a source are, in their order. Nothing is passed \
      over: every event of a source that an `expect` has named must be accounted for. Where events \
      in between do not matter, an entry of a list takes `skip: true`.
      """,
    wrong: """
      - expect: { count: 2 }        # the next event is 1, 2 comes after it
      """,
    right: """
      - expect: { count: [1, 2] }
      """),
  DiagnosticPage(
    id: "out-of-order", title: "An event came before its turn",
    text: """
      The entries of a list happen in one order, across all the sources it names. Events at the \
      same instant have an order too: that of the log. Where the order between sources does not \
      matter, write a map or put the entries into `anyOrder`.
      """,
    wrong: """
      - expect:
          - api: { get: /fact }     # `loading` is set before the request is sent
          - fact: loading
      """,
    right: """
      - expect:
          - fact: loading
          - api: { get: /fact }
      """),
  DiagnosticPage(
    id: "wrong-time", title: "An event did not come when it was due",
    text: """
      `after` is exact in virtual time. It counts from the entry before, with `since` from the \
      entry that carries that mark; for the first entry from the later of the last acting step and \
      the last event accounted for.
      """,
    wrong: """
      - expect:
          - fact: loading
          - fact: { loaded: cats }
            after: 100ms            # the mock answers after 200ms
      """,
    right: """
      - expect:
          - fact: loading
          - fact: { loaded: cats }
            after: 200ms
      """),
  DiagnosticPage(
    id: "too-late", title: "An event came later than `within` allows",
    text: """
      `within` on an entry bounds the time since the entry before; beside `expect` it bounds the \
      whole. It holds for events that came before the expectation was reached as well.
      """,
    wrong: """
      - expect: { fact: loading }
        within: 10ms                # it comes after 20ms
      """,
    right: """
      - expect: { fact: loading }
        within: 50ms
      """),
  DiagnosticPage(
    id: "not-in-time", title: "An awaited event did not come in time",
    text: """
      Each awaited event is waited for as long as the scenario's `timeout` says, 5s by default, \
      counted from the entry before it. `within` sets another bound for one entry, or beside \
      `expect` for the whole.
      """,
    wrong: """
      - expect: { job: done }       # takes 8s
      """,
    right: """
      - expect: { job: done }
        within: 10s
      """),
  DiagnosticPage(
    id: "nothing-left", title: "Nothing is left that could happen",
    text: """
      Time is virtual: it moves on to the next timer by itself. When there is no timer, no request \
      under way and nothing to do, what is awaited can never come, and the scenario fails at once \
      instead of waiting.
      """,
    wrong: """
      - expect: { count: 1 }        # nothing has been asked to change `count`
      """,
    right: """
      - set: { count: 1 }
      - expect: { count: 1 }
      """),
  DiagnosticPage(
    id: "unaccounted-events", title: "Events of a watched source were never expected",
    text: """
      A source that an `expect` has named is watched from the beginning of the run to the last \
      step: each of its events must be accounted for. Expect the rest, pass over it with `skip`, \
      or give the source up with `ignore`.
      """,
    wrong: """
      - set: { count: 1 }
      - expect: { count: 1 }
      - set: { count: 2 }           # nothing expects this change
      """,
    right: """
      - set: { count: 1 }
      - expect: { count: 1 }
      - set: { count: 2 }
      - expect: { count: 2 }
      """),
]

private let assertionPages: [DiagnosticPage] = [
  DiagnosticPage(
    id: "never-broken", title: "A source emitted what it must not",
    text: """
      `never` looks at the time since the last acting step before it, and on until the clock would \
      have to move, or with `for` until that time has passed. In that time its sources emit \
      nothing that no `expect` has accounted for.
      """,
    wrong: """
      - set: { count: 1 }
      - never: [count]
      """,
    right: """
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
      - check: count == 2           # still being loaded
      """,
    right: """
      - eventually: count == 2
      """),
  DiagnosticPage(
    id: "eventually-failed", title: "A condition did not come to hold in time",
    text: """
      `eventually` looks at the state again and again until its expression is true, for as long as \
      `within` or the scenario's `timeout` says. The values shown are those of the last look.
      """,
    wrong: """
      - eventually: job == 'done'   # takes 8s
      """,
    right: """
      - eventually: job == 'done'
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
      - retry: { until: job == 'done' }               # takes 8s
        steps: [{ send: jobs.ask }]
      """,
    right: """
      - retry: { until: job == 'done', timeout: 10s }
        steps: [{ send: jobs.ask }]
      """),
  DiagnosticPage(
    id: "hopeless", title: "Further tries are useless",
    text: """
      After each run of the steps under `retry`, the condition of `failIf` is looked at before \
      that of `until`. Where it holds, no further try could change anything, and the step fails at \
      once. A `failIf` that gives no value fails as well.
      """,
    wrong: """
      - retry: { until: job == 'done', failIf: job != 'done' }    # `job` is still 'running'
        steps: [{ send: jobs.ask }]
      """,
    right: """
      - retry: { until: job == 'done', failIf: job == 'failed' }
        steps: [{ send: jobs.ask }]
      """),
  DiagnosticPage(
    id: "step-succeeded", title: "A step that must fail succeeded",
    text: """
      The step under `fails` has to fail; when it does what it is told, the scenario fails instead.
      """,
    wrong: """
      - fails: { send: account.open }     # this works
      """,
    right: """
      - send: account.open
      """),
  DiagnosticPage(
    id: "other-error", title: "A step failed in another way than expected",
    text: """
      `error` beside `fails` is a matcher for the error of the step: the parts that are written \
      must be so, other parts may be there.
      """,
    wrong: """
      - fails: { send: account.open }
        error: { status: 503 }      # it is 404
      """,
    right: """
      - fails: { send: account.open }
        error: { status: 404 }
      """),
  DiagnosticPage(
    id: "other-message", title: "A mock received another message than its script waits for",
    text: """
      `receive` in the script of a WebSocket takes the next message of the client, and its matcher \
      says what that must be like. The messages are taken in the order they were sent.
      """,
    wrong: """
      script:
        - receive: { type: hello }
      steps:
        - send: { room: { type: bye } }
      """,
    right: """
      script:
        - receive: { type: hello }
      steps:
        - send: { room: { type: hello } }
      """),
]

private let problemPages: [DiagnosticPage] = [
  DiagnosticPage(
    id: "unmatched-request", title: "A request came that nothing is written for",
    text: """
      A mock endpoint answers the requests its entries describe, the first that fits. Any other \
      request is answered 404 and fails the scenario; the report names the entry that came closest \
      and what differed.
      """,
    wrong: """
      http:
        - get: /facts               # the client asks for /fact
          respond: { status: 200 }
      """,
    right: """
      http:
        - get: /fact
          respond: { status: 200 }
      """),
  DiagnosticPage(
    id: "action-failed", title: "An action failed and nothing caught its error",
    text: """
      An error inside an action ends it. What is expected to fail stands under `try` with a \
      `catch` beside it, or the step that sends the action stands under `fails`.
      """,
    wrong: """
      load:
        - fail: { code: 1 }
      """,
    right: """
      load:
        - try:
            - fail: { code: 1 }
          catch:
            - set: { status: failed }
      """),
  DiagnosticPage(
    id: "step-failed", title: "A step could not be done",
    text: """
      The step was understood, but not possible at this moment. Where that is what should happen, \
      put it under `fails`.
      """,
    wrong: """
      - send: account.close         # the account is not open
      """,
    right: """
      - fails: { send: account.close }
      """),
  DiagnosticPage(
    id: "graph-cycle", title: "A computed node depends on itself",
    text: """
      A computed node is worked out from other nodes; when one of them is worked out from it in \
      turn, neither has a value. The report shows the path.
      """,
    wrong: """
      graph:
        a: { computed: b + 1 }
        b: { computed: a - 1 }
      """,
    right: """
      graph:
        a: 1
        b: { computed: a - 1 }
      """),
  DiagnosticPage(
    id: "ping-pong", title: "Changes set each other off without end",
    text: """
      Each of these changes causes the next, and the last causes the first again, all at one \
      instant. Let one of them stop once nothing new is to be said.
      """,
    wrong: """
      follows: { count: increment } # each change of `count` changes `count`
      """,
    right: """
      follows: { clicks: increment }
      """),
  DiagnosticPage(
    id: "limit-exceeded", title: "A limit was reached",
    text: """
      Everything that could grow without end has a limit, so that a mistake ends a scenario and \
      not the machine. The report names the limit and its value. A run logs a million events at \
      most, and about two gigabytes of values; at one instant, or for one step, a hundred thousand \
      events, and a million values that streams make of others without an event.
      """,
    wrong: """
      - repeat: 1000000000
        steps: [{ set: { count: 1 } }]
      """,
    right: """
      - repeat: 1000
        steps: [{ set: { count: 1 } }]
      """),
  DiagnosticPage(
    id: "interrupted", title: "The run was ended from outside",
    text: """
      Ctrl-C, or a signal to end, stops the scenario under way; it counts as failed, the ones \
      behind it are not run, and the report tells about all that was done. A second Ctrl-C ends \
      the program at once.
      """,
    wrong: """
      - wait: 365d                  # with something that repeats every millisecond
      """,
    right: """
      - wait: 1m
      """),
  DiagnosticPage(
    id: "endless-wait", title: "Nothing can end a wait",
    text: """
      `wait: forever` lets time pass until something else ends the script it stands in. When \
      nothing is left that could happen, nothing can.
      """,
    wrong: """
      - wait: forever               # in `steps`, with nothing beside it
      """,
    right: """
      - wait: 1m
      """),
]
