import TextSearch

extension LanguageTable {
  package static let configuration = MappingRule(
    .configuration, title: "A configuration",
    "`rehearse.yaml` holds what the scenarios of its folder, and of the folders below, have in "
      + "common. The nearest file takes precedence, key by key; the command line takes precedence "
      + "over files, and a scenario over what concerns itself.",
    keys: [
      KeyRule(
        .description, .text, "What a reader should know before reading on.",
        example: "The scenarios of the shop."),
      KeyRule(
        .paths, .list(.text),
        "The files and folders of commands that name none; relative to the folder of this file.",
        example: "[scenarios]"),
      KeyRule(
        .reports, .mapping(.reports), "The reports of `run`, if `--format` asks for none.",
        example: "{ junit: build/report.xml }"),
      KeyRule(
        .setup, .script(.scenario),
        "Steps that run once before the scenarios. Scenarios see what they capture with `$as`.",
        example: "[{ request: { endpoint: api, get: /, expect: { json: { $as: answer } } } }]"),
      KeyRule(
        .environments, .map(.text, .mapping(.environment)),
        "Settings by name, which `--env NAME` puts in place of the rest of this file.",
        example: "{ staging: { endpoints: { api: { url: https://staging.example.com } } } }"),
    ] + settings)

  package static let environment = MappingRule(
    .environment, title: "An environment",
    "The settings for `--env NAME`. They take precedence over the rest of the file, key by "
      + "key. Of an endpoint, a missing `url` or mock is filled "
      + "in from there.",
    keys: [
      KeyRule(
        .description, .text, "What a reader should know before reading on.",
        example: "The machines of the night.")
    ] + settings)

  /// The settings that an environment may replace.
  private static let settings: [KeyRule] = [
    KeyRule(
      .tags, .list(.text), "The tags that `--tag` chooses by, if the command line does not.",
      example: "['!slow']"),
    againstOfConfiguration,
    KeyRule(
      .limits, .mapping(.limits), "The limits of `run`, unless the command line has its own.",
      example: "{ jobs: 4, maxTime: 30s }"),
    KeyRule(
      .timeout, .duration, "The `timeout` of scenarios without one.", example: "2s"),
    KeyRule(
      .clock, .clock, "The `clock` of scenarios without one.", example: "2026-03-01T09:00:00Z"),
    KeyRule(
      .seed, .integer(Int.min...Int.max), "The `seed` of scenarios without one.", example: "7"),
    tracesRule,
    rule(of: .vars, "Constants of the scenarios that name them."),
    rule(
      of: .endpoints,
      "Endpoints of the scenarios that name them. Of a scenario's own endpoint, a missing `url` "
        + "or mock is filled in."),
  ]

  package static let reports = MappingRule(
    .reports, title: "Reports", "The files of reports, by format; `-` is standard output.",
    keys: [
      report(.human, "The report for people.", "build/report.txt"),
      report(.junit, "JUnit XML, for build servers.", "build/report.xml"),
      report(.json, "All of the run, as JSON.", "build/report.json"),
      report(.ndjson, "Each event of the run as a line of JSON.", "build/report.ndjson"),
      report(.tap, "The Test Anything Protocol.", "build/report.tap"),
      report(.ctrf, "The Common Test Report Format.", "build/report.ctrf.json"),
      report(.github, "Annotations of GitHub.", "'-'"),
      report(.codequality, "Findings for merge requests of GitLab.", "build/quality.json"),
      report(.html, "A page with the timelines of failures.", "build/report.html"),
    ])

  package static let limits = MappingRule(
    .limits, title: "Limits of a run",
    "Each stands for the option of `run` that has its name.",
    keys: [
      KeyRule(
        .jobs, .integer(1...1024), "The number of scenarios that run at once.", example: "4"),
      KeyRule(
        .retries, .integer(0...100), "How often a scenario that failed runs again.",
        example: "1"),
      KeyRule(
        .maxTime, .duration, "The most real time of one scenario.", example: "30s"),
      KeyRule(.deadline, .duration, "The most real time of the whole run.", example: "10m"),
      KeyRule(
        .logLimit, .integer(1...1_000_000), "The largest log of a run, in megabytes.",
        example: "256"),
    ])

  private static let againstOfConfiguration = KeyRule(
    .against, againstShape,
    "The world of all endpoints, or of single ones. A scenario and `--against` take precedence.",
    example: "{ api: sockets }")

  private static func report(_ key: Key, _ text: String, _ example: String) -> KeyRule {
    KeyRule(key, .text, text, example: example)
  }

  /// Returns the rule of a key of the stage, with a text of its own.
  private static func rule(of key: Key, _ text: String) -> KeyRule {
    let rule = stage.first { $0.key == key }
    return KeyRule(key, rule?.shape ?? .value, text, example: rule?.example ?? "{}")
  }
}
