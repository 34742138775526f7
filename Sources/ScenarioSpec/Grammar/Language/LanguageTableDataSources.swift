extension LanguageTable {
  package static let database = MappingRule(
    .database, title: "A database", "A SQLite database, in memory or in a file.",
    keys: [
      KeyRule(
        .sqlite, .scalar, "A file's path, relative to the folder of this file, or `:memory:`.",
        example: "':memory:'", required: true),
      KeyRule(
        .setup, .text, "The statements that run when the stage is built.",
        example: "CREATE TABLE task (id INTEGER PRIMARY KEY, title TEXT)"),
    ])

  package static let list = MappingRule(
    .list, title: "A list",
    "A list model: the items of a provider, as a list on a screen shows them. Its parts are "
      + "`items`, `isLoading`, `error`, `state` (idle, loading, loaded or error) and `visual` "
      + "(spinner, errorScreen or list).",
    exactlyOneOf: [[.items, .from]],
    atMostOneOf: [[.items, .with], [.items, .initial], [.items, .start]],
    keys: [
      KeyRule(.items, .value, "Items that are there from the start.", example: "[{ id: 1 }]"),
      KeyRule(
        .from, .address,
        "The provider that it loads from: before the first step, unless `start` says otherwise.",
        example: "tasks"),
      KeyRule(
        .with, .map(.name, .value), "Values for the provider's parameters.",
        example: "{ page: 2 }"),
      KeyRule(
        .initial, .value, "Items that are shown until others are loaded.", example: "[{ id: 0 }]"),
      KeyRule(
        .start, .words(["load", "idle"]),
        "What the list does before the first step: it loads, or it is idle until a `refresh` or a "
          + "`load`. The default is `load`.",
        example: "idle"),
    ])

  package static let statement = MappingRule(
    .statement, title: "A statement", "A statement of SQL and the values that are bound to it.",
    keys: [
      KeyRule(
        .statement, .text, "The statement, with `?` or `:name` where values are.",
        example: "INSERT INTO task (title) VALUES (?)", required: true),
      KeyRule(
        .with, .anyOf([.list(.value), .map(.name, .value)]),
        "The values: a list for `?`, a map for `:name`.", example: "[Write]"),
    ])

  static let dataSources = [
    KeyRule(
      .databases, .map(.stageName, .mapping(.database)), "SQLite databases.",
      example: "{ local: { sqlite: ':memory:', setup: 'CREATE TABLE task (title TEXT)' } }"),
    KeyRule(
      .lists, .map(.stageName, .mapping(.list)), "List models fed by a provider.",
      example: "{ tasks: { from: allTasks } }"),
  ]

  static let dataSteps = [
    StepRule(
      .acting,
      KeyRule(.refresh, .address, "Loads a list again.", example: "tasks", required: true),
      in: [.scenario, .finally, .action]),
    StepRule(
      .acting,
      KeyRule(
        .sql, .map(.address, .anyOf([.text, .mapping(.statement)])),
        "Runs a statement on a database.", example: "{ local: DELETE FROM task }", required: true),
      in: [.scenario, .finally, .action]),
  ]
}
