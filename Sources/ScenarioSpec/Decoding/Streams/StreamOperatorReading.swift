import Diagnostics
import YAMLSyntax

extension DocumentReader {
  /// Reads the operators under `through`; nil if one of them is wrong.
  func readOperators(_ fields: MappingReader) -> [StreamOperatorSpec]? {
    fields.assertShape(.through) { $0 == .streamOperators }
    if let node = fields[.through]?.value, case .mapping = node.content {
      let help = "begin each operator with `- `"
      reportWrongType(node, .key(.through), takes: .streamOperators, help: help)
      return nil
    }
    let nodes = fields.elements(.through)
    let operators = nodes.compactMap { readStreamOperator($0) }
    return operators.count == nodes.count ? operators : nil
  }

  private func readStreamOperator(_ node: YAMLNode) -> StreamOperatorSpec? {
    switch node.content {
    case .mapping(let entries): return readOperator(node, entries)
    case .scalar(let scalar) where scalar.isText: return readOperatorWord(scalar, node.range)
    case .scalar, .sequence:
      report(.noStreamOperator(found: node.isNull ? "nothing" : node.kindName, at: node.range))
      return nil
    }
  }

  private func readOperatorWord(_ scalar: YAMLScalar, _ range: SourceRange) -> StreamOperatorSpec? {
    let name = Located(scalar.text, range)
    guard let rule = LanguageTable.streamOperator(named: name.value) else {
      reportUnknownOperator(name, isKey: false)
      return nil
    }
    guard let kind = rule.word else {
      reading.noting(rule.note) {
        report(.missingParameter(of: rule, at: range))
      }
      return nil
    }
    return StreamOperatorSpec(kind: kind, name: name, rule: rule)
  }

  private func readOperator(_ node: YAMLNode, _ entries: YAMLEntries) -> StreamOperatorSpec? {
    guard let (rule, verb) = findOperator(node, entries) else { return nil }
    let kind = reading.noting(rule.note) { () -> StreamOperator<Written>? in
      guard let fields = open(node, rule.mapping, "") else { return nil }
      return rule.read(
        OperatorReading(reader: self, fields: fields, rule: rule, node: verb.value))
    }
    return kind.map { StreamOperatorSpec(kind: $0, name: verb.name, rule: rule) }
  }

  private func findOperator(_ node: YAMLNode, _ entries: YAMLEntries)
    -> (StreamOperatorRule, YAMLEntry)?
  {
    var found: (rule: StreamOperatorRule, entry: YAMLEntry)?
    for entry in entries {
      guard let rule = LanguageTable.streamOperator(named: entry.key) else { continue }
      // A verb may stand beside another as its option: `max`.
      if let other = found, other.rule.mapping.rule(named: entry.key) != nil { continue }
      if let other = found, rule.mapping.rule(named: other.entry.key) == nil {
        report(.twoStreamOperators(KeyPlace(other.entry), KeyPlace(entry)))
        return nil
      }
      found = (rule, entry)
    }
    if found == nil { reportNoOperator(node, entries) }
    return found
  }

  private func reportNoOperator(_ node: YAMLNode, _ entries: YAMLEntries) {
    guard let first = entries.first else {
      return report(.noStreamOperator(found: "empty", at: node.range))
    }
    let companions = entries.filter { !LanguageTable.operators(takingBeside: $0.key).isEmpty }
    let unknown = entries.first { entry in !companions.contains { $0.key == entry.key } }
    reportUnknownOperator((unknown ?? first).name, isKey: true)
  }

  private func reportUnknownOperator(_ name: Located<String>, isKey: Bool) {
    let owners = isKey ? LanguageTable.operators(takingBeside: name.value) : []
    let known = LanguageTable.streamOperators.map(\.verb.name)
    let help =
      owners.isEmpty
      ? ForeignOperators.help(for: name.value)
        ?? nearestName(to: name.value, among: known).map { "write `\($0)`" }
      : "`\(name.value)` goes with " + owners.map { "`\($0)`" }.joined(separator: ", ")
    report(.unknownStreamOperator(name.value, help: help, at: name.range))
  }
}

extension StreamOperatorRule {
  fileprivate var note: Diagnostic.Fact { .init("signature", forms.joined(separator: "   ")) }
}

extension LanguageTable {
  /// Returns the operators that take this key beside their verb.
  static func operators(takingBeside key: String) -> [String] {
    streamOperators.filter { rule in
      rule.mapping.keys.contains { $0.name == key && $0 !== rule.verb }
    }.map(\.verb.name)
  }
}
