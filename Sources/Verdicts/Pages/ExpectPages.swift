import Diagnostics

/// The pages of `rehearse explain` about expectations that events do not meet.
let expectPages: [DiagnosticPage] = [
  DiagnosticPage(
    id: "unexpected-event", title: "The next event is not the one expected",
    text: """
      An `expect` says what the next events of a source are, in their order. Nothing is passed \
      over: every event of a source that an `expect` has named must be accounted for. Where events \
      in between do not matter, an entry of a list takes `skip: true`.
      """,
    wrong: """
      scenario: A counter
      graph: { count: 0 }
      steps:
        - set: { count: 1 }
        - set: { count: 2 }
        - expect: { count: 2 }        # the next event is 1, 2 comes after it
      """,
    right: """
      scenario: A counter
      graph: { count: 0 }
      steps:
        - set: { count: 1 }
        - set: { count: 2 }
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
      scenario: A fact is loaded
      endpoints: { api: { http: [{ get: /fact, respond: { json: purr } }] } }
      providers: { facts: { endpoint: api, get: /fact } }
      reactors: { cat: { state: { fact: none }, actions: { read: [{ load: { fact: facts } }] } } }
      steps:
        - send: cat.read
        - expect:
            - api: { get: /fact }       # `loading` is set before the request is sent
            - cat.fact: loading
            - cat.fact: { loaded: purr }
      """,
    right: """
      scenario: A fact is loaded
      endpoints: { api: { http: [{ get: /fact, respond: { json: purr } }] } }
      providers: { facts: { endpoint: api, get: /fact } }
      reactors: { cat: { state: { fact: none }, actions: { read: [{ load: { fact: facts } }] } } }
      steps:
        - send: cat.read
        - expect:
            - cat.fact: loading
            - api: { get: /fact }
            - cat.fact: { loaded: purr }
      """),
  DiagnosticPage(
    id: "wrong-time", title: "An event did not come when it was due",
    text: """
      `after` is exact in virtual time. It counts from the entry before, with `since` from the \
      entry that carries that mark; for the first entry from the later of the last acting step and \
      the last event accounted for.
      """,
    wrong: """
      scenario: A fact is loaded
      endpoints: { api: { http: [{ get: /fact, respond: { json: purr, after: 200ms } }] } }
      providers: { facts: { endpoint: api, get: /fact } }
      reactors: { cat: { state: { fact: none }, actions: { read: [{ load: { fact: facts } }] } } }
      steps:
        - send: cat.read
        - ignore: api
        - expect:
            - cat.fact: loading
            - cat.fact: { loaded: purr }
              after: 100ms
      """,
    right: """
      scenario: A fact is loaded
      endpoints: { api: { http: [{ get: /fact, respond: { json: purr, after: 200ms } }] } }
      providers: { facts: { endpoint: api, get: /fact } }
      reactors: { cat: { state: { fact: none }, actions: { read: [{ load: { fact: facts } }] } } }
      steps:
        - send: cat.read
        - ignore: api
        - expect:
            - cat.fact: loading
            - cat.fact: { loaded: purr }
              after: 200ms
      """),
  DiagnosticPage(
    id: "too-late", title: "An event came later than `within` allows",
    text: """
      `within` on an entry bounds the time since the entry before; beside `expect` it bounds the \
      whole. It holds for events that came before the expectation was reached as well.
      """,
    wrong: """
      scenario: A job takes 8 seconds
      reactors:
        jobs:
          state: { job: none }
          actions: { start: [{ wait: 8s }, { set: { job: done } }] }
      steps:
        - send: jobs.start
        - wait: 20s
        - expect: { jobs.job: done }
          within: 5s
      """,
    right: """
      scenario: A job takes 8 seconds
      reactors:
        jobs:
          state: { job: none }
          actions: { start: [{ wait: 8s }, { set: { job: done } }] }
      steps:
        - send: jobs.start
        - wait: 20s
        - expect: { jobs.job: done }
          within: 10s
      """),
  DiagnosticPage(
    id: "not-in-time", title: "An awaited event did not come in time",
    text: """
      Each awaited event is waited for as long as the scenario's `timeout` says, 5s by default, \
      counted from the entry before it. `within` sets another bound for one entry, or beside \
      `expect` for the whole.
      """,
    wrong: """
      scenario: A job takes 8 seconds
      reactors:
        jobs:
          state: { job: none }
          actions: { start: [{ wait: 8s }, { set: { job: done } }] }
      steps:
        - send: jobs.start
        - expect: { jobs.job: done }
      """,
    right: """
      scenario: A job takes 8 seconds
      reactors:
        jobs:
          state: { job: none }
          actions: { start: [{ wait: 8s }, { set: { job: done } }] }
      steps:
        - send: jobs.start
        - expect: { jobs.job: done }
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
      scenario: A counter
      graph: { count: 0 }
      steps:
        - expect: { count: 1 }        # nothing has been asked to change `count`
      """,
    right: """
      scenario: A counter
      graph: { count: 0 }
      steps:
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
      scenario: A counter
      graph: { count: 0 }
      steps:
        - set: { count: 1 }
        - expect: { count: 1 }
        - set: { count: 2 }           # nothing expects this change
      """,
    right: """
      scenario: A counter
      graph: { count: 0 }
      steps:
        - set: { count: 1 }
        - expect: { count: 1 }
        - set: { count: 2 }
        - expect: { count: 2 }
      """),
]
