/// The reports of failures of streams, diagrams and invariants, to the letter.
let goldenStreamReports: [GoldenReport] = [
  GoldenReport(
    name: "marble late", run: FailingRuns.marbleLate,
    page: """
      error[marble]: the events of `results` are not as in the diagram
       --> made.yaml:5:31
        |
      5 |       results: { marble: "--a-b|", tick: 10ms, values: { a: 1, b: 2 } }
        |                               ^ `b` is due at 40ms
        |                                 expected  --a-b|
        |                                 actual    --a---b
        |                                               ^
        |                                 at 40ms   nothing; `b` came at 60ms, 20ms too late \
      (event 2)
        = rerun  rehearse run made.yaml

      """),
  GoldenReport(
    name: "marble behind a group", run: FailingRuns.marbleBehindGroup,
    page: """
      error[marble]: the events of `results` are not as in the diagram
       --> made.yaml:5:32
        |
      5 |       results: { marble: "-(ab)c", tick: 10ms }
        |                                ^ `c` is due at 20ms
        |                                  expected  -(ab)c
        |                                  actual    -(ab)---c
        |                                                 ^
        |                                  at 20ms   nothing; `c` came at 50ms, 30ms too late \
      (event 3)
        = rerun  rehearse run made.yaml
        = help   a group takes one tick, not one for each character: what follows `(ab)` comes one \
      tick after it

      """),
  GoldenReport(
    name: "marble missing", run: FailingRuns.marbleMissing,
    page: """
      error[marble]: the events of `results` are not as in the diagram
       --> made.yaml:5:31
        |
      5 |       results: { marble: "--a-b|", tick: 10ms, values: { a: 1, b: 2 } }
        |                               ^ `b` is due at 1.04s (1s + 40ms)
        |                                 expected  --a-b|
        |                                 actual    --a--
        |                                               ^
        |                                 at 1.04s  nothing
        = rerun  rehearse run made.yaml

      """),
  GoldenReport(
    name: "marble differs", run: FailingRuns.marbleDiffers,
    page: """
      error[marble]: the events of `results` are not as in the diagram
       --> made.yaml:5:31
        |
      5 |       results: { marble: "--a-b|", tick: 10ms, values: { a: 1, b: { id: 2, venue: "a \
      long name…
        |                                                                         - `.id` is 7
        |                               ^ `b` is due at 40ms
        |   expected    --a-b|
        |   actual      --a-x
        |                   ^
        |   expected b  { id: 2, venue: "a long name of a venue in the old town", more: true }
        |   actual x    { id: 7, venue: "a long name of a venue in the old town", more: true }   \
      event 3, at 40ms
        = cause  event 3 ← send at 0ms (line 3)
        = rerun  rehearse run made.yaml

      """),
  GoldenReport(
    name: "marble off tick", run: FailingRuns.marbleOffTick,
    page: """
      error[marble]: the events of `results` are not as in the diagram
       --> made.yaml:5:30
        |
      5 |       results: { marble: "--a-b|", tick: 10ms }
        |                              ^ nothing is due at 35ms
        |                              expected  --a- b |
        |                              actual    --a-b-|
        |                                            ^
        |                              at 35ms   `b` came (event 3), between ticks 3 and 4, 5ms \
      too early
        |                              then      what follows came 5ms too early as well
        = blank  a space takes no time: it makes room for what came between two ticks
        = rerun  rehearse run made.yaml

      """),
  GoldenReport(
    name: "marble early", run: FailingRuns.marbleEarly,
    page: """
      error[marble]: the events of `results` are not as in the diagram
       --> made.yaml:5:30
        |
      5 |       results: { marble: "--a-b|", tick: 10ms }
        |                              ^ nothing is due at 530ms (500ms + 30ms)
        |                                expected  --a-b|
        |                                actual    --ab|
        |                                             ^
        |                                at 530ms  `b` came (event 3), 10ms too early
        |                                then      what follows came 10ms too early as well
        = rerun  rehearse run made.yaml

      """),
  GoldenReport(
    name: "marble before", run: FailingRuns.marbleBefore,
    page: """
      error[marble]: the events of `results` are not as in the diagram
       --> made.yaml:5:27
        |
      5 |       results: { marble: "--a", tick: 10ms, values: { a: { id: 8 } } }
        |                           ^ nothing is due at 5ms
        |                             expected    --a
        |                             actual    x -
        |                                       ^
        |                             at 5ms    `x` came (event 0), before the first tick at 10ms
        = where  x = { id: 7 }
        = rerun  rehearse run made.yaml

      """),
  GoldenReport(
    name: "marble group", run: FailingRuns.marbleGroup,
    page: """
      error[marble]: the events of `results` are not as in the diagram
       --> made.yaml:5:31
        |
      5 |       results: { marble: "-a(bc)-d", tick: 10ms }
        |                               ^ `c` is due at 20ms
        |                                 expected    -a(bc) -d
        |                                 actual      -a(bdc)
        |                                                 ^
        |                                 expected c  c
        |                                 actual d    d   event 4, at 20ms
        = rerun  rehearse run made.yaml

      """),
  GoldenReport(
    name: "marble ended", run: FailingRuns.marbleEnded,
    page: """
      error[marble]: the events of `results` are not as in the diagram
       --> made.yaml:5:29
        |
      5 |       results: { marble: "-a-b|", tick: 10ms }
        |                             ^ nothing is due at 20ms
        |                               expected  -a-b|
        |                               actual    -a|
        |                                           ^
        |                               at 20ms   the stream completed (event 3)
        = rerun  rehearse run made.yaml

      """),
  GoldenReport(
    name: "marble failed", run: FailingRuns.marbleFailed,
    page: """
      error[marble]: the events of `results` are not as in the diagram
       --> made.yaml:5:29
        |
      5 |       results: { marble: "-a|", tick: 10ms }
        |                             ^ completion is due at 20ms
        |                               expected  -a|
        |                               actual    -a#
        |                                           ^
        |                               at 20ms   the stream failed with { status: 503 } (event 3)
        = rerun  rehearse run made.yaml

      """),
  GoldenReport(
    name: "marble other error", run: FailingRuns.marbleOtherError,
    page: """
      error[marble]: the events of `results` are not as in the diagram
       --> made.yaml:5:28
        |
      5 |       results: { marble: "-#", tick: 10ms, error: { status: 404 } }
        |                                                             --- `.status` is 503
        |                            ^ the failure is due at 10ms
        |                              expected    -#
        |                              actual      -#
        |                                           ^
        |                              expected #  { status: 404 }
        |                              actual #    { status: 503 }   event 2, at 10ms
        = rerun  rehearse run made.yaml

      """),
  GoldenReport(
    name: "marble long", run: FailingRuns.marbleLong,
    page: """
      error[marble]: the events of `results` are not as in the diagram
       --> made.yaml:5:127
        |
      5 | \
      …-------------------------------b---------------------------------------------------\
      ----------…
        |                                 ^ `b` is due at 1s
        |                                   expected    a 990ms b 990ms c
        |                                   actual      a 990ms x
        |                                                       ^
        |                                   expected b  b
        |                                   actual x    41   event 3, at 1s
        = rerun  rehearse run made.yaml

      """),
  GoldenReport(
    name: "subscription times", run: FailingRuns.subscriptionTimes,
    page: """
      error[marble-subscriptions]: `results` was not subscribed to as in the diagrams
       --> made.yaml:5:54
        |
      5 |       results: { tick: 10ms, subscriptions: ["^--!", "---^--!"] }
        |                                                      ^^^^^^^^^
        |                                                      expected  ---^--!
        |                                                      actual    ---^-!-
        |                                                                     ^
        |                                                      second    subscribed at 30ms, left \
      at 50ms
        = rerun  rehearse run made.yaml

      """),
  GoldenReport(
    name: "subscription count", run: FailingRuns.subscriptionCount,
    page: """
      error[marble-subscriptions]: `results` was not subscribed to as in the diagrams
       --> made.yaml:5:7
        |
      5 |       results: { tick: 10ms, subscriptions: ["^---!"] }
        |       ^^^^^^^
        |         expected  -----
        |         actual    --^--
        |                     ^
        |         count     2, where 1 expected
        |         second    subscribed at 20ms, not left until 40ms
        = rerun  rehearse run made.yaml

      """),
  GoldenReport(
    name: "no subscription", run: FailingRuns.noSubscription,
    page: """
      error[marble-subscriptions]: `results` was not subscribed to as in the diagrams
       --> made.yaml:5:46
        |
      5 |       results: { tick: 10ms, subscriptions: ["^---!"] }
        |                                              ^^^^^^^
        |                                                expected  ^---!
        |                                                actual    -----
        |                                                          ^
        |                                                count     0, where 1 expected
        |                                                first     not subscribed until 40ms
        = rerun  rehearse run made.yaml

      """),
  GoldenReport(
    name: "stream ended", run: FailingRuns.streamEnded,
    page: """
      error[stream-ended]: `results` has completed, and another event of it is still awaited
       --> made.yaml:7:7
        |
      7 |       results: 3
        |       ^^^^^^^
        |         actual    completed   event 5, at 15ms
        |         expected  3
        = cause  event 5 ← results 2 at 15ms ← send at 0ms (line 3)
        = rerun  rehearse run made.yaml
        = help   a stream that has completed emits no more events

      """),
  GoldenReport(
    name: "stream failed", run: FailingRuns.streamFailed,
    page: """
      error[stream-ended]: `results` has failed, and another event of it is still awaited
       --> made.yaml:5:9
        |
      5 |       - results: 2
        |         ^^^^^^^ second of 3 in this `expect`
        |           actual    { error: { status: 503 } }   event 1, at 20ms
        |           expected  2
        = rerun  rehearse run made.yaml
        = help   a stream that has failed emits no more events

      """),
  GoldenReport(
    name: "always", run: FailingRuns.always,
    page: """
      error[invariant-broken]: the condition of `always` is false at 40ms
       --> made.yaml:3:13
        |
      3 |   - always: count <= limit
        |             ^^^^^^^^^^^^^^ is false
        |               count  4
        |               limit  3
        |               event  count 4   event 1, at 40ms
        = cause  count 4 at 40ms ← set at 0ms (line 4)
        = rerun  rehearse run made.yaml

      """),
  GoldenReport(
    name: "never holds", run: FailingRuns.neverHolds,
    page: """
      error[invariant-broken]: the condition of `never` is true at 0ms
       --> made.yaml:3:12
        |
      3 |   - never: count == 4
        |            ^^^^^^^^^^ is true
        |              count  4
        |              event  count 4   event 2, at 0ms
        = unaccounted  count 4   event 2, at 0ms
        = rerun        rehearse run made.yaml

      """),
  GoldenReport(
    name: "unanswered", run: FailingRuns.unanswered,
    page: """
      error[invariant-unanswered]: an event was not followed by the event it must lead to within \
      30ms
       --> made.yaml:3:5
        |
      3 |   - leadsTo: { when: { asked: start }, then: { answered: { $regex: ^done } } }
        |     ^^^^^^^
        |       event    asked start   event 1, at 10ms
        |       awaited  answered { $regex: "^done" }
        |       until    40ms
        = cause  event 1 ← send at 0ms (line 4)
        = rerun  rehearse run made.yaml

      """),
  GoldenReport(
    name: "unanswered at the end", run: FailingRuns.unansweredAtTheEnd,
    page: """
      error[invariant-unanswered]: an event was not followed by the event it must lead to
       --> made.yaml:3:5
        |
      3 |   - leadsTo: { when: { asked: start }, then: { answered: done, asked: error } }
        |     ^^^^^^^
        |       event    asked start   event 0, at 10ms
        |       awaited  answered done
        |                asked error
        |       until    20ms, when the steps ended
        = rerun  rehearse run made.yaml

      """),
]
