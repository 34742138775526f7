import Diagnostics
import TextSearch
import YAMLSyntax

extension DocumentReader {
  /// Reads the component files of a stage, with their names there.
  func readUses(_ fields: MappingReader) -> [UseSpec] {
    fields.elements(.use).compactMap { readUse($0) }
  }

  private func readUse(_ node: YAMLNode) -> UseSpec? {
    guard case .mapping(let entries) = node.content else {
      guard let path = readText(node, .element(.use)) else { return nil }
      return use(path, named: nil, with: [], at: node.range)
    }
    guard let entry = entries.first, entries.count == 1 else {
      reportWrongType(node, .element(.use), takes: LanguageTable.useShape)
      return nil
    }
    if entry.value.isNull { return use(entry.name, named: nil, with: [], at: node.range) }
    guard let fields = open(entry.value, LanguageTable.use, "`\(entry.key)`") else {
      return nil
    }
    let name = fields[.as].flatMap { readStageName($0.value, .key(.as)) }
    let with = fields.namedData(.with)
    if fields.has(.as), name == nil { return nil }
    var made = use(entry.name, named: name, with: with, at: node.range)
    if let values = fields[.with]?.value { made?.places.add(values, at: "") }
    return made
  }

  /// Makes a use. Without a name of its own, a component has the name of its file.
  private func use(
    _ path: Located<String>, named name: Located<String>?, with: [NamedData], at range: SourceRange
  ) -> UseSpec? {
    if let name { return UseSpec(path: path, name: name, with: with, range: range) }
    let own = Located(nameOfComponent(path.value), path.range)
    guard isStageName(own) else {
      report(.fileNameIsNoName(path, name: own.value))
      return nil
    }
    reading.declare(own)
    return UseSpec(path: path, name: own, with: with, range: range)
  }
}

/// Returns the name of a component: `components/license.component.yaml` is `license`.
private func nameOfComponent(_ path: String) -> String {
  let file = path.split(separator: "/").last ?? ""
  return String(file.prefix { $0 != "." })
}

extension ValuePlaces {
  /// Adds what is in a value, in the form of JSON Pointers.
  mutating func add(_ node: YAMLNode, at pointer: String) {
    switch node.content {
    case .scalar: break
    case .sequence(let elements):
      for (number, element) in elements.enumerated() {
        self["\(pointer)/\(number)"] = (element.range, element.range)
        add(element, at: "\(pointer)/\(number)")
      }
    case .mapping(let entries):
      for entry in entries {
        let name = entry.key.replacing("~", with: "~0").replacing("/", with: "~1")
        self["\(pointer)/\(name)"] = (entry.keyRange, entry.value.range)
        add(entry.value, at: "\(pointer)/\(name)")
      }
    }
  }
}
