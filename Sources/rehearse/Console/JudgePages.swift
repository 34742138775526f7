import Diagnostics

/// The pages of `rehearse explain` about traces that are judged. Their examples are lines of a
/// trace or of a scenario.
let judgePages: [DiagnosticPage] = [
  DiagnosticPage(
    id: "no-rule-exercised", title: "A recording without anything that a rule is about",
    text: """
      `rehearse check` has found nothing wrong, because it found nothing to check: no rule of a \
      protocol is about a line of the recording. The table below the report counts what each rule \
      was about.
      """,
    wrong: """
      {"kind":"emitted","source":"feed","value":1}
      """,
    right: """
      {"kind":"event","source":"feed","value":{"id":"7","data":"a"},"connection":1,"from":"server"}
      {"kind":"event","source":"feed","value":{"id":"8","data":"b"},"connection":1,"from":"server"}
      """),
  DiagnosticPage(
    id: "until-without-date", title: "A time of day, and a trace that does not say when it began",
    text: """
      `judge --until 2026-01-31T12:00:00Z` needs the time of day at which lines were written: \
      `time` in the lines, or `clock` or `began` in the header.
      """,
    wrong: "rehearse judge shop.scenario.yaml shop.trace.jsonl --until 2026-01-31T12:00:00Z",
    right: "rehearse judge shop.scenario.yaml shop.trace.jsonl --until=-2h"),
  DiagnosticPage(
    id: "trace-cut", title: "A trace ends in the middle of a line",
    text: "The program that wrote it was ended. The lines above are complete, and are judged.",
    wrong: "{\"us\":1500,\"source\":\"cart.to",
    right: "{\"us\":1500,\"source\":\"cart.total\",\"value\":1}"),
  DiagnosticPage(
    id: "not-one-scenario-file", title: "Several scenario files, and traces are judged by one",
    text: "The scenarios of one file are held against the traces. Name the file, not its folder.",
    wrong: "rehearse judge scenarios traces",
    right: "rehearse judge scenarios/cart.scenario.yaml traces"),
  DiagnosticPage(
    id: "trace-without-date", title: "A trace that does not say when it was recorded",
    text: """
      An HTTP Archive has a date in each entry. If the header has neither `clock` nor `began`, and
      the lines have no `time`, the archive begins in 1970. Durations and pauses are right all the
      same.
      """,
    wrong: "{\"trace\":1}", right: "{\"trace\":1,\"clock\":\"2026-01-31T12:00:00Z\"}"),
  DiagnosticPage(
    id: "trace-out-of-order", title: "A line's time is before that of the line above it",
    text: """
      The order of the lines is the order of the events. A line that claims to be earlier is judged
      at the time of the line above it. Sort the trace if its lines were written late.
      """,
    wrong: """
      {"us":1500,"source":"cart.total","value":1}
      {"us":1400,"source":"payments","value":45}
      """,
    right: """
      {"us":1400,"source":"payments","value":45}
      {"us":1500,"source":"cart.total","value":1}
      """),
  DiagnosticPage(
    id: "undeclared-source", title: "A trace has sources that the scenario does not declare",
    text: """
      Events of sources that the scenario does not declare are judged by nothing. The warning counts
      them. If a name is near to that of a declared source, one of them is probably mistyped: then
      the warning names both.
      """,
    wrong: "sources: { cart.total: {} }    # the trace says `cart-total`",
    right: "sources: { cart.total: { from: cart-total } }"),
  DiagnosticPage(
    id: "no-invariant-exercised", title: "A trace that no invariant of the scenario is about",
    text: """
      Every invariant held because nothing happened that it is about: no event that matches \
      `when`, and no event of a source that `always` or `never` reads. A trace with other names or \
      values looks the same. `--strict` fails the scenario for each such invariant.
      """,
    wrong: """
      sources: { cart.total: {} }
      invariants: [{ never: cart.total < 0 }]    # the trace has `cart-total`
      """,
    right: """
      sources: { cart.total: { from: cart-total } }
      invariants: [{ never: cart.total < 0 }]
      """),
  DiagnosticPage(
    id: "source-without-events",
    title: "A trace has no event of a source that the scenario is about",
    text: """
      A `when`, a `then` or an `expect` names a source, and the trace has no event of it. Either \
      it did not happen, or the trace has another name for it. Sources that only a `never` names \
      are not counted.
      """,
    wrong: "sources: { payments: {} }    # the trace says `shop.payments`",
    right: "sources: { payments: { from: shop.payments } }"),
  DiagnosticPage(
    id: "line-not-mapped", title: "A line of a log of which no event can be made",
    text: """
      The `value` or the `time` of a source reads something that the line does not have. The line \
      is left out. `where` can leave it out without a warning.
      """,
    wrong: "sources: { payments: { from: { where: line.logger == 'pay', value: line.msg } } }",
    right: """
      sources:
        payments: { from: { where: line.logger == 'pay' && has(line.msg), value: line.msg } }
      """),
  DiagnosticPage(
    id: "line-without-time", title: "The time of a line is no time",
    text: """
      `time` of a source is RFC 3339, the time of a web server's log, or a number since 1970. The \
      line has the time of the line above it.
      """,
    wrong: "sources: { payments: { from: { time: line.msg } } }",
    right: "sources: { payments: { from: { time: line.ts } } }"),
  DiagnosticPage(
    id: "no-line-of-source", title: "No line of a log is an event of a source",
    text: """
      `where` is true for none of the lines. A line that lacks what `where` reads is no event, so \
      a mistyped name takes none. The warning has what the first such line lacked.
      """,
    wrong: "sources: { payments: { from: { where: line.loger == 'pay' } } }",
    right: "sources: { payments: { from: { where: line.logger == 'pay' } } }"),
]
