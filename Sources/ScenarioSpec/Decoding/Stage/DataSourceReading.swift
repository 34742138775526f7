import Diagnostics
import YAMLSyntax

/// Reading of databases, lists, and the queries of providers.
extension DocumentReader {
  func readDatabases(_ fields: MappingReader) -> [DatabaseSpec] {
    fields.entries(.databases).compactMap { entry in
      let name = readStageName(entry)
      let subject = ValueSubject.entry(entry.key, of: .databases).text
      guard let parts = open(entry.value, LanguageTable.database, subject) else {
        return nil
      }
      let setup = readSetup(parts).flatMap { isPlainSQL($0) ? $0 : nil }
      guard let path = parts.scalar(.sqlite), let name else { return nil }
      return DatabaseSpec(name: name, path: path, setup: setup)
    }
  }

  private func readSetup(_ database: MappingReader) -> Located<String>? {
    guard let node = database[.setup]?.value, case .sequence = node.content else {
      return database.text(.setup)
    }
    reportWrongType(
      node, LanguageTable.database, .setup,
      help: "write all statements in one text, `setup: |`, each with a `;` at its end")
    return nil
  }

  func readDeclaredSources(_ fields: MappingReader) -> [DeclaredSourceSpec] {
    fields.entries(.sources).compactMap { entry in
      let name = readSourceName(entry)
      let subject = ValueSubject.entry(entry.key, of: .sources).text
      guard let parts = open(entry.value, LanguageTable.declaredSource, subject), let name
      else { return nil }
      let from = parts[.from]?.value
      let isMapping = from?.entries != nil
      var source = DeclaredSourceSpec(
        name: name, initial: parts.data(.initial),
        nameInTrace: isMapping ? nil : from.flatMap { readText($0, .key(.from)) })
      if isMapping, let from { source.lines = readLineMapping(from) }
      return source
    }
  }

  private func readLineMapping(_ node: YAMLNode) -> LineMappingSpec? {
    guard let parts = open(node, LanguageTable.lineMapping, ValueSubject.key(.from).text)
    else {
      return nil
    }
    return LineMappingSpec(
      condition: parts.expression(.where), value: parts.expression(.value),
      time: parts.expression(.time))
  }

  func readLists(_ fields: MappingReader) -> [ListSpec] {
    fields.entries(.lists).compactMap { entry in
      let name = readStageName(entry)
      let subject = ValueSubject.entry(entry.key, of: .lists).text
      guard let parts = open(entry.value, LanguageTable.list, subject) else { return nil }
      let start = parts.word(.start)
      guard let origin = readListOrigin(parts), let name else { return nil }
      return ListSpec(name: name, origin: origin, loadsAtStart: start?.value != "idle")
    }
  }

  private func readListOrigin(_ fields: MappingReader) -> ListSpec.Origin? {
    if fields.has(.items) { return fields.data(.items).map { .items($0) } }
    let with = fields.namedData(.with)
    let initial = fields.data(.initial)
    return fields.address(.from).map { .provider($0, with: with, initial: initial) }
  }

  /// Reads a query. It has the provider's parameters under their names.
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
    let bound = parameters.map { name in
      let expression = ExpressionText(name.value, name.range)
      return (name: name, value: DataSpec(.expression(expression), name.range))
    }
    let statement = StatementSpec(database: database, text: text, with: .named(bound))
    return .query(statement, isLive: isLive)
  }

  /// Joins the parts of a query that YAML splits at its commas in a map between braces.
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
    guard end > text.range.end, let file = reading.file else { return text }
    let range = SourceRange(file: text.range.file, start: text.range.start, end: end)
    let bytes = file.bytes[Int(range.start)..<Int(range.end)]
    return Located(String(decoding: bytes, as: UTF8.self), range)
  }
}
