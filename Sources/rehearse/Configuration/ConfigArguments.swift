import Diagnostics

/// The arguments of `config`.
struct ConfigArguments: VerbArguments {
  /// A key that an option of the command line replaces.
  struct Replaced: Equatable {
    var key: String
    var text: String
    var option: OptionName
  }

  /// The file or folder whose configuration is shown.
  var path = "."
  var environment: String?
  var replaced: [Replaced] = []
  var format = ListingFormat.human
  var color = ColorChoice.auto

  /// The options of `run` that take precedence over keys of files.
  private static let keys: [(option: OptionName, key: String)] = [
    (.tag, "tags"), (.against, "against"), (.seed, "seed"), (.jobs, "limits.jobs"),
    (.retries, "limits.retries"), (.maxTime, "limits.maxTime"), (.deadline, "limits.deadline"),
    (.logLimit, "limits.logLimit"),
  ]

  static var rows: [OptionRow<Self>] {
    [
      OptionRow(.tag), OptionRow(.variable), OptionRow(.environment), OptionRow(.seed),
      OptionRow(.jobs, value: "N", "as in `run`, like the other options of a run"),
    ]
      + RunArguments.entries.filter {
        [.retries, .maxTime, .deadline, .logLimit, .against].contains($0.name)
      }.map { OptionRow($0) } + [.listing(\.format), .color(\.color)]
  }

  mutating func finish(_ words: ArgumentWords) throws(UsageProblem) {
    // A value that `run` would refuse holds nowhere.
    var run = RunArguments()
    try run.readOptions(words)
    _ = try (words.tags(), words.world())
    if let word = words.operands.first { path = word.text }
    environment = run.inputs.environment
    replaced = ConfigArguments.keys.compactMap { option, key in
      let texts = words.values(of: option).map(\.text)
      return texts.isEmpty
        ? nil : Replaced(key: key, text: texts.joined(separator: ", "), option: option)
    }
    replaced += run.inputs.variables.map {
      Replaced(key: "vars.\($0.name)", text: $0.value, option: .variable)
    }
  }
}

extension Verb {
  static let configPage = VerbPage(
    verb: .config, purpose: "Show the effective settings and where each one is set.",
    operands: "[PATH]",
    operandLines: [("PATH", "a file or a folder (default: the folder of the command)")],
    operandCount: 0...1, options: ConfigArguments.entries,
    examples: [
      ("rehearse config", "what `run` would use here"),
      ("rehearse config scenarios/shop", "what the scenarios of a folder get"),
      ("rehearse config --env staging", "what holds in the environment `staging`"),
      ("rehearse config --jobs 4 --format json", "for programs"),
    ])
}
