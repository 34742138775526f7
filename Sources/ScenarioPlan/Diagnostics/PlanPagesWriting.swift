import Diagnostics

/// Writes, messages and loads that cannot be carried out.
let planWritingPages: [DiagnosticPage] = [
  DiagnosticPage(
    id: "text-like-expression", title: "Text that reads like an expression",
    text: """
      A value is literal. Only `${…}` puts an expression into it. If the text itself is meant, keep
      it as an expression of text, such as `"${'count + 1'}"`.
      """,
    wrong: """
      scenario: A counter
      graph: { count: 0, text: none }
      steps:
        - set: { text: count + 1 }
        - check: text != 'none'
      """,
    right: """
      scenario: A counter
      graph: { count: 0, next: 0 }
      steps:
        - set: { next: "${count + 1}" }
        - check: next == 1
      """),
  DiagnosticPage(
    id: "sets-computed", title: "A write to a computed node",
    text: """
      The rule of a computed node determines its value. To change it, change a stored node that
      the rule reads.
      """,
    wrong: """
      scenario: A price
      graph:
        net: 100
        gross: { computed: net * 2 }
      steps:
        - set: { gross: 300 }
        - expect: { gross: 300 }
      """,
    right: """
      scenario: A price
      graph:
        net: 100
        gross: { computed: net * 2 }
      steps:
        - set: { net: 150 }
        - expect: { gross: 300 }
      """),
  DiagnosticPage(
    id: "sets-stream", title: "A write to a stream",
    text: """
      `set` writes nodes and fields. A subject takes values by `send`, and other streams have the
      values of what they are made of.
      """,
    wrong: """
      scenario: A price
      streams: { prices: subject }
      steps:
        - set: { prices: 41 }
        - expect: { prices: 41 }
      """,
    right: """
      scenario: A price
      streams: { prices: subject }
      steps:
        - send: { prices: 41 }
        - expect: { prices: 41 }
      """),
  DiagnosticPage(
    id: "let-in-loop", title: "A name that a loop makes again",
    text: """
      A name of `let` is for the steps after it in the same script. In a loop, each turn makes it
      again, and the condition of `while` reads the name outside. A node keeps a value from turn to
      turn.
      """,
    wrong: """
      scenario: Pages are counted
      steps:
        - let: { page: 1 }
        - while: page < 3
          steps:
            - let: { page: page + 1 }
        - check: page == 3
      """,
    right: """
      scenario: Pages are counted
      graph: { page: 1 }
      steps:
        - while: page < 3
          steps:
            - set: { page: "${page + 1}" }
        - check: page == 3
      """),
  DiagnosticPage(
    id: "emits-subject", title: "An event with the name of a subject",
    text: """
      `emit` makes a named event of its reactor. A subject of the same name gets nothing. A value
      for the subject is sent.
      """,
    wrong: """
      scenario: A price
      streams: { prices: subject }
      reactors: { shop: { actions: { open: [{ emit: { prices: 41 } }] } } }
      steps:
        - send: shop.open
        - expect: { shop.events: prices }
      """,
    right: """
      scenario: A price
      streams: { prices: subject }
      reactors: { shop: { actions: { open: [{ send: { prices: 41 } }] } } }
      steps:
        - send: shop.open
        - expect: { prices: 41 }
      """),
  DiagnosticPage(
    id: "field-not-bound", title: "A write to a field from outside its reactor",
    text: """
      Only a reactor's own actions write its fields. A binding opens a field to others: a write
      to it sends the named action with the new value as its payload, and the action decides
      what to store.
      """,
    wrong: """
      scenario: A search
      reactors:
        list:
          state: { words: "" }
          actions:
            search: [{ set: { words: "${payload}" } }]
      steps:
        - set: { list.words: milk }
        - expect: { list.words: milk }
      """,
    right: """
      scenario: A search
      reactors:
        list:
          state: { words: "" }
          bindings: { words: search }
          actions:
            search: [{ set: { words: "${payload}" } }]
      steps:
        - set: { list.words: milk }
        - expect: { list.words: milk }
      """),
  DiagnosticPage(
    id: "missing-parameters", title: "A message or a load that leaves a parameter out",
    text: """
      An action or a provider that lists `params` needs a value for each of them. An action with
      a single parameter also takes its value directly (`counter.add: 5`); several values are
      sent as a map. A `load` gives values to its provider under `with`.
      """,
    wrong: """
      scenario: A counter
      reactors:
        counter:
          state: { total: 0 }
          actions:
            add:
              params: [amount, times]
              steps: [{ set: { total: "${total + amount * times}" } }]
      steps:
        - send: { counter.add: { amount: 5 } }
        - expect: { counter.total: 10 }
      """,
    right: """
      scenario: A counter
      reactors:
        counter:
          state: { total: 0 }
          actions:
            add:
              params: [amount, times]
              steps: [{ set: { total: "${total + amount * times}" } }]
      steps:
        - send: { counter.add: { amount: 5, times: 2 } }
        - expect: { counter.total: 10 }
      """),
  DiagnosticPage(
    id: "expected-by-two-branches", title: "A source that two branches expect events of",
    text: """
      The branches of a `parallel` run side by side, and an event is accounted for once. If two
      branches expected events of one source, Rehearsal could not know which branch an event is
      for. So only one branch may expect events of a source.
      """,
    wrong: """
      scenario: A counter
      graph: { count: 0 }
      steps:
        - parallel:
            - [{ set: { count: 1 } }, { expect: { count: 1 } }]
            - [{ wait: 1s }, { set: { count: 2 } }, { expect: { count: 2 } }]
      """,
    right: """
      scenario: A counter
      graph: { count: 0 }
      steps:
        - parallel:
            - [{ set: { count: 1 } }]
            - [{ wait: 1s }, { set: { count: 2 } }]
        - expect: { count: [1, 2] }
      """),
]
