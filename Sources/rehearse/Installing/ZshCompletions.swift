import TextSearch

/// Returns the completions of zsh.
func zshCompletions() -> String {
  let verbs = Verb.allCases.map {
    "    \(quotedForShell("\($0.rawValue):\($0.page.purpose)"))"
  }
  return """
    #compdef rehearse
    # Completions of rehearse for zsh: put this file into a folder of $fpath, as _rehearse.
    _rehearse_value() {
      local behind=$1
      shift
      if compset -P 1 "*$behind"; then _files; else compadd -S '' -- "$@"; fi
    }
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
    \(Verb.allCases.map(arguments).joined(separator: "\n"))
      esac
    }
    _rehearse "$@"

    """
}

private func arguments(of verb: Verb) -> String {
  let options = verb.page.allOptions.map { "        \(zshOption($0)) \\" }
  return """
          \(verb.rawValue)) _arguments \\
    \(options.joined(separator: "\n"))
            '*:path:_files' ;;
    """
}

private func zshOption(_ option: OptionEntry) -> String {
  let purpose = option.purpose.filter { !"[]:".contains($0) }
  let star = option.isRepeatable ? "*" : ""
  let value = option.values == .none ? "" : (option.isOptional ? "::" : ":") + action(of: option)
  // A value that may be left out stands behind `=`.
  let sign = option.values == .none ? "" : option.isOptional ? "=-" : "="
  let long = quotedForShell("\(star)--\(option.name.rawValue)\(sign)[\(purpose)]\(value)")
  guard let short = option.short else { return long }
  return long + " " + quotedForShell("\(star)-\(short)[\(purpose)]\(value)")
}

/// The name of the value, and what offers it.
private func action(of option: OptionEntry) -> String {
  switch option.values {
  case .none: ""
  case .words(let words): "value:(\(words.joined(separator: " ")))"
  case .wordsOrFiles(let words, let behind):
    // The space before it keeps zsh from adding arguments of its own.
    "value: _rehearse_value "
      + ([behind] + words).joined(separator: " ").replacing(":", with: "\\:")
  case .files: "file:_files"
  case .text: "value: "
  }
}
