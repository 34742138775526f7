import Diagnostics

/// Names that stand for nothing, or for the wrong thing.
let planNamePages: [DiagnosticPage] = [
  DiagnosticPage(
    id: "unknown-name", title: "A name that nothing has",
    text: """
      Names of nodes, fields, actions, sources, variables and captures are looked up when the
      file is loaded, in steps as well as in expressions, so a typo never reaches the run. A
      capture is known to the steps after the one that captures it, a variable to the variables
      after it. Variables are worked out before the stage is set and cannot name it.
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
      Events come from a reactor's fields, each a source of its own (`counter.total`), and from
      what its actions `emit`, which is gathered under `counter.events`.
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
      Where a scenario can do without it, `env.?NAME.orValue('…')` has something instead.
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
    id: "capture-hides-stage", title: "A capture with a name that is taken",
    text: """
      What `$as` captures is named in expressions like everything else. If it could hide a thing
      of the stage, the same name would mean one thing before the step and another after it.
      `events` is on every stage: it stands for all named events of a run.
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
]
