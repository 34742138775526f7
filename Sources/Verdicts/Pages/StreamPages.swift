import Diagnostics

/// The pages of `rehearse explain` about streams, diagrams and invariants.
let streamPages: [DiagnosticPage] = [
  DiagnosticPage(
    id: "stream-ended", title: "A stream has ended, and more is awaited of it",
    text: """
      A stream that has completed or failed emits nothing any more, so that an event which is \
      still awaited of it can never come; the scenario fails at once instead of waiting. A failure \
      is an event, `{ error: … }`. Completion needs no accounting, and can be expected by the \
      word `completed`.
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
      A diagram says exactly which events a source emits, and when: each character is one tick, \
      the first of them is the last acting step before it. Between the events, and up to the last \
      tick, there is silence; a completion that is not drawn as `|` breaks it as well. Events \
      after the last tick are left for later expectations. The report draws what was expected and \
      what came below each other, up to the first difference.
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
      `subscriptions` lists one diagram for each time a stream is subscribed to, in order: `^` \
      where it begins, `!` where it is left, no `!` where it lasts. There are to be exactly these \
      since the last acting step; an empty list says that there is none.
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
      The condition of `always` is true, and that of `never` false, whenever a change is complete: \
      from when the stage is set until the steps have ended. The first time it is not ends the \
      scenario; the report shows the value of every name the condition looked at, and what led \
      there.
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
    id: "invariant-unanswered", title: "An event was not followed by what it leads to",
    text: """
      `leadsTo` says that each event like those of `when` is followed by one like those of `then`: \
      with `within` in that time, else before the steps end. One answer is enough for all that \
      came before it. What the steps do not wait for has not happened when they end.
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
