/// Returns the completions of fish.
func fishCompletions() -> String {
  let verbs = Verb.allCases.map {
    "complete -c rehearse -n __fish_use_subcommand -f -a \($0.rawValue)"
      + " -d \(quotedForShell($0.page.purpose))"
  }
  let options = Verb.allCases.flatMap { verb in
    verb.page.allOptions.map { fishOption($0, after: verb) }
  }
  return "# Completions of rehearse for fish: rehearse completions fish | source\n"
    + functions + (verbs + options).joined(separator: "\n") + "\n"
}

/// The functions that offer values: fish gives a function the option as well, and expects the value
/// alone.
private let functions = #"""
  function __rehearse_typed
      commandline -ct | string unescape | string replace -r -- '^--[^=]*=' ''
  end
  function __rehearse_value
      set -l parts (string split -m 1 -- $argv[1] (__rehearse_typed))
      if set -q parts[2]
          for file in (__fish_complete_path $parts[2])
              printf '%s\n' "$parts[1]$argv[1]$file"
          end
      else
          printf '%s\n' $argv[2..-1]
      end
  end

  """#

private func fishOption(_ option: OptionEntry, after verb: Verb) -> String {
  let isNeeded = option.isOptional ? " -f" : " -x"
  let value =
    switch option.values {
    case .none: ""
    case .words(let words): "\(isNeeded) -a \(quotedForShell(words.joined(separator: " ")))"
    case .wordsOrFiles(let words, let behind):
      "\(isNeeded) -a '(__rehearse_value \(behind) \(words.joined(separator: " ")))'"
    case .files: "\(isNeeded) -a '(__fish_complete_path (__rehearse_typed))'"
    case .text: option.isOptional ? "" : " -x"
    }
  return "complete -c rehearse -n '__fish_seen_subcommand_from \(verb.rawValue)'"
    + (option.short.map { " -s \($0)" } ?? "") + " -l \(option.name.rawValue)\(value)"
    + " -d \(quotedForShell(option.purpose))"
}
