import Diagnostics

/// The pages of `rehearse explain` about what only sweeps find.
package let sweepPages: [DiagnosticPage] = [
  DiagnosticPage(
    id: "swept-end-differs", title: "A disturbed run ended with another value",
    text: """
      `sweep: { same: … }` names nodes and sources whose last value must be that of the run without
      a disturbance. The report names the disturbance after which it is another one.
      """,
    wrong: """
      sweep: { same: [feed.state] }       # a line that breaks shows in it
      """,
    right: """
      sweep: { same: [cart.total] }
      """),
  DiagnosticPage(
    id: "swept-event-twice", title: "A client received an event twice",
    text: """
      The client resumed its stream and received an event with an id that it had received before. A
      client that resumes names the last id in `Last-Event-ID`. If the mock cannot resume, say so:
      with `resumable: true` it continues after that event.
      """,
    wrong: """
      endpoints:
        server: { sse: [{ accept: { path: /prices }, script: [{ event: { id: "1", data: 10 } }] }] }
      """,
    right: """
      endpoints:
        server:
          resumable: true
          sse: [{ accept: { path: /prices }, script: [{ event: { id: "1", data: 10 } }] }]
      """),
  DiagnosticPage(
    id: "swept-left-pending", title: "A disturbed run left something pending",
    text: """
      A connection or a request is in a state at the end that it is not in without the disturbance:
      the client did not recover in the virtual time that `sweep: { settle: … }` sets.
      """,
    wrong: """
      connections:
        feed: { sse: { endpoint: server, path: /prices } }
      """,
    right: """
      connections:
        feed:
          sse: { endpoint: server, path: /prices }
          retry: { maxAttempts: 5, initialDelay: 1s }
      """),
  DiagnosticPage(
    id: "no-place-of-disturbance", title: "A disturbance without a place",
    text: """
      `--disturb` names a piece that does not travel in the run, or a connection that is not made,
      so nothing would go wrong. The scenario may have changed since a sweep named the disturbance.
      """,
    wrong: "rehearse run shop.scenario.yaml --disturb 'lose answer 9 of api, connection 4'",
    right: "rehearse run shop.scenario.yaml --disturb 'lose answer 1 of api, connection 1'"),
  DiagnosticPage(
    id: "sweep-unclear", title: "Courses on which there is no verdict",
    text: """
      In these courses the run ended otherwise, and the client may be right: a mock had no answer to
      a request, began a stream again that it cannot resume, or a step could not act. The courses
      count neither as held nor as failed.
      """,
    wrong: """
      endpoints:
        server: { sse: [{ accept: { path: /prices }, script: [{ event: { id: "1", data: 10 } }] }] }
      """,
    right: """
      endpoints:
        server:
          resumable: true
          sse: [{ accept: { path: /prices }, script: [{ event: { id: "1", data: 10 } }] }]
      """),
  DiagnosticPage(
    id: "sweep-unfinished", title: "A sweep that did not try all courses",
    text: """
      The time of `--max-time` was over, or there are more courses than a sweep tries. Nothing is
      known about those that are left.
      """,
    wrong: """
      sweep: { settle: 1h }
      """,
    right: """
      sweep: { disturb: { feed: [cut], api: [lostAnswer] } }
      """),
  DiagnosticPage(
    id: "sweep-sampled", title: "Courses that were left out because they are like others",
    text: """
      Courses are alike if the same goes wrong with pieces whose bytes differ in digits alone, while
      the same step is under way: a client that asks each second for an hour has thousands of them.
      Of more than 20 the first, the middle and the last are tried. Nothing is known about the
      others: `--all-places` tries them.
      """,
    wrong: "rehearse sweep hour.scenario.yaml",
    right: "rehearse sweep hour.scenario.yaml --all-places"),
  DiagnosticPage(
    id: "sweep-without-places", title: "A sweep in which nothing can go wrong",
    text: """
      The good run of the scenario comes to no place at which something could go wrong: it has no
      endpoint, no client connects to one, or `sweep: { disturb: … }` chooses nothing that happens.
      So the sweep has shown nothing. If this holds for all scenarios, the exit code is 4.
      """,
    wrong: """
      sweep: { disturb: { chat: [lostAnswer] } }      # and nobody connects to `chat`
      """,
    right: """
      sweep: { disturb: { feed: [cut], api: [lostAnswer] } }
      """),
  DiagnosticPage(
    id: "nothing-swept", title: "A sweep that tried nothing",
    text: """
      None of the scenarios has a place at which something can go wrong, or all were skipped, or the
      time of `--max-time` was over before the first course. The exit code is 4, as if no scenario
      was selected, so that a build server does not take it for a success.
      """,
    wrong: "rehearse sweep scenarios/state",
    right: "rehearse sweep scenarios/live"),
  DiagnosticPage(
    id: "sweep-flaky", title: "Courses that failed once and held once",
    text: """
      In real time, the order of events is not the same in each run. So a sweep runs a course that
      fails a second time, with fewer runs beside it. These courses held then: they count neither as
      held nor as failed. A client that fails now and then may still be wrong.
      """,
    wrong: "rehearse sweep client.scenario.yaml --jobs 64",
    right: "rehearse sweep client.scenario.yaml --jobs 2"),
  DiagnosticPage(
    id: "sweep-missed", title: "Courses to whose place no run came",
    text: """
      The good run came to these places, and three disturbed runs did not: in real time a client may
      connect in another order, or send other requests. Nothing is known of these courses, so the
      scenario fails.
      """,
    wrong: """
      sweep: { settle: 300ms }      # the client asks `log` in some runs only
      """,
    right: """
      sweep: { settle: 300ms, disturb: { api: [lostAnswer] } }
      """),
  DiagnosticPage(
    id: "sweep-demands-nothing", title: "A sweep that demands no value",
    text: """
      In a disturbed run, an `expect` waits for its events and fails nothing. So a scenario without
      a `check` that reads a value, an invariant, `same` or `never` fails only if something crashes,
      hangs or breaks a rule of its protocol. Its courses are not judged. `--same` tries the line
      that the warning proposes, and `--strict` makes the warning a failure.
      """,
    wrong: """
      steps: [{ expect: { client.price: [41, 42] } }]
      """,
    right: """
      sweep: { same: [client.price] }
      steps: [{ expect: { client.price: [41, 42] } }]
      """),
  DiagnosticPage(
    id: "swept-left-running", title: "A program or an action hangs after a disturbance",
    text: """
      The program, or the action of a reactor, ends by itself if nothing goes wrong, and was still
      running at the end of the disturbed run. It had the time of `settle`, and a program then the
      scenario's `timeout`. What waits for an answer needs a limit of its own.
      """,
    wrong: """
      urlopen(url)                # waits for ever
      """,
    right: """
      urlopen(url, timeout=2)
      """),
  DiagnosticPage(
    id: "old-baseline", title: "A baseline of an older version",
    text: """
      The lines of the baseline name courses, and not what came instead of the expected value. A
      worse failure of the same course would be known as well, so write the baseline again.
      """,
    wrong: "orders.scenario.yaml::An order: check-failed: lose answer 1 of api, connection 1",
    right: "orders.scenario.yaml::An order: check-failed at \"api.orders == 1\": api.orders 0"),
  DiagnosticPage(
    id: "not-pinned", title: "A course that was not written as a scenario",
    text: """
      `rehearse sweep --pin` writes each course that fails beside its file, with `disturb`. It runs
      the text first, which must fail in the same way. Of a table, it keeps the one row. A row with
      secrets is not pinned, and neither is a seed of the command line if the scenario has its own:
      `rehearse run --disturb` repeats such a course.
      """,
    wrong: """
      cases: { file: accounts.csv, secret: [password] }      # a file should not hold secrets
      """,
    right: """
      cases: { file: accounts.csv }
      """),
]
