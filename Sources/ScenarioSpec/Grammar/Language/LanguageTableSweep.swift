import TextSearch

extension LanguageTable {
  package static let sweep = MappingRule(
    .sweep, title: "A sweep",
    "What `rehearse sweep` disturbs, and what must hold at the end of each disturbed run.",
    keys: [
      KeyRule(
        .same, .list(.address),
        "The nodes and sources whose last value must be the same as in the run without a "
          + "disturbance.",
        example: "[orders]"),
      KeyRule(
        .never, .expression, "What must not hold after any change of a disturbed run.",
        example: "1 + 1 == 3"),
      KeyRule(
        .allow, .list(.address),
        "The sources that `expect: true` leaves alone, since a disturbance shows in them.",
        example: "[feed.state]"),
      KeyRule(
        .disturb, .map(.address, .list(.words(SweepSpec.Kind.allCases.map(\.rawValue)))),
        "The kinds of disturbances, by endpoint or connection. Without it, all are tried but "
          + "`duplicate`, `suspend` and mostly `stall`.",
        example: "{ feed: [cut, duplicate] }"),
      KeyRule(
        .settle, .duration,
        "The time that a disturbed run has to recover, before its end is judged. The default is "
          + "1m of virtual time, and 2s of real time.",
        example: "10s"),
      KeyRule(
        .expect, .bool,
        "Demands the `expect` steps of disturbed runs as well. The default is false.",
        example: "true"),
    ])
}
