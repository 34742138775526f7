/// Returns what the table of the language says about a word: steps, operators of streams, and the
/// keys of all other mappings. The `$` of a matcher may be left out.
package func explanations(of word: String) -> [String] {
  let steps = LanguageTable.steps.filter { $0.verb.name == word }.map(explanation)
  let operators = LanguageTable.streamOperators.filter { $0.verb.name == word }.map(explanation)
  return steps + operators + keys(named: word) + keys(named: "$" + word)
}

/// The words that `explanations` knows, by their kinds.
package let explainedWords: [(title: String, words: [String])] = [
  ("Steps", words(LanguageTable.steps.map(\.verb.name))),
  ("Operators of streams", words(LanguageTable.streamOperators.map(\.verb.name))),
  ("Keys and matchers", words(LanguageTable.mappings.flatMap { $0.keys.map(\.name) })),
]

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
