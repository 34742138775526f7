import Diagnostics

/// The pages of `rehearse explain` about invariants.
let invariantPages: [DiagnosticPage] = [
  DiagnosticPage(
    id: "invariant-broken", title: "An invariant does not hold",
    text: """
      The condition of `always` must be true, and that of `never` false, after each complete \
      change, from the time when the stage is built until the steps have ended. The first \
      violation ends the scenario. The report shows the value of every name in the condition, \
      and the events that led to the change.
      """,
    wrong: """
      scenario: A counter with a bound
      graph: { count: 0 }
      invariants:
        - always: count < 3
      steps:
        - set: { count: 3 }
      """,
    right: """
      scenario: A counter with a bound
      graph: { count: 0 }
      invariants:
        - always: count <= 3
      steps:
        - set: { count: 3 }
      """),
  DiagnosticPage(
    id: "invariant-unanswered", title: "An event was not followed by the event it must lead to",
    text: """
      `leadsTo` requires that each event that matches `when` is followed by one that matches \
      `then`: with `within` in that time, otherwise before the steps end. One answer is enough \
      for all events before it. Events that come after the last step are not considered. The \
      end of a trace that is complete ends the time as well.
      """,
    wrong: """
      scenario: A job ends
      reactors:
        jobs:
          state: { job: none }
          actions:
            start: [{ set: { job: started } }, { wait: 2s }, { set: { job: done } }]
      invariants:
        - leadsTo: { when: { jobs.job: started }, then: { jobs.job: done } }
      steps:
        - send: jobs.start
      """,
    right: """
      scenario: A job ends
      reactors:
        jobs:
          state: { job: none }
          actions:
            start: [{ set: { job: started } }, { wait: 2s }, { set: { job: done } }]
      invariants:
        - leadsTo: { when: { jobs.job: started }, then: { jobs.job: done } }
      steps:
        - send: jobs.start
        - wait: 2s
      """),
  DiagnosticPage(
    id: "invariant-not-preceded", title: "An event came without one that must come before it",
    text: """
      `precededBy` requires that before each event that matches `when`, one that matches `once` \
      has come: at any time since the start, or `within` the time before it. If `when` captures \
      a value with `$as`, only an event with this value counts. `never before` means that none \
      came at all; otherwise the report shows the last one, and by how much it came too early.
      """,
    wrong: """
      scenario: Nothing is shipped that is not paid
      graph: { paid: none, shipped: none }
      invariants:
        - precededBy: { when: { shipped: { $as: order } }, once: { paid: "${order}" } }
      steps:
        - set: { paid: first }
        - set: { shipped: second }
      """,
    right: """
      scenario: Nothing is shipped that is not paid
      graph: { paid: none, shipped: none }
      invariants:
        - precededBy: { when: { shipped: { $as: order } }, once: { paid: "${order}" } }
      steps:
        - set: { paid: first }
        - set: { shipped: first }
      """),
  DiagnosticPage(
    id: "invariant-interrupted", title: "Something that must not happen between two events",
    text: """
      `between` begins with an event that matches `when` and ends with one that matches `until`, \
      or with the steps. In this time no event may match `never`, and the condition of `always` \
      must be true after each change. The two events themselves are not part of it. The report \
      shows the event with which the time began, and the one that broke the rule.
      """,
    wrong: """
      scenario: A bridge stays down while its gate is open
      graph: { gate: closed, floor: 0 }
      invariants:
        - between: { when: { gate: open }, until: { gate: closed }, never: { floor: 1 } }
      steps:
        - set: { gate: open }
        - set: { floor: 1 }
      """,
    right: """
      scenario: A bridge stays down while its gate is open
      graph: { gate: closed, floor: 0 }
      invariants:
        - between: { when: { gate: open }, until: { gate: closed }, never: { floor: 1 } }
      steps:
        - set: { gate: open }
        - set: { gate: closed }
        - set: { floor: 1 }
      """),
  DiagnosticPage(
    id: "invariant-changed", title: "A value changed that must stay",
    text: """
      `unchanged` requires that the value of `of` is the same after each change, from the change \
      with which the condition of `while` becomes true until the one with which it becomes \
      false. With `when`, the events that match it are compared with each other instead: `value` \
      is the event, and events that capture other values with `$as` are compared apart.
      """,
    wrong: """
      scenario: The total stays while it is paid
      graph: { total: 20, isPaying: false }
      invariants:
        - unchanged: { of: total, while: isPaying }
      steps:
        - set: { isPaying: true }
        - set: { total: 25 }
      """,
    right: """
      scenario: The total stays while it is paid
      graph: { total: 20, isPaying: false }
      invariants:
        - unchanged: { of: total, while: isPaying }
      steps:
        - set: { isPaying: true }
        - set: { isPaying: false }
        - set: { total: 25 }
      """),
  DiagnosticPage(
    id: "invariant-count", title: "Too many or too few events in a time",
    text: """
      `count` counts the events that match `when`, apart for each value that `$as` captures. \
      `atMost` bounds how many may come in any time as long as `per`; two events that lie exactly \
      so far apart are not in one such time. Without `per` it bounds those of the whole run. \
      `atLeast` says how many more must come in this time after each of them. A time that \
      reaches beyond the end is not judged.
      """,
    wrong: """
      scenario: Logins are limited
      graph: { login: none }
      invariants:
        - count: { when: { login: { $as: user } }, per: 1m, atMost: 1 }
      steps:
        - set: { login: ann }
        - set: { login: bob }
        - set: { login: ann }
      """,
    right: """
      scenario: Logins are limited
      graph: { login: none }
      invariants:
        - count: { when: { login: { $as: user } }, per: 1m, atMost: 1 }
      steps:
        - set: { login: ann }
        - set: { login: bob }
        - wait: 1m
        - set: { login: ann }
      """),
]
