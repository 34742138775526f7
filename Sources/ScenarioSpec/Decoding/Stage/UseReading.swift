import Diagnostics
import YAMLSyntax

extension StageReader {
  /// The component files of a stage, each with the name it has there.
  func readUses(_ fields: MappingReader) -> [UseSpec] {
    fields.elements(.use).compactMap { readUse($0) }
  }

  private func readUse(_ node: YAMLNode) -> UseSpec? {
    guard case .mapping(let entries) = node.content else {
      guard let path = values.readText(node, .element(.use)) else { return nil }
      return use(path, named: nil, with: [], at: node.range)
    }
    guard let entry = entries.first, entries.count == 1 else {
      values.reportWrongType(node, .element(.use), takes: LanguageTable.useShape)
      return nil
    }
    if entry.value.isNull { return use(entry.name, named: nil, with: [], at: node.range) }
    guard let fields = values.open(entry.value, LanguageTable.use, "`\(entry.key)`") else {
      return nil
    }
    let name = fields[.as].flatMap { values.readStageName($0.value, .key(.as)) }
    let with = fields.namedData(.with)
    if fields.has(.as), name == nil { return nil }
    return use(entry.name, named: name, with: with, at: node.range)
  }

  /// Without a name of its own, a component has that of its file.
  private func use(
    _ path: Located<String>, named name: Located<String>?, with: [NamedData], at range: SourceRange
  ) -> UseSpec? {
    if let name { return UseSpec(path: path, name: name, with: with, range: range) }
    let own = Located(nameOfComponent(path.value), path.range)
    guard values.isStageName(own) else {
      report(.fileNameIsNoName(path, name: own.value))
      return nil
    }
    reading.declare(own)
    return UseSpec(path: path, name: own, with: with, range: range)
  }
}

/// `components/license.component.yaml` is called `license`.
private func nameOfComponent(_ path: String) -> String {
  let file = path.split(separator: "/").last ?? ""
  return String(file.prefix { $0 != "." })
}
