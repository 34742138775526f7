import TextSearch

/// Returns the section about the operators of streams.
func streamOperatorsSection() -> String {
  let kinds = StreamOperatorRule.Kind.allCases.flatMap { kind -> [String] in
    let rules = LanguageTable.streamOperators.filter { $0.kind == kind }
    return ["### \(kind.title)", "", "| operator | written | meaning |", "|---|---|---|"]
      + rules.map(operatorRow) + [""]
  }
  return ([operatorsIntroduction] + kinds).joined(separator: "\n")
}

private let operatorsIntroduction = """
  ## Operators of streams

  The elements of `through`, each a word or a map with one verb. In expressions `value` is the value
  that passes, its fields are in scope by name, and so is the stage. Places that take a source take
  an input with `where` and `map` as well where the table shows one.

  """

private func operatorRow(_ rule: StreamOperatorRule) -> String {
  let companions = rule.mapping.keys.filter { $0 !== rule.verb }
  let texts = [rule.verb.text] + companions.map { "`\($0.name)`: \($0.text)" }
  let forms = rule.forms.map { "`\($0)`" }.joined(separator: "<br>")
  return row("`\(rule.verb.name)`", forms, texts.joined(separator: " "))
}

extension StreamOperatorRule.Kind {
  fileprivate var title: String {
    switch self {
    case .values: "One value after the other"
    case .counting: "Some of the values"
    case .time: "Time"
    case .failures: "Failures"
    case .several: "Other streams"
    case .calls: "Calls"
    case .sharing: "Who subscribes"
    }
  }
}
