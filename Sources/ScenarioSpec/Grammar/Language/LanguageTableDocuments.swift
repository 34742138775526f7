import TextSearch

extension LanguageTable {
  package static let scenario = MappingRule(
    .scenario, title: "A scenario",
    "A document is one scenario: a stage and a script. A file may hold several, parted by `---`.",
    needs: [
      Need(key: .complete, oneOf: [.sources], pointsAtKey: true),
      Need(key: .reorder, oneOf: [.sources], pointsAtKey: true),
    ],
    keys: [
      KeyRule(
        .scenario, .text, "The title, under which the scenario is reported.",
        example: "A counter tells its parity", required: true)
    ] + settings + stage + programRules + traceRules + script)

  package static let variable = MappingRule(
    .variable, title: "A variable",
    "A constant of the scenario that is more than a plain value.",
    keys: [
      KeyRule(
        .value, .value, "The value.", example: "${env.API_TOKEN}", required: true,
        secrecy: .value(markedBy: .secret)),
      KeyRule(
        .secret, .bool, "Masks the value in everything that leaves the process.", example: "true"),
    ])

  package static let table = MappingRule(
    .table, title: "A table with more to it",
    "The rows of a table that is kept in a file of its own, or that has secret columns.",
    exactlyOneOf: [[.file, .rows]],
    keys: [
      KeyRule(
        .file, .text,
        "A CSV file, whose first line names the columns, or a JSON file with a list of maps; "
          + "relative to the folder of this file.", example: "rows.csv"),
      KeyRule(
        .rows, .list(.map(.stageName, .literal)), "The rows, if they are in no file.",
        example: "[{ id: small, limit: 1 }, { id: large, limit: 1000 }]"),
      KeyRule(
        .secret, .list(.name), "The columns whose values are masked like secret variables.",
        example: "[limit]"),
    ])

  static let worldName = Shape.words(WorldName.allCases.map(\.rawValue))

  /// A world that a scenario can choose. A trace has to be named, which the command line does.
  static let chosenWorld = Shape.words(
    [WorldName.mock, .sockets, .real].map(\.rawValue))
  static let againstShape = Shape.anyOf([chosenWorld, .map(.address, chosenWorld)])

  private static let settings = [
    KeyRule(
      .description, .text, "What a reader should know before reading on.",
      example: "Parity follows the counter at once."),
    KeyRule(.tags, .list(.text), "Words to select scenarios by.", example: "[state-graph, quick]"),
    KeyRule(
      .skip, .text, "The reason why the scenario is not to be run now.",
      example: "waits for the new server"),
    KeyRule(
      .only, .anyOf([worldName, .list(worldName)]),
      "The worlds that the scenario runs in; in others it is skipped. Without it there is no "
        + "exception.",
      example: "mock"),
    KeyRule(
      .against, againstShape,
      "The world of all endpoints, or of single ones. `--against` takes precedence over it, "
        + "endpoint by endpoint.",
      example: "{ api: real }"),
    KeyRule(
      .timeout, .duration,
      "How long each awaited event of an expectation may take. The default is 5s.",
      example: "2s"),
    KeyRule(
      .time, .words(["virtual", "wall"]),
      "The clock of the scenario: `virtual` skips time in which nothing happens, for programs as "
        + "well; `wall` is real time. The default is `virtual`, and `wall` with programs.",
      example: "wall"),
    KeyRule(
      .clock, .clock,
      "The calendar time when the scenario begins; `now` is the machine's. The default is "
        + "2000-01-01T00:00:00Z, and `now` with real endpoints and in `serve`.",
      example: "2026-03-01T09:00:00Z"),
    KeyRule(
      .seed, .integer(Int.min...Int.max),
      "Fixes all random decisions, so that a run can be repeated.",
      example: "7"),
    KeyRule(
      .sweep, .mapping(.sweep),
      "What `rehearse sweep` disturbs, and which end it demands. Other commands ignore it.",
      example: "{ settle: 10s }"),
    KeyRule(
      .disturb, .list(.text),
      "The disturbances of each run, as `rehearse sweep` names them. The run is judged as in a "
        + "sweep: it must end like the run without disturbances.",
      example: "['lose answer 1 of api, connection 1']"),
    tracesRule,
  ]

  static let stage = [
    KeyRule(
      .vars, .map(.stageName, .anyOf([.valueWithout([.value, .secret]), .mapping(.variable)])),
      "Constants of the scenario.", example: "{ limit: 3, token: { value: abc, secret: true } }"),
    useRule,
    KeyRule(
      .graph, .map(.stageName, .anyOf([.noMap, .mapping(.node)])),
      "The nodes of the state graph: a plain value is a stored node.",
      example: "{ count: 0, isEven: { computed: count % 2 == 0 } }"),
    KeyRule(
      .reactors, .map(.stageName, .mapping(.reactor)), "State, and the actions that change it.",
      example: "{ counter: { state: { count: 0 }, actions: { reset: [{ set: { count: 0 } }] } } }"),
    dataSources[0],
    KeyRule(
      .endpoints, .map(.stageName, .mapping(.endpoint)), "What the world outside does.",
      example: "{ api: { http: [{ get: /fact, respond: { json: { fact: Cats sleep } } }] } }"),
    KeyRule(
      .providers, .map(.stageName, .mapping(.provider)), "The origins of data, by name.",
      example: "{ tasks: { items: [{ id: 1, title: Write }] } }"),
    dataSources[1],
    connectionsRule,
    KeyRule(
      .streams, .map(.stageName, .anyOf([.words([Key.subject.rawValue]), .mapping(.stream)])),
      "Publishers: sources through operators, and subjects.",
      example: "{ typed: subject, settled: { from: typed, through: [{ debounce: 1s }] } }"),
    KeyRule(
      .invariants, .list(.mapping(.invariant)), "Rules that must hold when a change is complete.",
      example: "[{ always: 1 + 1 == 2 }]"),
  ]

  private static let script = [
    KeyRule(
      .cases, .anyOf([.list(.map(.stageName, .literal)), .mapping(.table)]),
      "Rows of a table: the scenario runs once for each, its columns are variables, `id` its name.",
      example: "[{ id: small, limit: 1 }, { id: large, limit: 1000 }]"),
    KeyRule(.steps, .script(.scenario), "The script.", example: "[{ check: 1 + 1 == 2 }]"),
    KeyRule(
      .finally, .script(.finally), "Steps that always run at the end, also after a failure.",
      example: "[{ check: 1 + 1 == 2 }]"),
  ]
}
