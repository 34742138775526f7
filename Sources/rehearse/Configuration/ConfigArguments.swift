import Diagnostics

/// The arguments of `config`.
struct ConfigArguments: Equatable {
  /// A key that an option of the command line replaces.
  struct Replaced: Equatable {
    var key: String
    var text: String
    var option: OptionName
  }

  /// The file or folder whose configuration is shown.
  var path: String
  var replaced: [Replaced]
  var format: ListingFormat
  var color: ColorChoice
}

extension ConfigArguments {
  /// The options of `run` that take precedence over keys of files.
  private static let keys: [(option: OptionName, key: String)] = [
    (.tag, "tags"), (.against, "against"), (.seed, "seed"), (.jobs, "limits.jobs"),
    (.retries, "limits.retries"), (.maxTime, "limits.maxTime"), (.deadline, "limits.deadline"),
    (.logLimit, "limits.logLimit"),
  ]

  init(_ words: ArgumentWords) throws(UsageProblem) {
    // A value that `run` would refuse holds nowhere.
    _ = try (words.tags(), words.seed(), words.jobs(), words.retries(), words.logLimit())
    _ = try (words.time(.maxTime), words.time(.deadline), words.world())
    path = words.operands.first?.text ?? "."
    replaced = ConfigArguments.keys.compactMap { option, key in
      let texts = words.values(of: option).map(\.text)
      return texts.isEmpty
        ? nil : Replaced(key: key, text: texts.joined(separator: ", "), option: option)
    }
    replaced += try words.variables().map {
      Replaced(key: "vars.\($0.name)", text: $0.value, option: .variable)
    }
    format = try words.choice(.format) ?? .human
    color = try words.choice(.color) ?? .auto
  }
}

extension Verb {
  static let configPage = VerbPage(
    verb: .config, purpose: "Show what holds for scenarios, and where it is written.",
    operands: "[PATH]",
    operandLines: [("PATH", "a file or a folder (default: the folder of the command)")],
    operandCount: 0...1,
    options: [
      .tag, .variable, .seed,
      OptionEntry(.jobs, value: "N", "as in `run`, like the other options of a run"),
      OptionEntry(.retries, value: "N", "run a scenario that failed again, up to N times"),
      OptionEntry(.maxTime, value: "TIME", "the most real time of one scenario"),
      OptionEntry(.deadline, value: "TIME", "the most real time of the whole run"),
      OptionEntry(.logLimit, value: "MB", "the largest log of a run (default: 256)"),
      OptionEntry(
        .against, value: "WORLD", repeatable: true,
        "mock, sockets, real, trace:FILE; NAME=… for one (default: mock)"),
      .listing, .color,
    ],
    examples: [
      ("rehearse config", "what `run` would use here"),
      ("rehearse config scenarios/shop", "what the scenarios of a folder get"),
      ("rehearse config --jobs 4 --format json", "for programs"),
    ])
}
