import Diagnostics

/// Names that stand for nothing, or for the wrong thing.
let planNamePages: [DiagnosticPage] = [
  DiagnosticPage(
    id: "unknown-name", title: "A name that nothing has",
    text: """
      Names of nodes, fields, actions, sources, variables and captures are looked up when the
      file is loaded, in steps and in expressions, so a typo never reaches the run. A capture is
      known to the steps after the one that captures it, a variable to the variables after it.
      Variables are evaluated before the stage is built and cannot name it.
      """,
    wrong: """
      scenario: A counter
      graph: { count: 0 }
      steps:
        - set: { coutn: 1 }
        - expect: { count: 1 }
      """,
    right: """
      scenario: A counter
      graph: { count: 0 }
      steps:
        - set: { count: 1 }
        - expect: { count: 1 }
      """),
  DiagnosticPage(
    id: "reactor-is-no-source", title: "A reactor where a source is expected",
    text: """
      A reactor is not a source. Its events come from its fields, which are sources
      (`counter.total`), and from what its actions `emit`, which is the source `counter.events`.
      """,
    wrong: """
      scenario: A counter
      reactors:
        counter:
          state: { total: 0 }
          actions:
            add: [{ set: { total: "${total + 1}" } }]
      steps:
        - send: counter.add
        - expect: { counter: 1 }
      """,
    right: """
      scenario: A counter
      reactors:
        counter:
          state: { total: 0 }
          actions:
            add: [{ set: { total: "${total + 1}" } }]
      steps:
        - send: counter.add
        - expect: { counter.total: 1 }
      """),
  DiagnosticPage(
    id: "unset-environment", title: "A variable of the environment that is not set",
    text: """
      `env.NAME` is a variable of the process environment, or of a file given with `--env-file`.
      If a scenario can do without it, `env.?NAME.orValue('…')` gives a default.
      """,
    wrong: """
      scenario: A greeting
      vars: { guest: "${env.REHEARSAL_GUEST}" }
      steps:
        - check: guest != ''
      """,
    right: """
      scenario: A greeting
      vars: { guest: "${env.?REHEARSAL_GUEST.orValue('Ann')}" }
      steps:
        - check: guest != ''
      """),
  DiagnosticPage(
    id: "short-secret", title: "A secret that is too short to be hidden",
    text: """
      The values of secret variables and columns are replaced by `***` in all reports. One to three
      characters occur in many other words, and a reader of the rest can guess them. Such a secret
      is masked only where it stands alone, as a whole value or a whole word.
      """,
    wrong: """
      scenario: A login
      vars: { pin: { value: "12", secret: true } }
      steps:
        - check: pin != ''
      """,
    right: """
      scenario: A login
      vars: { pin: { value: "120498", secret: true } }
      steps:
        - check: pin != ''
      """),
  DiagnosticPage(
    id: "condition-in-example", title: "A condition of an example that depends on the run",
    text: """
      A real endpoint is compared with `$match` of an example when its answer comes. What else
      holds at that time is not part of the comparison, so that `$where` there reads `value` and
      its parts alone.
      """,
    wrong: """
      scenario: A price
      graph: { least: 3 }
      endpoints:
        shop:
          http:
            - get: /price
              respond: { json: { $example: 7, $match: { $where: value > least } } }
      steps:
        - request: { endpoint: shop, get: /price, expect: { json: 7 } }
      """,
    right: """
      scenario: A price
      endpoints:
        shop:
          http:
            - get: /price
              respond: { json: { $example: 7, $match: { $where: value > 3 } } }
      steps:
        - request: { endpoint: shop, get: /price, expect: { json: 7 } }
      """),
  DiagnosticPage(
    id: "capture-hides-stage", title: "A capture with a name that is taken",
    text: """
      Expressions use the name of a capture (`$as`) like any other name. If it could be the name
      of something on the stage, that name would have one meaning before the step and another
      after it. `events` is on every stage: it stands for all named events of a run.
      """,
    wrong: """
      scenario: A counter
      graph: { count: 0 }
      steps:
        - set: { count: 1 }
        - expect: { count: { $as: events } }
      """,
    right: """
      scenario: A counter
      graph: { count: 0 }
      steps:
        - set: { count: 1 }
        - expect: { count: { $as: seen } }
        - check: seen == 1
      """),
  DiagnosticPage(
    id: "captured-in-part", title: "A captured value that is only a part of what is compared",
    text: """
      An invariant with `precededBy` finds the event before another by what `when` captured with
      `$as`: it keeps the captured values of events, not the events. So `once` may compare such a
      value only as a whole, in an entry of a map or of a list.
      """,
    wrong: """
      scenario: What is shipped was paid
      graph: { paid: none, shipped: none }
      invariants:
        - precededBy: { when: { shipped: { $as: order } }, once: { paid: "order ${order}" } }
      steps:
        - check: paid == 'none'
      """,
    right: """
      scenario: What is shipped was paid
      graph: { paid: none, shipped: none }
      invariants:
        - precededBy: { when: { shipped: { $as: order } }, once: { paid: "${order}" } }
      steps:
        - check: paid == 'none'
      """),
  DiagnosticPage(
    id: "too-many-connections", title: "More connections than a run can have",
    text: """
      A run has at most 20,000 connections between clients and endpoints at once. A scenario that
      declares more, with those of its components, cannot open all of them, so it is refused when
      its file is loaded. One connection may be closed and opened again any number of times.
      """,
    wrong: """
      scenario: More and more
      endpoints: { feed: { sse: [{ accept: {}, script: [{ wait: forever }] }] } }
      connections:
        news1: { sse: { endpoint: feed, path: / } }
        # … up to
        news20001: { sse: { endpoint: feed, path: / } }
      steps: [{ connect: [news1, news20001] }]
      """,
    right: """
      scenario: One connection, opened again and again
      endpoints: { feed: { sse: [{ accept: {}, script: [{ event: one }, { wait: forever }] }] } }
      connections: { news: { sse: { endpoint: feed, path: / } } }
      steps:
        - ignore: [feed, news, news.state]
        - repeat: 3
          steps: [{ connect: news }, { disconnect: news }]
      """),
]
