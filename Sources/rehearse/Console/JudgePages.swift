import Diagnostics

/// The pages of `rehearse explain` about traces that are judged. Their examples are lines of a
/// trace or of a scenario.
let judgePages: [DiagnosticPage] = [
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
]
