import Diagnostics

/// The pages of `rehearse explain` about streams, diagrams and invariants.
let streamPages: [DiagnosticPage] = [
  DiagnosticPage(
    id: "stream-ended", title: "A stream has ended, and more is awaited of it",
    text: """
      A stream that has completed or failed emits no more events, so an event that is still \
      expected can never come. The scenario fails at once instead of waiting. A failure is an \
      event, `{ error: … }`. Completion need not be accounted for, and can be expected with \
      the word `completed`.
      """,
    wrong: """
      scenario: Two numbers
      streams: { numbers: { items: [1, 2] } }
      steps:
        - expect: { numbers: [1, 2, 3] }    # it completes after 2
      """,
    right: """
      scenario: Two numbers
      streams: { numbers: { items: [1, 2] } }
      steps:
        - expect: { numbers: [1, 2, completed] }
      """),
  DiagnosticPage(
    id: "marble", title: "Events are not as in their diagram",
    text: """
      A diagram describes exactly which events a source emits, and when: each character is one \
      tick, and the first one is the last acting step before it. Between the events, and up to \
      the last tick, no other event may come; a completion that is not drawn as `|` is a \
      difference too. Events after the last tick are left for later expectations. The report \
      draws the expected and the actual events below each other, up to the first difference.
      """,
    wrong: """
      scenario: Two letters are typed
      streams: { typed: { marble: "--a---b|", tick: 10ms } }
      steps:
        - expect:
            typed: { marble: "--a-b|", tick: 10ms }   # `b` comes after 60ms
      """,
    right: """
      scenario: Two letters are typed
      streams: { typed: { marble: "--a---b|", tick: 10ms } }
      steps:
        - expect:
            typed: { marble: "--a---b|", tick: 10ms }
      """),
  DiagnosticPage(
    id: "marble-subscriptions", title: "Subscriptions are not as in their diagrams",
    text: """
      `subscriptions` lists one diagram for each subscription to the stream, in order: `^` \
      where it begins, `!` where it ends, no `!` if it does not end. There must be exactly \
      these subscriptions since the last acting step; an empty list expects none.
      """,
    wrong: """
      scenario: A stream that fails is tried again
      streams:
        shaky: { marble: "-a-#", tick: 10ms }
        stubborn: { from: shaky, through: [{ retry: 1 }] }
      steps:
        - expect:
            shaky: { tick: 10ms, subscriptions: ["^--!"] }
            stubborn: { marble: "-a--a-#", tick: 10ms }
      """,
    right: """
      scenario: A stream that fails is tried again
      streams:
        shaky: { marble: "-a-#", tick: 10ms }
        stubborn: { from: shaky, through: [{ retry: 1 }] }
      steps:
        - expect:
            shaky: { tick: 10ms, subscriptions: ["^--!", "---^--!"] }
            stubborn: { marble: "-a--a-#", tick: 10ms }
      """),
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
      for all events before it. Events that come after the last step are not considered.
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
]
