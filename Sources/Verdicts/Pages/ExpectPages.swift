import Diagnostics

/// The pages of `rehearse explain` about expectations that events do not meet.
let expectPages: [DiagnosticPage] = [
  DiagnosticPage(
    id: "unexpected-event", title: "The next event is not the one expected",
    text: """
      An `expect` describes the next events of a source in their order. No event is skipped: \
      every event of a source that an `expect` has named must be accounted for. If events in \
      between do not matter, write `skip: true` in an entry of the list.
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
      The entries of a list happen in one order, across all the sources it names. Events at \
      the same instant have an order too: that of the log. If the order between sources does \
      not matter, write a map or put the entries into `anyOrder`.
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
      `after` is exact in virtual time. It counts from the entry before, or with `since` from \
      the entry that has that mark. For the first entry it counts from the last acting step or \
      the last event accounted for, whichever is later.
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
      `within` in an entry limits the time since the entry before; beside `expect` it limits \
      the time of all entries. It also applies to events that came before the run reached the \
      expectation.
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
      Rehearsal waits for each expected event as long as the scenario's `timeout` allows, 5s \
      by default, counted from the entry before it. `within` sets another limit for one entry, \
      or beside `expect` for all entries.
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
      Time is virtual: it moves to the next timer by itself. If there is no timer, no request \
      under way and no job to run, the expected event can never come. The scenario then fails \
      at once instead of waiting.
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
    id: "trace-ended", title: "The trace ends, and an event is still awaited",
    text: """
      `rehearse judge` reads a trace to its end. An expectation that is not met by then fails: \
      nothing comes after the end. Look at the trace with `rehearse trace show`, and compare the \
      name of the source: `from` gives a source another name in the trace.
      """,
    wrong: """
      scenario: A payment is booked
      sources: { payments: {} }       # the trace says `shop.payments`
      steps: [{ expect: { payments: { amount: 45 } } }]
      """,
    right: """
      scenario: A payment is booked
      sources: { payments: { from: shop.payments } }
      steps: [{ expect: { payments: { amount: 45 } } }]
      """,
    files: [
      .init(
        "a.trace.jsonl",
        """
        {"trace":1,"by":"shop 4.2"}
        {"us":0,"source":"shop.payments","value":{"amount":45}}
        """)
    ]),
  DiagnosticPage(
    id: "trace-incomplete", title: "A trace without the end of a complete one",
    text: """
      `complete` says when a trace of another program has everything that happened: after an \
      event that matches `when`, and after no source has emitted anything for `quiet`. If the \
      trace ends before that, nobody knows what came after it. A last line of kind `verdict` \
      makes a trace complete as well.
      """,
    wrong: """
      scenario: A shop that is closed
      sources: { shop: {} }
      complete: { when: { shop: closed } }
      steps:
        - expect: { shop: open }
      """,
    right: """
      scenario: A shop that is closed
      sources: { shop: {} }
      complete: { when: { shop: open }, quiet: 10s }
      steps:
        - expect: { shop: open }
      """,
    files: [
      .init(
        "a.trace.jsonl",
        """
        {"trace":1,"by":"shop 4.2"}
        {"us":0,"source":"shop","value":"open"}
        {"us":20000000,"source":"page","value":"closed"}
        """)
    ]),
  DiagnosticPage(
    id: "trace-too-short", title: "The trace ends before a time is over",
    text: """
      `never … for: 1m` needs the trace to go on for a minute, and so does a \
      `leadsTo … within: 1m` that was not answered: what came after its end is not known. A \
      trace that holds its run to the end has a last line of kind `verdict`; nothing came after \
      that. So a `never` holds, and an event that was not answered fails (`invariant-unanswered`). \
      Of the log of a program that still runs, `judge --until=-1m` judges each `leadsTo` that \
      began more than a minute before the end, and counts the others as open.
      """,
    wrong: """
      scenario: Nothing is paid twice
      sources: { payments: {} }
      steps:
        - expect: { payments: { amount: 45 } }
        - never: [payments]
          for: 1h                     # the trace ends after 20 seconds
      """,
    right: """
      scenario: Nothing is paid twice
      sources: { payments: {} }
      steps:
        - expect: { payments: { amount: 45 } }
        - never: [payments]
          for: 10s
      """,
    files: [
      .init(
        "a.trace.jsonl",
        """
        {"trace":1,"by":"shop 4.2"}
        {"us":0,"source":"payments","value":{"amount":45}}
        {"us":20000000,"source":"page","value":"closed"}
        """)
    ]),
  DiagnosticPage(
    id: "unaccounted-events", title: "Events of a watched source were never expected",
    text: """
      A source that an `expect` has named is watched from the beginning of the run to the last \
      step: each of its events must be accounted for. Expect the other events, pass over them \
      with `skip`, or stop watching the source with `ignore`.
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
