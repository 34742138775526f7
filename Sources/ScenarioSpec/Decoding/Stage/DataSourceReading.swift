import Diagnostics
import Values
import YAMLSyntax

/// Databases, lists, and the statements of providers and steps.
extension ScenarioReader {
  func readDatabases(_ fields: MappingReader) -> [DatabaseSpec] {
    fields.entries(.databases).compactMap { entry in
      let name = readStageName(entry)
      let subject = Subject.entry(entry.key, of: .databases).text
      guard let parts = open(entry.value, LanguageTable.database, subject) else { return nil }
      let setup = parts.text(.setup).flatMap { isPlainSQL($0) ? $0 : nil }
      guard let path = parts.scalar(.sqlite), let name else { return nil }
      return DatabaseSpec(name: name, path: path, setup: setup)
    }
  }

  func readLists(_ fields: MappingReader) -> [ListSpec] {
    fields.entries(.lists).compactMap { entry in
      let name = readStageName(entry)
      let subject = Subject.entry(entry.key, of: .lists).text
      guard let parts = open(entry.value, LanguageTable.list, subject) else { return nil }
      guard let origin = readListOrigin(parts), let name else { return nil }
      return ListSpec(name: name, origin: origin)
    }
  }

  private func readListOrigin(_ fields: MappingReader) -> ListSpec.Origin? {
    if fields.has(.items) { return fields.data(.items).map { .items($0) } }
    let with = fields.namedData(.with)
    let initial = fields.data(.initial)
    return fields.address(.from).map { .provider($0, with: with, initial: initial) }
  }

  /// A query takes the provider's parameters under their names.
  func readQuery(_ fields: MappingReader, _ parameters: [Located<String>]) -> ProviderSpec.Origin? {
    let isLive = fields.bool(.live)?.value ?? false
    guard let entry = fields[.query], let database = fields.address(.database) else { return nil }
    guard entry.value.scalar != nil else {
      reportWrongType(entry.value, .key(.query), takes: .text)
      return nil
    }
    guard let first = readText(entry.value, .key(.query)) else { return nil }
    let text = withPiecesBehind(first, in: fields)
    guard isPlainSQL(text) else { return nil }
    let values = parameters.map { name in
      let expression = ExpressionText(name.value, name.range)
      return (name: name, value: DataSpec(.expression(expression), name.range))
    }
    let statement = StatementSpec(database: database, text: text, with: .named(values))
    return .query(statement, isLive: isLive)
  }

  /// In a map between braces YAML takes a query apart at its commas; here it is put together again.
  private func withPiecesBehind(_ text: Located<String>, in fields: MappingReader) -> Located<
    String
  > {
    var end = text.range.end
    var isBehind = false
    for entry in fields.entries {
      if entry.key == Key.query.rawValue {
        isBehind = true
      } else if isBehind {
        guard entry.continuesText else { break }
        end = entry.keyRange.end
      }
    }
    guard end > text.range.end, let file else { return text }
    let range = SourceRange(file: text.range.file, start: text.range.start, end: end)
    let bytes = file.bytes[Int(range.start)..<Int(range.end)]
    return Located(String(decoding: bytes, as: UTF8.self), range)
  }

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
          guard let name = readInnerName(entry), let value = readData(entry.value) else {
            return nil
          }
          return (name, value)
        })
    case .scalar:
      reportWrongType(node, fields.rule, .with)
      return nil
    }
  }

  /// Values are bound, never spliced into a statement.
  private func isPlainSQL(_ text: Located<String>) -> Bool {
    guard text.value.contains("${") else { return true }
    report(.splicedStatement(text.range))
    return false
  }
}
