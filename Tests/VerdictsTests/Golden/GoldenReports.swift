/// The reports of failures, to the letter.
let goldenReports: [GoldenReport] = [
  GoldenReport(
    name: "mismatch", run: FailingRuns.mismatch,
    page: """
      error[unexpected-event]: the next event of `chat` is not the one expected
       --> made.yaml:7:24
        |
      7 |       - chat: { delta: "Hello" }
        |         ---- third of 4 in this `expect`, waited 20ms
        |                        ^^^^^^^ `.delta` is hello
        |                          actual    { delta: hello }   event 4, at 40ms
        |                          expected  { delta: "Hello" }
        = timeline  0ms start → 20ms { delta: "H" } → 40ms { delta: hello } ✗
                    → 60ms done (unaccounted)
        = cause     event 4 ← send at 0ms (line 3)
        = rerun     rehearse run made.yaml
        = help      the two differ in upper and lower case only

      """),
  GoldenReport(
    name: "nested", run: FailingRuns.nested,
    page: """
      error[unexpected-event]: the next event of `prices` is not the one expected
       --> made.yaml:4:7
        |
      4 |       prices: { data: { price: 10, currency: "EUR" }, kind: tick }
        |                                -- `.data.price` is text "10", not the number 10
        |       ^^^^^^ waited 2s, in turn 3
        |         actual  2 differences   event 1, at 2s
        |                 .data.price: text "10", not the number 10
        |                 .data.currency: "USD", expected "EUR"
        = rerun  rehearse run made.yaml
        = help   the event holds text; to match it, write it in quotes: "10"

      """),
  GoldenReport(
    name: "length", run: FailingRuns.length,
    page: """
      error[unexpected-event]: the next event of `tasks` is not the one expected
       --> made.yaml:4:7
        |
      4 |       tasks: [1, 2]
        |              ------ one too many at `[2]`: 3 elements, 2 expected
        |       ^^^^^
        |         actual    [1, 2, 3]   event 1, at 0ms
        |         expected  [1, 2]
        = rerun  rehearse run made.yaml

      """),
  GoldenReport(
    name: "skip that never matched", run: FailingRuns.skip,
    page: """
      error[nothing-left]: nothing is left that could happen, and an event of `b` is still awaited
       --> made.yaml:5:9
        |
      5 |       - b: 9
        |         ^ second of 2 in this `expect`, passed over 2 events, waited 10ms
        |           actual    nothing, and nothing is under way at 30ms
        |           expected  9
        = timeline  10ms b 1 → 20ms a 1 → 30ms b 2
        = rerun     rehearse run made.yaml

      """),
  GoldenReport(
    name: "capture never taken", run: FailingRuns.captureNeverTaken,
    page: """
      error[evaluation-failed]: the check gives no value: `taken` was never captured
       --> made.yaml:3:12
        |
      3 |   - check: count == 3 && taken == 1
        |            ^^^^^^^^^^^^^^^^^^^^^^^^
        |              count  3
        = rerun  rehearse run made.yaml

      """),
  GoldenReport(
    name: "out of order", run: FailingRuns.outOfOrder,
    page: """
      error[out-of-order]: an event of `a` came before its turn
       --> made.yaml:5:9
        |
      5 |       - b: 2
        |         ^ second of 3 in this `expect`, waited 10ms
        |           actual    a: 3   event 2, at 20ms
        |           expected  b: 2
        = order     the next event of `a` has its turn as entry 3
        = timeline  10ms a 1 → 20ms a 3 ✗
        = rerun     rehearse run made.yaml
        = help      if the order does not matter, put the entries into `anyOrder` or write a map

      """),
  GoldenReport(
    name: "wrong time", run: FailingRuns.wrongTime,
    page: """
      error[wrong-time]: the event of `a` came 100ms too early
       --> made.yaml:6:9
        |
      6 |       - a: 2
        |         ^ second of 2 in this `expect`, waited 100ms
        |           actual    at 300ms (200ms + 100ms)   event 3
        |           expected  at 400ms (200ms + 200ms)
        = timeline  200ms 1 → 300ms 2 ✗
        = rerun     rehearse run made.yaml

      """),
  GoldenReport(
    name: "too late", run: FailingRuns.tooLate,
    page: """
      error[too-late]: the event of `a` came 50ms too late
       --> made.yaml:4:7
        |
      4 |       a: 1
        |       ^ waited 150ms
        |         actual    at 150ms (0ms + 150ms)   event 1
        |         expected  by 100ms (0ms + 100ms)
        = rerun  rehearse run made.yaml

      """),
  GoldenReport(
    name: "timeout", run: FailingRuns.timeout,
    page: """
      error[not-in-time]: the event of `b` did not come within 5s
       --> made.yaml:5:7
        |
      4 |       a: [1, 2]
        |              - also awaited
      5 |       b: 3
        |       ^ waited 5s
        |         actual    nothing until 5s
        |         expected  3
        = timeline  10ms a 1
        = rerun     rehearse run made.yaml
        = help      `timeout` is 5s by default, and nothing is due before 6s; \
      write `within: 10s` or `timeout: 10s` for more

      """),
  GoldenReport(
    name: "nothing left", run: FailingRuns.nothingLeft,
    page: """
      error[nothing-left]: nothing is left that could happen, and an event of `a` is still awaited
       --> made.yaml:4:14
        |
      4 |       a: [1, 2]
        |              ^ second of 2 of this source
        |                actual    nothing, and nothing is under way at 10ms
        |                expected  2
      5 |       b: 3
        |       - also awaited
        = timeline  10ms a 1
        = rerun     rehearse run made.yaml

      """),
  GoldenReport(
    name: "leftovers", run: FailingRuns.leftovers,
    page: """
      error[unaccounted-events]: 9 events of watched sources were never expected
       --> made.yaml:5:7
        |
      5 |       a: 1
        |       ^ watches `a`
        |         a  2   event 5, at 2ms, after set in turn 2 (line 7)
        |            3   event 6, at 3ms, after set in turn 2 (line 7)
        |            4   event 7, at 4ms, after set in turn 2 (line 7)
        |            5   event 8, at 5ms, after set in turn 2 (line 7)
        |            6   event 9, at 6ms, after set in turn 2 (line 7)
        |            and 3 more
        |         b  2   event 13, at 9ms, after set in turn 2 (line 7)
      6 |       b: 1
        |       - watches `b`
        = rerun  rehearse run made.yaml
        = help   expect them, or stop watching the sources: `ignore: [a, b]`

      """),
  GoldenReport(
    name: "never", run: FailingRuns.never,
    page: """
      error[never-broken]: `a` emitted an event that it must not emit
       --> made.yaml:4:14
        |
      4 |   - never: { a: { $gt: 10 }, }
        |              ^
        |                actual    11   event 1, at 0ms
        |                expected  nothing that matches { $gt: 10 }
        = cause  event 1 ← set at 0ms (line 3)
        = rerun  rehearse run made.yaml

      """),
  GoldenReport(
    name: "check", run: FailingRuns.check,
    page: """
      error[check-failed]: the check does not hold at 0ms
       --> made.yaml:3:12
        |
      3 |   - check: count == 2 || total == 'two'
        |            ^^^^^^^^^^^^^^^^^^^^^^^^^^^^ is false
        |              count  3
        |              total  three
        = rerun  rehearse run made.yaml

      """),
  GoldenReport(
    name: "eventually", run: FailingRuns.eventually,
    page: """
      error[eventually-failed]: the condition did not hold within 100ms
       --> made.yaml:3:17
        |
      3 |   - eventually: count == 2
        |                 ^^^^^^^^^^ is false
        |                   count  3
        = waited  until 100ms
        = rerun   rehearse run made.yaml

      """),
  GoldenReport(
    name: "fails", run: FailingRuns.fails,
    page: """
      error[other-error]: the step under `fails` failed in another way than expected
       --> made.yaml:3:42
        |
      3 |   - fails: { send: x }, error: { status: 503 }
        |                                          ^^^ `.status` is 404
        |                                            actual    { status: 404 }   at 0ms
        |                                            expected  { status: 503 }
        = rerun  rehearse run made.yaml

      """),
  GoldenReport(
    name: "late request", run: FailingRuns.lateRequest,
    page: """
      error[unexpected-event]: the next event of `fact` is not the one expected
       --> made.yaml:6:25
        |
      6 |       - fact: { loaded: "Cats" }
        |         ---- second of 2 in this `expect`, waited 200ms
        |                         ^^^^^^ the value is `error`, not `loaded`
        |                           actual    { error: { status: 503 } }   event 3, at 240ms
        |                           expected  { loaded: "Cats" }
        = timeline  40ms api GET /fact → 240ms fact { error: { status: 503 } } ✗
        = cause     event 3 ← api GET /fact at 40ms ← send at 0ms (line 3)
        = rerun     rehearse run made.yaml

      """),
  GoldenReport(
    name: "secret", run: FailingRuns.secret,
    page: """
      error[unexpected-event]: the next event of `api` is not the one expected
       --> made.yaml:4:19
        |
      4 |       api: { key: none }
        |                   ^^^^ `.key` is "dXNlcjp***4="
        |                   actual    { key: "dXNlcjp***4=", url: "/?t=***", t: "***" }   \
      event 1, at 0ms
        |                   expected  { key: none }
        = rerun  rehearse run made.yaml

      """),
  GoldenReport(
    name: "group", run: FailingRuns.group,
    page: """
      error[unexpected-event]: the next event of `a` is not the one expected
       --> made.yaml:7:9
        |
      7 |       - a: 2
        |         ^ third of 3 in this `expect`, second of 2 times, waited 10ms
        |           actual    3   event 4, at 40ms
        |           expected  2
        = timeline  10ms b 1 → 20ms a 1 → 30ms a 2 → 40ms a 3 ✗
        = rerun     rehearse run made.yaml

      """),
  GoldenReport(
    name: "check error", run: FailingRuns.checkError,
    page: """
      error[evaluation-failed]: the check gives no value: no such key: 'name'; there is 'id'
       --> made.yaml:3:28
        |
      3 |   - check: user.id == 1 && user.name == 'Ann'
        |                            ^^^^^^^^^
        |                              user  { id: 1 }
        = rerun  rehearse run made.yaml

      """),
  GoldenReport(
    name: "unmatched request", run: FailingRuns.unmatchedRequest,
    page: """
      error[unmatched-request]: no entry of `api` matches `GET /fact`
       --> made.yaml:3:5
        |
      3 |   - send: x.load
        |     ^^^^^^^^^^^^ the closest entry
        |       request  { method: "GET", path: /fact, query: {} }
        = differs  path: `/fact`, not `/facts`
        = cause    send at 0ms (line 3)
        = rerun    rehearse run made.yaml
        = help     write an entry that answers it, or change the one that was meant

      """),
  GoldenReport(
    name: "action failed", run: FailingRuns.actionFailed,
    page: """
      error[action-failed]: the action `x.load` failed, and nothing caught its error
       --> made.yaml:3:11
        |
      3 |   - send: x.load
        |           ^^^^^^
        |             error  { status: 503 }
        = cause  send at 0ms (line 3)
        = rerun  rehearse run made.yaml
        = help   catch it with `try` and `catch`, or expect it with `fails`

      """),
  GoldenReport(
    name: "evaluation", run: FailingRuns.evaluation,
    page: """
      error[evaluation-failed]: this expression gives no value: no such entry
       --> made.yaml:1:11
        |
      1 | scenario: Made by hand
        |           ^^^^ in turn 2.1
      2 | steps:
      3 |   - send: x.load
        |     ------------ while this step was done
        = cause  send at 0ms (line 3)
        = rerun  rehearse run made.yaml

      """),
  GoldenReport(
    name: "limit", run: FailingRuns.limit,
    page: """
      error[limit-exceeded]: more than 100 steps at one instant
       --> made.yaml:3:5
        |
      3 |   - send: x.load
        |     ^^^^^^^^^^^^ after this step
        = limit  stepsAtOneInstant = 100
        = cause  send at 0ms (line 3)
        = rerun  rehearse run made.yaml

      """),
]
