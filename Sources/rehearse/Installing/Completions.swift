import Diagnostics
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

/// What may follow an option.
enum OptionValues: Equatable {
  case none
  case words([String])
  case files
  /// Text that no list can name.
  case text
}

extension OptionEntry {
  /// What the table says about the value: words in small letters are themselves, and a file or
  /// folder is found on the disk.
  var values: OptionValues {
    guard let value, !isOptional else { return .none }
    let words = value.split(separator: "|").map(String.init)
    if words.allSatisfy({ $0.allSatisfy { $0.isLowercase || $0 == "-" } }) { return .words(words) }
    return ["FILE", "DIR"].contains(value) ? .files : .text
  }
}

/// Prints the completions of a shell.
func completionsVerb(_ shell: Shell) -> ExitCode { Terminal.show(shell.completions) }

private func bashCompletions() -> String {
  let cases = Verb.allCases.map { verb in
    let options = verb.page.allOptions.map { "--\($0.name.rawValue)" }.joined(separator: " ")
    return "    \(verb.rawValue)) options='\(options)' ;;"
  }
  let values = Verb.allCases.flatMap { verb in
    verb.page.allOptions.compactMap { bashValues(of: $0, after: verb) }
  }
  return """
    # Completions of rehearse for bash: source <(rehearse completions bash)
    _rehearse() {
      local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}
      local verbs='\(Verb.allCases.map(\.rawValue).joined(separator: " "))'
      local options=
      if ((COMP_CWORD == 1)); then
        COMPREPLY=($(compgen -W "$verbs --help --version" -- "$word"))
        return
      fi
      case "${COMP_WORDS[1]} $before" in
    \(values.joined(separator: "\n"))
      esac
      case ${COMP_WORDS[1]} in
    \(cases.joined(separator: "\n"))
      esac
      if [[ $word == -* ]]; then
        COMPREPLY=($(compgen -W "$options" -- "$word"))
      else
        COMPREPLY=($(compgen -f -- "$word"))
      fi
    }
    complete -o filenames -F _rehearse rehearse

    """
}

private func bashValues(of option: OptionEntry, after verb: Verb) -> String? {
  let names = [option.short.map { "-\($0)" }, "--\(option.name.rawValue)"].compactMap { $0 }
  let patterns = names.map { "'\(verb.rawValue) \($0)'" }.joined(separator: " | ")
  switch option.values {
  case .none, .files: return nil
  case .text: return "    \(patterns)) return ;;"
  case .words(let words):
    let list = words.joined(separator: " ")
    return "    \(patterns)) COMPREPLY=($(compgen -W '\(list)' -- \"$word\")); return ;;"
  }
}

private func zshCompletions() -> String {
  let cases = Verb.allCases.map { verb in
    let options = verb.page.allOptions.map { "        \(zshOption($0)) \\" }
    return """
          \(verb.rawValue)) _arguments \\
      \(options.joined(separator: "\n"))
              '*:path:_files' ;;
      """
  }
  let verbs = Verb.allCases.map {
    "    \(quotedForShell("\($0.rawValue):\($0.page.purpose)"))"
  }
  return """
    #compdef rehearse
    # Completions of rehearse for zsh: put this file into a folder of $fpath, as _rehearse.
    _rehearse() {
      local -a verbs=(
    \(verbs.joined(separator: "\n"))
      )
      if ((CURRENT == 2)); then
        _describe command verbs
        return
      fi
      local verb=$words[2]
      shift words
      ((CURRENT--))
      case $verb in
    \(cases.joined(separator: "\n"))
      esac
    }
    _rehearse "$@"

    """
}

private func zshOption(_ option: OptionEntry) -> String {
  let purpose = option.purpose.filter { !"[]:".contains($0) }
  let star = option.isRepeatable ? "*" : ""
  let value =
    switch option.values {
    case .none: ""
    case .words(let words): ":value:(\(words.joined(separator: " ")))"
    case .files: ":file:_files"
    case .text: ":value: "
    }
  let long = quotedForShell("\(star)--\(option.name.rawValue)[\(purpose)]\(value)")
  guard let short = option.short else { return long }
  return long + " " + quotedForShell("\(star)-\(short)[\(purpose)]\(value)")
}

private func fishCompletions() -> String {
  let verbs = Verb.allCases.map {
    "complete -c rehearse -n __fish_use_subcommand -f -a \($0.rawValue)"
      + " -d \(quotedForShell($0.page.purpose))"
  }
  let options = Verb.allCases.flatMap { verb in
    verb.page.allOptions.map { fishOption($0, after: verb) }
  }
  return "# Completions of rehearse for fish: rehearse completions fish | source\n"
    + (verbs + options).joined(separator: "\n") + "\n"
}

private func fishOption(_ option: OptionEntry, after verb: Verb) -> String {
  let value =
    switch option.values {
    case .none: ""
    case .words(let words): " -x -a \(quotedForShell(words.joined(separator: " ")))"
    case .files: " -r"
    case .text: " -x"
    }
  return "complete -c rehearse -n '__fish_seen_subcommand_from \(verb.rawValue)'"
    + (option.short.map { " -s \($0)" } ?? "") + " -l \(option.name.rawValue)\(value)"
    + " -d \(quotedForShell(option.purpose))"
}

private func quotedForShell(_ text: String) -> String {
  "'" + text.replacing("'", with: "'\\''") + "'"
}
