import TextSearch

/// Returns what the table of the language says about a word: steps, operators of streams, and the
/// keys of all other mappings. The `$` of a matcher may be left out.
package func explanations(of word: String) -> [String] {
  let steps = LanguageTable.steps.filter { $0.verb.name == word }.map(explanation)
  let operators = LanguageTable.streamOperators.filter { $0.verb.name == word }.map(explanation)
  return steps + operators + companions(named: word) + keys(named: word) + keys(named: "$" + word)
}

/// The words that `explanations` knows, by their kinds.
package let explainedWords: [(title: String, words: [String])] = [
  ("Steps", words(LanguageTable.steps.map(\.verb.name))),
  ("Operators of streams", words(LanguageTable.streamOperators.map(\.verb.name))),
  ("Keys and matchers", words(LanguageTable.mappings.flatMap { $0.keys.map(\.name) })),
  ("Keys beside steps and operators", words(companions.map(\.key.name))),
]

/// The keys that stand beside a verb, which is a step or an operator.
private let companions: [(key: KeyRule, verb: KeyRule)] =
  (LanguageTable.steps.map { ($0.mapping, $0.verb) }
  + LanguageTable.streamOperators.map { ($0.mapping, $0.verb) })
  .flatMap { mapping, verb in mapping.keys.filter { $0 !== verb }.map { (key: $0, verb: verb) } }

private func companions(named word: String) -> [String] {
  companions.filter { $0.key.name == word }.map { key, verb in
    paragraphs([
      "\(word): a key beside `\(verb.name)`", key.text, "It takes \(key.shape.phrase).",
      indented(["\(verb.name): \(verb.example)", "\(word): \(key.example)"]),
    ])
  }
}

private func words(_ all: [String]) -> [String] { Set(all).sorted() }

private func explanation(_ step: StepRule) -> String {
  let form = step.isWord ? "- \(step.verb.name)" : "- \(step.verb.name): \(step.verb.example)"
  let required = step.mapping.keys.filter { $0.isRequired && $0 !== step.verb }
  return paragraphs(
    [
      "\(step.verb.name): a step", step.verb.text,
      indented([form] + required.map { "  \($0.name): \($0.example)" }),
      step.isWord ? "" : "It takes \(step.verb.shape.phrase).",
      "It stands in \(step.places.map(\.text).joined(separator: ", ")).",
    ] + companions(of: step.mapping, beside: step.verb))
}

private func explanation(_ rule: StreamOperatorRule) -> String {
  paragraphs(
    ["\(rule.verb.name): an operator of streams", rule.verb.text, indented(rule.forms)]
      + companions(of: rule.mapping, beside: rule.verb))
}

private func companions(of mapping: MappingRule, beside verb: KeyRule) -> [String] {
  let keys = mapping.keys.filter { $0 !== verb }
  return keys.isEmpty ? [] : ["Beside it:", indented(keys.map { "\($0.name): \($0.text)" })]
}

private func keys(named word: String) -> [String] {
  LanguageTable.mappings.flatMap { mapping in
    mapping.keys.filter { $0.name == word }.map { key in
      let kind = word.hasPrefix("$") ? "a matcher" : "a key of “\(mapping.title)”"
      return paragraphs([
        "\(word): \(kind)", key.text, "It takes \(key.shape.phrase).",
        indented(["\(word): \(key.example)"]),
      ])
    }
  }
}

private func paragraphs(_ all: [String]) -> String {
  all.filter { !$0.isEmpty }.joined(separator: "\n\n") + "\n"
}

private func indented(_ lines: [String]) -> String {
  lines.map { "    " + $0 }.joined(separator: "\n")
}
