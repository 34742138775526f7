import Diagnostics

/// The arguments of `validate`.
struct ValidateArguments: VerbArguments {
  var scenarios = ScenarioChoice()
  var format = ListingFormat.human
  var color = ColorChoice.auto

  static var rows: [OptionRow<Self>] {
    [
      OptionRow(.tag), OptionRow(.grep), .listing(\.format), .color(\.color),
    ]
  }

  mutating func finish(_ words: ArgumentWords) throws(UsageProblem) {
    scenarios = try words.scenarios()
  }
}

/// The arguments of `list`.
struct ListArguments: VerbArguments {
  var scenarios = ScenarioChoice()
  var format = ListingFormat.human
  var color = ColorChoice.auto

  static var rows: [OptionRow<Self>] {
    [
      OptionRow(.tag), OptionRow(.grep), OptionRow(.failed), OptionRow(.shard),
      OptionRow(.durations),
      .listing(\.format), .color(\.color),
    ]
  }

  mutating func finish(_ words: ArgumentWords) throws(UsageProblem) {
    scenarios = try words.scenarios()
  }
}

/// The arguments of `schema`.
struct SchemaArguments: VerbArguments {
  /// The place that schemas are written to, or compared with.
  enum Destination: Equatable {
    case standardOutput(SchemaKind)
    case write(directory: String)
    case check(directory: String)
  }

  /// The schema asked for; nil for all of them.
  var kind: SchemaKind?
  var destination = Destination.standardOutput(.scenario)

  static var rows: [OptionRow<Self>] {
    [
      OptionRow(.write, value: "DIR", "write the schemas into a folder"),
      OptionRow(.check, value: "DIR", "fail when the schemas in a folder are not up to date"),
    ]
  }

  mutating func finish(_ words: ArgumentWords) throws(UsageProblem) {
    kind = try words.operands.first.map { word throws(UsageProblem) in try words.known(word) }
    try words.refuse(.write, beside: .check)
    if let write = words.value(of: .write) {
      destination = .write(directory: write.text)
    } else if let check = words.value(of: .check) {
      destination = .check(directory: check.text)
    } else {
      destination = .standardOutput(kind ?? .scenario)
    }
  }
}

/// The arguments of `explain`.
struct ExplainArguments: Equatable {
  /// The id of a diagnostic, or the name of a function, step, operator or key; nil to list all.
  var name: String?
}

/// The arguments of `init`.
struct InitArguments: VerbArguments {
  var directory = defaultScenarioPath
  /// The subject of the first scenario; nil writes a suite that shows the language.
  var purpose: FirstPurpose?

  static var rows: [OptionRow<Self>] {
    [
      OptionRow(
        .for, value: "WHAT", "what it tests: client, server, llm, mcp or browser; with a program"
      ) { $1.purpose = try $0.choice(.for) }
    ]
  }

  mutating func finish(_ words: ArgumentWords) throws(UsageProblem) {
    directory = words.operands.first?.text ?? directory
  }
}

/// The arguments of `eval`.
struct EvalArguments: VerbArguments {
  var expression = ""
  var variables: [VariableSetting] = []
  var color = ColorChoice.auto

  static var rows: [OptionRow<Self>] {
    [OptionRow(OptionEntry.variable), .color(\.color)]
  }

  mutating func finish(_ words: ArgumentWords) throws(UsageProblem) {
    expression = words.operands.first?.text ?? ""
    variables = try words.variables()
  }
}

extension Verb {
  static let validatePage = VerbPage(
    verb: .validate, purpose: "Report what is wrong with scenarios, without running them.",
    operands: "[PATH…]", operandLines: scenarioOperands, operandCount: 0...Int.max,
    options: ValidateArguments.entries,
    examples: [("rehearse validate scenarios", "all mistakes that can be found without running")])

  static let listPage = VerbPage(
    verb: .list, purpose: "List scenarios with their tags and rows.", operands: "[PATH…]",
    operandLines: scenarioOperands, operandCount: 0...Int.max, options: ListArguments.entries,
    examples: [
      ("rehearse list scenarios --tag sse", "the scenarios that `run` would run"),
      ("rehearse list std", "the components that come with the program"),
    ])

  static let schemaPage = VerbPage(
    verb: .schema, purpose: "Print the JSON Schemas that editors and build servers read.",
    operands: "[SCHEMA]",
    operandLines: [
      (
        "SCHEMA",
        "default: scenario; component, steps, trace, report-events, serve-messages,"
          + " rehearse-config"
      )
    ],
    operandCount: 0...1, options: SchemaArguments.entries,
    examples: [("rehearse schema --write schemas", "all schemas, as files")])

  static let explainPage = VerbPage(
    verb: .explain, purpose: "Explain a complaint, a function, a step, an operator or a key.",
    operands: "[NAME]",
    operandLines: [
      ("NAME", "the id in brackets after `error`, or a word of a scenario (default: list them all)")
    ],
    operandCount: 0...1, options: [],
    examples: [
      ("rehearse explain out-of-order", "what error[out-of-order] means"),
      ("rehearse explain sortBy", "a function of expressions, with an example"),
      ("rehearse explain debounce", "an operator of streams"),
    ])

  static let initPage = VerbPage(
    verb: .initialize, purpose: "Write a first scenario to start from.", operands: "[DIR]",
    operandLines: [("DIR", "the folder to write to (default: \(defaultScenarioPath))")],
    operandCount: 0...1, options: InitArguments.entries,
    examples: [
      ("rehearse init", "then: rehearse run"),
      ("rehearse init --for llm", "a client of a language model, and what it does wrong"),
    ])

  static let evalPage = VerbPage(
    verb: .eval, purpose: "Evaluate one CEL expression and print its value as JSON.",
    operands: "EXPRESSION", operandLines: [("EXPRESSION", "as it would be written in a scenario")],
    operandCount: 1...1, options: EvalArguments.entries,
    examples: [("rehearse eval 'count % 2 == 0' --var count=3", "prints false")])
}
