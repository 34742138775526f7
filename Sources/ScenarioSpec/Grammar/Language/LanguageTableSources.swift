extension LanguageTable {
  package static let declaredSource = MappingRule(
    .declaredSource, title: "A declared source",
    "A source that is fed from outside the scenario. Without a value at the start it is null "
      + "until its first event.",
    keys: [
      KeyRule(.initial, .value, "The value before its first event.", example: "0"),
      KeyRule(
        .from, .anyOf([.text, .mapping(.lineMapping)]),
        "Its name in the trace, if it has another one there, or which lines of any log it is.",
        example: "{ where: line.logger == 'pay', value: line.msg }"),
    ])

  package static let completion = MappingRule(
    .completion, title: "A complete trace",
    "When a trace that another program wrote has everything that happened.",
    keys: [
      KeyRule(
        .when, .map(.address, .matcher), "Events of which one comes in a complete trace.",
        example: "{ checkout: closed }"),
      KeyRule(
        .quiet, .duration, "How long no source emits anything before the end of the trace.",
        example: "5s"),
    ])

  static let traceRules = [
    KeyRule(
      .sources, .map(.address, .mapping(.declaredSource)),
      "Sources that a trace feeds (`rehearse judge`). A name with dots is one source.",
      example: "{ cart.total: { initial: 0 }, payments: {} }"),
    KeyRule(
      .complete, .mapping(.completion),
      "When a trace is complete that does not end with a `verdict`. Any other fails.",
      example: "{ when: { checkout: closed }, quiet: 5s }"),
    KeyRule(
      .reorder, .tick,
      "How much later than a line with a later time a line of a trace may come.", example: "2s"),
  ]
}
