import TextSearch

/// Returns the reference page of the language, in Markdown.
package func referencePage() -> String {
  let parts =
    [introduction] + LanguageTable.mappings.map(section) + [streamOperatorsSection()]
    + [stepsIntroduction]
    + stepKinds.flatMap { [$0.introduction] + sections(ofSteps: $0.kind) } + [reservedNames()]
  return parts.joined(separator: "\n")
}

private let introduction = """
  # Reference

  Every mapping of the language and its keys. The decoder, the editors' schemas in `schemas/` and
  this page are made from one table; [the language](language.md) explains how the pieces work
  together.

  Shapes: a *name* is letters, digits and `_` and does not begin with a digit; an *address* is names
  joined by dots (`catFacts.fact`); a *duration* is `300ms`, `2s`, `1m30s` or `7d`; an *expression*
  is CEL, written bare; a *value* is any data, and `${…}` puts expressions into it; a *matcher*
  says what a value must be like; a *diagram* shows events over time, tick by tick.

  """

private let stepsIntroduction = """
  ## Steps

  A step is a map with one verb, and with the keys that go with the verb.

  """

private let stepKinds: [(kind: StepRule.Kind, introduction: String)] = [
  (.acting, "### Steps that act\n"), (.structure, "### Time and structure\n"),
  (.asserting, "### Assertions\n"), (.answering, "### Answers of mock endpoints\n"),
]

private func section(_ rule: MappingRule) -> String {
  var lines = ["## \(rule.title)", "", rule.text, ""]
  lines += table(of: rule.keys, other: rule.otherKey)
  for group in rule.exactlyOneOf { lines += ["", "Exactly one of \(list(group)) is required."] }
  for group in rule.atMostOneOf { lines += ["", "At most one of \(list(group)) is allowed."] }
  if let (key, others) = rule.together {
    lines += ["", "`\(key.rawValue)` is also allowed beside `\(others[0].rawValue)`."]
  }
  var needs = rule.needs
  while let need = needs.first {
    let keys = needs.filter { $0.oneOf == need.oneOf }.map(\.key)
    needs.removeAll { $0.oneOf == need.oneOf }
    let verb = keys.count == 1 ? "needs" : "need"
    lines += ["", "\(list(keys)) \(verb) one of \(list(need.oneOf)) beside it."]
  }
  return (lines + [""]).joined(separator: "\n")
}

private func sections(ofSteps kind: StepRule.Kind) -> [String] {
  LanguageTable.steps.filter { $0.kind == kind }.map(section)
}

private func section(_ step: StepRule) -> String {
  let verb = step.verb
  var lines = ["#### \(verb.name)", "", verb.text, "", "```yaml"]
  lines.append(step.isWord ? "- \(verb.name)" : "- \(verb.name): \(verb.example)")
  let required = step.mapping.keys.filter { $0.isRequired && $0 !== verb }
  lines += required.map { "  \($0.name): \($0.example)" }
  lines += ["```", ""]
  if !step.isWord { lines += ["Takes \(verb.shape.phrase).", ""] }
  lines += ["Allowed in \(step.places.map(\.text).joined(separator: ", "))."]
  let companions = step.mapping.keys.filter { $0 !== verb }
  if !companions.isEmpty { lines += [""] + table(of: companions, other: nil) }
  return (lines + [""]).joined(separator: "\n")
}

private func table(of keys: [KeyRule], other: OtherKey?) -> [String] {
  var rows = ["| key | takes | meaning | example |", "|---|---|---|---|"]
  if let other {
    rows.append(
      row("*\(other.placeholder)*", other.shape.phrase, other.text, "`\(other.example)`"))
  }
  for key in keys {
    let name = "`\(key.name)`" + (key.isRequired ? " (required)" : "")
    rows.append(row(name, key.shape.phrase, key.text, "`\(key.example)`"))
  }
  return rows
}

func row(_ cells: String...) -> String {
  "| " + cells.map(escaped).joined(separator: " | ") + " |"
}

/// Returns a cell's text. A bar would end the cell, even within code.
private func escaped(_ text: String) -> String {
  text.split(separator: "|", omittingEmptySubsequences: false).joined(separator: "\\|")
}

private func list(_ keys: [Key]) -> String {
  keys.map { "`\($0.rawValue)`" }.joined(separator: ", ")
}

private func reservedNames() -> String {
  let words = { (words: [String]) in words.map { "`\($0)`" }.joined(separator: " ") }
  return """
    ## Reserved names

    No name anywhere: \(words(ReservedNames.expressionWords)).

    No name of a thing on the stage, besides: \(words(ReservedNames.scopeWords))
    \(words(LanguageTable.entryOptions)). (`events` is the source of what `emit` emits.)

    """
}
