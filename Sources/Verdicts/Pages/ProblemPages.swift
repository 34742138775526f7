import Diagnostics

/// The pages of `rehearse explain` about failures that no assertion has a part in.
let problemPages: [DiagnosticPage] = [
  DiagnosticPage(
    id: "unmatched-request", title: "A request that matches no entry",
    text: """
      A mock endpoint answers a request with the first of its entries that matches. Any other \
      request gets status 404 and fails the scenario. The report names the entry that was \
      closest, and the differences.
      """,
    wrong: """
      scenario: A fact
      endpoints: { api: { http: [{ get: /facts, respond: { status: 200 } }] } }
      providers: { facts: { endpoint: api, get: /fact } }
      reactors: { cat: { state: { fact: none }, actions: { read: [{ load: { fact: facts } }] } } }
      steps:
        - send: cat.read
      """,
    right: """
      scenario: A fact
      endpoints: { api: { http: [{ get: /fact, respond: { status: 200 } }] } }
      providers: { facts: { endpoint: api, get: /fact } }
      reactors: { cat: { state: { fact: none }, actions: { read: [{ load: { fact: facts } }] } } }
      steps:
        - send: cat.read
      """),
  DiagnosticPage(
    id: "stream-not-resumed", title: "A client goes on after an event that no stream knows",
    text: """
      The endpoint is `resumable`, and a client named the last event that it has received. No stream
      of the endpoint has sent an event with this id, and the script has none. So the mock does what
      such servers do: it sends all of the stream.
      """,
    wrong: """
      scenario: A client comes back
      endpoints:
        feed:
          resumable: true
          http: [{ get: /feed, sse: [{ event: { id: "2", data: two } }, { wait: forever }] }]
      connections:
        prices: { sse: { endpoint: feed, path: /feed, headers: { Last-Event-ID: "1" } } }
      steps:
        - connect: prices
        - expect: { prices: { data: two } }
      """,
    right: """
      scenario: A client comes back
      endpoints:
        feed:
          resumable: true
          http:
            - get: /feed
              sse:
                - event: { id: "1", data: one }
                - event: { id: "2", data: two }
                - wait: forever
      connections:
        prices: { sse: { endpoint: feed, path: /feed, headers: { Last-Event-ID: "1" } } }
      steps:
        - connect: prices
        - expect: { prices: { data: two } }
      """),
  DiagnosticPage(
    id: "unread-node-fails", title: "A computed node that fails and that nothing reads",
    text: """
      A computed node is worked out when something reads it. If nothing does, a mistake in its \
      rule fails nothing. When a scenario has held, Rehearsal works out such nodes once, and \
      warns of those without a value.
      """,
    wrong: """
      scenario: A share
      graph: { total: 0, share: { computed: 100 / total } }
      steps:
        - check: total == 0
      """,
    right: """
      scenario: A share
      graph: { total: 0, share: { computed: "total == 0 ? 0 : 100 / total" } }
      steps:
        - check: share == 0
      """),
  DiagnosticPage(
    id: "not-of-other-kind", title: "A value of a kind that the operator in `$not` is not for",
    text: """
      Text is not greater than 9, nor is it smaller: the two have no order. So `$not: { $gt: 9 }` \
      holds for every text, and checks nothing. The same goes for `$regex` of a number, and for \
      `$size` of one. Say the kind beside `$not`, if the value may have another one, or compare \
      with a value of the kind that it has.
      """,
    wrong: """
      scenario: A price in quotes
      graph: { price: "" }
      steps:
        - set: { price: "10" }
        - expect: { price: { $not: { $gt: 9 } } }
      """,
    right: """
      scenario: A price
      graph: { price: 0 }
      steps:
        - set: { price: 8 }
        - expect: { price: { $type: number, $not: { $gt: 9 } } }
      """),
  DiagnosticPage(
    id: "action-failed", title: "An action failed and nothing caught its error",
    text: """
      An error inside an action ends it. If a step is expected to fail, put it under `try` \
      with a `catch` beside it, or put the step that sends the action under `fails`.
      """,
    wrong: """
      scenario: A form is not saved
      reactors:
        form:
          state: { status: new }
          actions:
            save: [{ fail: { code: 1 } }]
      steps:
        - send: form.save
      """,
    right: """
      scenario: A form is not saved
      reactors:
        form:
          state: { status: new }
          actions:
            save:
              - try: [{ fail: { code: 1 } }]
                catch: [{ set: { status: failed } }]
      steps:
        - send: form.save
      """),
  DiagnosticPage(
    id: "step-failed", title: "A step could not be done",
    text: """
      The step is valid, but it was not possible at this moment. If it is expected to fail, \
      put it under `fails`.
      """,
    wrong: """
      scenario: A message before the connection is there
      endpoints: { chat: { websocket: [{ accept: {}, script: [{ wait: forever }] }] } }
      connections: { room: { websocket: { endpoint: chat, path: /room } } }
      steps:
        - send: { room: hello }       # `room` is not connected
      """,
    right: """
      scenario: A message before the connection is there
      endpoints: { chat: { websocket: [{ accept: {}, script: [{ wait: forever }] }] } }
      connections: { room: { websocket: { endpoint: chat, path: /room } } }
      steps:
        - fails: { send: { room: hello } }
      """),
  DiagnosticPage(
    id: "limit-exceeded", title: "A limit was reached",
    text: """
      Everything that could grow without end has a limit, so that a mistake ends a scenario \
      and not the machine. The report names the limit and its value. A run logs at most a \
      million events and about two gigabytes of values. One instant, or one step, has at most \
      a hundred thousand events, and a million values that streams make of others without an \
      event.
      """,
    wrong: """
      scenario: A counter is written again and again
      graph: { count: 0 }
      steps:
        - repeat: 1000000000
          steps: [{ set: { count: 1 } }]
      """,
    right: """
      scenario: A counter is written again and again
      graph: { count: 0 }
      steps:
        - repeat: 1000
          steps: [{ set: { count: 1 } }]
      """),
  DiagnosticPage(
    id: "interrupted", title: "The run was ended from outside",
    text: """
      Ctrl-C, or a signal to end, stops the steps of the current scenario. This scenario counts \
      as failed, and its `finally` runs. All `finally` together have five seconds, or the time \
      that `--finally-time` gives. Scenarios after it do not run, and the report shows all \
      results so far. A second Ctrl-C ends the program at once.
      """,
    wrong: """
      scenario: A year of ticks
      streams: { ticks: { interval: 1ms } }
      steps:
        - wait: 365d                  # Ctrl-C after a minute
      """,
    right: """
      scenario: A second of ticks
      streams: { ticks: { interval: 1ms } }
      steps:
        - wait: 1s
      """),
  DiagnosticPage(
    id: "endless-wait", title: "Nothing can end a wait",
    text: """
      `wait: forever` lets time pass until something else ends the script that contains it. If \
      no job, timer or request is left, nothing can end the script.
      """,
    wrong: """
      scenario: A wait
      steps:
        - wait: forever               # nothing else happens
      """,
    right: """
      scenario: A wait
      steps:
        - wait: 1m
      """),
]
