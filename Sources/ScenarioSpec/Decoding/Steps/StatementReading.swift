import Values
import YAMLSyntax

/// Reading of the step `sql`.
extension DocumentReader {
  func readSQL(_ node: YAMLNode, _ rule: MappingRule) -> [StatementSpec]? {
    guard case .mapping(let entries) = node.content else {
      reportWrongType(node, rule, .sql)
      return nil
    }
    if entries.isEmpty { report(.emptyMap("`sql`", at: node.range)) }
    let statements = entries.compactMap { readStatement($0) }
    return statements.isEmpty || statements.count < entries.count ? nil : statements
  }

  private func readStatement(_ entry: YAMLEntry) -> StatementSpec? {
    let database = readAddress(entry)
    guard case .mapping = entry.value.content else {
      let text = readText(entry.value, .entry(entry.key, of: .sql))
      guard let text, isPlainSQL(text), let database else { return nil }
      return StatementSpec(database: database, text: text, with: .positional([]))
    }
    guard let fields = open(entry.value, LanguageTable.statement, "`\(entry.key)`") else {
      return nil
    }
    let with = readValues(fields)
    guard let text = fields.text(.statement), isPlainSQL(text), let database, let with else {
      return nil
    }
    return StatementSpec(database: database, text: text, with: with)
  }

  private func readValues(_ fields: MappingReader) -> StatementSpec.Values? {
    guard let node = fields[.with]?.value else { return .positional([]) }
    switch node.content {
    case .sequence(let nodes): return .positional(nodes.compactMap { readData($0) })
    case .mapping(let entries):
      return .named(
        entries.compactMap { entry in
          guard let name = readInnerName(entry), let value = readData(entry.value)
          else {
            return nil
          }
          return (name, value)
        })
    case .scalar:
      reportWrongType(node, fields.rule, .with)
      return nil
    }
  }
}

extension DocumentReader {
  /// Returns whether a statement has no expression in its text: values are always bound.
  func isPlainSQL(_ text: Located<String>) -> Bool {
    guard text.value.holdsExpression else { return true }
    report(.splicedStatement(text.range))
    return false
  }
}
