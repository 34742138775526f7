/// What the program's ending tells the shell.
enum ExitCode: Int32, CaseIterable {
  case passed = 0
  case failed = 1
  case badInput = 2
  case couldNotRun = 3
  case nothingSelected = 4
  case interrupted = 130

  var meaning: String {
    switch self {
    case .passed: "all is well"
    case .failed: "something was not as expected"
    case .badInput: "a scenario or the command line is wrong"
    case .couldNotRun: "something went wrong outside of the scenarios"
    case .nothingSelected: "no scenario was selected"
    case .interrupted: "`serve` was interrupted before its steps were done"
    }
  }
}

let programVersion = "0.1.0"

/// What `rehearse --help` prints.
func overviewText() -> String {
  let verbs = Verb.allCases.map { ($0.rawValue, $0.page.purpose) }
  return """
    Rehearsal runs YAML scenarios and tells what happened differently.

    Usage: rehearse COMMAND …

    Commands:
    \(table(verbs))

    `rehearse COMMAND --help` tells about a command, `rehearse --version` the version.

    Exit codes:
    \(table(exitCodeRows))

    """
}

/// What `rehearse VERB --help` prints.
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

/// `-v, --verbose` or `    --seed N`, so that long names begin in one column.
private func optionName(_ entry: OptionEntry) -> String {
  let short = entry.short.map { "-\($0), " } ?? "    "
  let value = entry.value.map { entry.isOptional ? "[=\($0)]" : " " + $0 } ?? ""
  return short + "--" + entry.name.rawValue + value
}

/// Rows of two columns; the second begins on a line of its own where the first is long.
private func table(_ rows: [(String, String)]) -> String {
  let widest = 28
  let width = min(widest, rows.map(\.0.count).max() ?? 0)
  return rows.map { name, purpose in
    let gap = String(repeating: " ", count: max(0, width - name.count) + 2)
    let lineBreak = "\n" + String(repeating: " ", count: width + 4)
    return "  " + name + (name.count > width ? lineBreak : gap) + purpose
  }.joined(separator: "\n")
}
