extension LanguageTable {
  package static let program = MappingRule(
    .program, title: "A program",
    "A process that the scenario starts, without a shell, and ends. Endpoints are then served on "
      + "sockets, and the scenario runs in real time.",
    keys: [
      KeyRule(
        .run, .list(.scalar),
        "The program and its arguments; `${api.url}` is an endpoint's "
          + "address.",
        example: "[python3, client.py, '--quiet']", required: true),
      KeyRule(
        .env, .map(.text, .scalar),
        "Variables that are added to the environment that `rehearse` itself has.",
        example: "{ LLM_URL: '${env.LLM_URL}' }"),
      KeyRule(
        .folder, .scalar,
        "The folder that it runs in, relative to the folder of this file, which is the default.",
        example: "clients/python"),
      KeyRule(
        .ready, .mapping(.readiness),
        "When the first step may begin; without it, once the program was started.",
        example: "{ line: ready }"),
      KeyRule(
        .sources, .map(.name, .mapping(.programSource)),
        "Sources that it feeds with lines such as `{\"source\": \"state\", \"value\": \"idle\"}`.",
        example: "{ state: { initial: idle } }"),
      KeyRule(
        .stop, .mapping(.programStop), "How `terminate` and the end of the scenario end it.",
        example: "{ signal: INT, timeout: 2s }"),
    ])

  package static let readiness = MappingRule(
    .readiness, title: "A program's readiness", "The sign by which a program is ready.",
    exactlyOneOf: [[.line, .port, .url]],
    keys: [
      KeyRule(
        .line, .matcher, "The line of its standard output; it is no event.",
        example: "{ $regex: 'listening.*' }"),
      KeyRule(
        .port, .count(1...65_535), "The port of this machine at which it accepts connections.",
        example: "8080"),
      KeyRule(
        .url, .scalar, "The URL on this machine that it answers with a status below 400.",
        example: "http://127.0.0.1:8080/health"),
      KeyRule(
        .timeout, .tick, "How long it may take. The default is 30s.", example: "5s"),
    ])

  package static let programSource = MappingRule(
    .programSource, title: "A source of a program",
    "A source that a program feeds. Without a value at the start it is null until its first event.",
    keys: [
      KeyRule(.initial, .value, "The value before its first event.", example: "idle")
    ])

  package static let programStop = MappingRule(
    .programStop, title: "The stop of a program",
    "The signal that asks a program to end, and the time after which it is killed.",
    keys: [
      KeyRule(
        .signal, .words(StopSignal.allCases.map(\.rawValue)), "The signal. The default is TERM.",
        example: "INT"),
      KeyRule(
        .timeout, .tick, "How long the program has to end. The default is 5s.", example: "2s"),
    ])

  static let programRules = [
    KeyRule(
      .programs, .map(.stageName, .mapping(.program)),
      "Processes that a run starts, feeds, observes and ends.",
      example: "{ client: { run: [python3, client.py], ready: { line: ready } } }"),
    KeyRule(
      .requires, .list(.text),
      "Programs that must be installed; without one of them the scenario is skipped.",
      example: "[node]"),
  ]
}
