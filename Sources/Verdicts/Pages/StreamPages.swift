import Diagnostics

/// The pages of `rehearse explain` about streams and diagrams.
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
      draws the expected and the actual events below each other: in virtual time up to the end \
      of the diagram, else up to the first difference.
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
]
