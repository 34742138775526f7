import Diagnostics

/// What `rehearse explain` tells about failures of streams, diagrams and invariants.
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
      - expect: { numbers: [1, 2, 3] }    # it completes after 2
      """,
    right: """
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
      - expect:
          typed: { marble: "--a-b|", tick: 10ms }   # `b` comes after 60ms
      """,
    right: """
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
      - expect:
          source: { subscriptions: ["^---!"] }      # it is subscribed to again after the error
      """,
    right: """
      - expect:
          source: { subscriptions: ["^---!", "----^-!"] }
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
      invariants:
        - always: count < 3
      steps:
        - set: { count: 3 }
      """,
    right: """
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
      invariants:
        - leadsTo: { when: { job: started }, then: { job: done } }
      steps:
        - send: job.start                           # done after 2s
      """,
    right: """
      invariants:
        - leadsTo: { when: { job: started }, then: { job: done } }
      steps:
        - send: job.start
        - wait: 2s
      """),
]
