/// Returns the completions of bash.
///
/// Bash breaks the words of a line at `=` and `:`, and replaces only what stands behind the last of
/// them. The function reads whole words from the line, and leaves out of its answers what stays.
func bashCompletions() -> String {
  """
  # Completions of rehearse for bash: source <(rehearse completions bash)
  _rehearse() {
  \(readingOfWords)
    local head= list= behind=
    if ((${#words[@]} == 2)); then
      list='\(Verb.allCases.map(\.rawValue).joined(separator: " ")) --help --version'
    else
      local before=${words[${#words[@]}-2]} options=
      if [[ $word == --*=* ]]; then
        before=${word%%=*}=
        head=$before
      fi
      case ${words[1]} in
  \(Verb.allCases.map(options).joined(separator: "\n"))
      esac
      case "${words[1]} $before" in
  \(Verb.allCases.flatMap(values).joined(separator: "\n"))
        *) if [[ $word == -* ]]; then list=$options; fi ;;
      esac
    fi
  \(answer)
  }
  complete -F _rehearse rehearse

  """
}

/// The words up to the cursor: `word` is the last one, and `kept` the part of it that bash keeps.
private let readingOfWords = #"""
    local line=${COMP_LINE:0:COMP_POINT} words=() piece= i
    for ((i = 0; i <= COMP_CWORD; i++)); do
      piece=${COMP_WORDS[i]}
      if [[ $i == 0 || $line == [[:space:]]* ]]; then
        line=${line#"${line%%[![:space:]]*}"}
        words+=('')
      fi
      if ((i == COMP_CWORD)); then piece=$line; fi
      words[${#words[@]}-1]+=$piece
      line=${line#"$piece"}
    done
    if [[ $piece == [=:] ]]; then piece=; fi
    local word=${words[${#words[@]}-1]}
    local kept=${word%"$piece"}
  """#

private let answer = #"""
    local value=${word#"$head"}
    if [[ -n $behind && $value == *"$behind"* ]]; then
      value=${value#*"$behind"}
      head=${word%"$value"}
      list=
    fi
    if [[ -n $list ]]; then
      mapfile -t COMPREPLY < <(compgen -W "$list" -- "$value")
      if [[ -n $behind ]]; then compopt -o nospace 2> /dev/null; fi
    else
      value=${value#[\'\"]}
      mapfile -t COMPREPLY < <(compgen -f -- "${value//\\/}")
      compopt -o filenames 2> /dev/null
    fi
    kept=${kept#[\'\"]}
    kept=${kept//\\/}
    for i in "${!COMPREPLY[@]}"; do
      COMPREPLY[i]=$head${COMPREPLY[i]}
      COMPREPLY[i]=${COMPREPLY[i]#"$kept"}
    done
  """#

private func options(of verb: Verb) -> String {
  let names = verb.page.allOptions.map { "--\($0.name.rawValue)" }
  return "      \(verb.rawValue)) options='\(names.joined(separator: " "))' ;;"
}

private func values(after verb: Verb) -> [String] {
  verb.page.allOptions.compactMap { option in
    action(of: option.values).map { "      \(patterns(of: option, after: verb))) \($0) ;;" }
  }
}

/// Returns the texts before the value: `run --color`, `run --color=`.
private func patterns(of option: OptionEntry, after verb: Verb) -> String {
  let long = "--\(option.name.rawValue)"
  let apart = option.isOptional ? [] : [option.short.map { "-\($0)" }, long].compactMap { $0 }
  return (apart + [long + "="]).map { "'\(verb.rawValue) \($0)'" }.joined(separator: " | ")
}

private func action(of values: OptionValues) -> String? {
  switch values {
  case .none: nil
  case .words(let words): "list='\(words.joined(separator: " "))'"
  case .wordsOrFiles(let words, let behind):
    "list='\(words.joined(separator: " "))' behind='\(behind)'"
  // Without a list, files are offered.
  case .files: "list="
  case .text: "return"
  }
}
