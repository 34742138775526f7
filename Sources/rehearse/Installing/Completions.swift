import TextSearch

/// The shells whose completions can be printed.
enum Shell: String, CaseIterable {
  case bash, zsh, fish

  /// The script that teaches the shell commands, options and their values.
  var completions: String {
    switch self {
    case .bash: bashCompletions()
    case .zsh: zshCompletions()
    case .fish: fishCompletions()
    }
  }
}

/// The permitted values of an option. If the value may be left out, it comes after `=` only.
enum OptionValues: Equatable {
  case none
  case words([String])
  /// Words, or a file behind a text: `html=FILE`, `trace:FILE`.
  case wordsOrFiles([String], behind: String)
  case files
  /// Text that no list can name.
  case text
}

extension OptionEntry {
  /// The values of an option, by the table: words in small letters are themselves, and a file or
  /// folder is found on the disk.
  var values: OptionValues {
    guard let value else { return .none }
    switch value {
    case "FILE", "DIR": return .files
    case "FORMAT[=FILE]":
      return .wordsOrFiles(ReportRequest.Format.allCases.map(\.rawValue), behind: "=")
    case "WORLD":
      let trace = "trace:"
      return .wordsOrFiles(WorldChoice.allCases.map(\.rawValue) + [trace], behind: trace)
    default:
      let words = value.split(separator: "|").map(String.init)
      let areWords = words.allSatisfy { $0.allSatisfy { $0.isLowercase || $0 == "-" } }
      return areWords ? .words(words) : .text
    }
  }
}

/// Prints the completions of a shell.
func completionsVerb(_ shell: Shell) -> ExitCode { Terminal.show(shell.completions) }

/// Returns a text in single quotes, as all three shells read it.
func quotedForShell(_ text: String) -> String {
  "'" + text.replacing("'", with: "'\\''") + "'"
}
