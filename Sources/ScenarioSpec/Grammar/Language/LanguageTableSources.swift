extension LanguageTable {
  package static let declaredSource = MappingRule(
    .declaredSource, title: "A declared source",
    "A source that is fed from outside the scenario. Without a value at the start it is null "
      + "until its first event.",
    keys: [
      KeyRule(.initial, .value, "The value before its first event.", example: "0"),
      KeyRule(
        .from, .text, "Its name in the trace, if it has another one there.",
        example: "cart-total"),
    ])

  static let sourcesRule = KeyRule(
    .sources, .map(.address, .mapping(.declaredSource)),
    "Sources that a trace feeds (`rehearse judge`). A name with dots is one source.",
    example: "{ cart.total: { initial: 0 }, payments: {} }")
}
