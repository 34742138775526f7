/// The exit code of the program.
enum ExitCode: Int32, CaseIterable {
  case passed = 0
  case failed = 1
  case badInput = 2
  case couldNotRun = 3
  case nothingSelected = 4
  case hungUp = 129
  case interrupted = 130
  case terminated = 143

  var meaning: String {
    switch self {
    case .passed: "all is well"
    case .failed: "something was not as expected"
    case .badInput: "a scenario or the command line is wrong"
    case .couldNotRun: "something went wrong outside of the scenarios"
    case .nothingSelected: "no scenario was selected, or a sweep found no place to disturb"
    case .hungUp: "the terminal was closed (SIGHUP) before the steps were done"
    case .interrupted: "interrupted (Ctrl-C) before the steps were done"
    case .terminated: "terminated (SIGTERM) before the steps were done"
    }
  }

  /// Returns the exit code of several parts: an interruption takes precedence, then what is wrong
  /// outside of the scenarios, then what is wrong with them.
  static func worst(of codes: [ExitCode]) -> ExitCode {
    let order: [ExitCode] = [
      .hungUp, .terminated, .interrupted, .couldNotRun, .badInput, .nothingSelected, .failed,
    ]
    return order.first { codes.contains($0) } ?? .passed
  }
}

/// Shows where to begin. A build server whose command got lost must not pass.
func showUsage() -> ExitCode {
  Terminal.complain(shortUsage())
  return .badInput
}

/// Returns the text of `rehearse` without a command.
func shortUsage() -> String {
  let commands = [
    ("rehearse init --for llm", "write a first scenario; also client, server, mcp, browser"),
    ("rehearse run scenarios", "run what is there, and report what is not as expected"),
    ("rehearse sweep FILE", "run it again, with the line broken at each place"),
    ("rehearse serve FILE", "play its servers for any client"),
    ("rehearse list std", "the servers that come with the program"),
    ("rehearse docs", "the pages"),
  ]
  return """
    Rehearsal tests your client: a YAML scenario plays the servers, starts your program, and
    finds where it does something else than you expect.

    \(table(commands))

    `rehearse --help` lists all commands.

    """
}

/// Returns the text of `rehearse --help`.
func overviewText() -> String {
  let verbs = Verb.allCases.map { ($0.rawValue, $0.page.purpose) }
  return """
    Rehearsal runs YAML scenarios and reports where a run differs from what they expect.

    Usage: rehearse COMMAND …

    Commands:
    \(table(verbs))

    `rehearse COMMAND --help` describes a command, `rehearse --version` prints the version.

    Exit codes:
    \(table(exitCodeRows))

    """
}

/// Returns the text of `rehearse VERB --help`.
func helpText(for verb: Verb) -> String {
  let page = verb.page
  return """
    \(page.purpose)

    Usage: \(usageLine(of: page))

    \(table(page.operandLines))

    Options:
    \(table(page.allOptions.map { (optionName($0), $0.purpose) }))

    Examples:
    \(table(page.examples))

    Exit codes:
    \(table(exitCodeRows))

    """
}

func usageLine(of page: VerbPage) -> String {
  let options = page.options.isEmpty ? "" : " [OPTION…]"
  return "rehearse \(page.verb.rawValue) \(page.operands)\(options)"
}

private let exitCodeRows = ExitCode.allCases.map { (String($0.rawValue), $0.meaning) }

/// Returns `-v, --verbose` or `    --seed N`, so that long names begin in one column.
private func optionName(_ entry: OptionEntry) -> String {
  let short = entry.short.map { "-\($0), " } ?? "    "
  let value = entry.value.map { entry.isOptional ? "[=\($0)]" : " " + $0 } ?? ""
  return short + "--" + entry.name.rawValue + value
}

/// Returns rows of two columns. If the first is long, the second begins on a line of its own.
private func table(_ rows: [(String, String)]) -> String {
  let widest = 28
  let width = min(widest, rows.map(\.0.count).max() ?? 0)
  return rows.map { name, purpose in
    let gap = String(repeating: " ", count: max(0, width - name.count) + 2)
    let lineBreak = "\n" + String(repeating: " ", count: width + 4)
    return "  " + name + (name.count > width ? lineBreak : gap) + purpose
  }.joined(separator: "\n")
}
