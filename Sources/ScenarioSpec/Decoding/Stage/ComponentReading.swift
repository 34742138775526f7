import Diagnostics
import Values
import YAMLSyntax

/// Reads the component of a file. The result is nil, with diagnostics, if there is none or if parts
/// of it are wrong.
package func decodeComponent(
  _ documents: [YAMLDocument], in sources: SourceMap, tables: TableFiles = .none
) -> Diagnosed<ComponentDocument?> {
  decodeOne(documents, in: sources, tables, orElse: Diagnostic.notAComponent) {
    $0.readComponent($1)
  }
}

/// Reads a file of steps for scripts at a place. The result is nil, with diagnostics, if it has no
/// steps or if parts of it are wrong.
package func decodeSteps(
  _ documents: [YAMLDocument], in sources: SourceMap, for place: Place,
  tables: TableFiles = .none
) -> Diagnosed<StepsDocument?> {
  decodeOne(documents, in: sources, tables, orElse: Diagnostic.notAStepsFile) {
    $0.readSteps($1, place)
  }
}

/// Reads a file of steps by itself. It is written for the place at which it has the fewest errors.
package func decodeSteps(
  _ documents: [YAMLDocument], in sources: SourceMap, tables: TableFiles = .none
) -> Diagnosed<StepsDocument?> {
  let readings = Place.ofStepsFiles.map {
    decodeSteps(documents, in: sources, for: $0, tables: tables)
  }
  let errors = readings.map { $0.diagnostics.count { $0.severity == .error } }
  let best = errors.indices.min { (errors[$0], $0) < (errors[$1], $1) }
  return readings[best ?? 0]
}

/// Reads the only document of a file.
func decodeOne<Document>(
  _ documents: [YAMLDocument], in sources: SourceMap, _ tables: TableFiles = .none,
  orElse complaint: (_ reason: String, _ place: SourceRange) -> Diagnostic,
  _ read: (DocumentReader, YAMLNode) -> Document?
) -> Diagnosed<Document?> {
  let filled = documents.filter { !$0.root.isNull }
  guard let first = filled.first else {
    return Diagnosed(nil, [complaint("it is empty", documents.first?.root.range ?? .none)])
  }
  if filled.count > 1 {
    return Diagnosed(
      nil, [complaint("it holds \(filled.count) documents", filled[1].root.firstPlace)])
  }
  let range = SourceRange(file: first.file, start: 0, end: 0)
  let reading = ReadingContext(file: sources.file(of: range), tables: tables)
  let document = read(DocumentReader(reading), first.root)
  let usable = !reading.diagnostics.hasErrors
  var result = Diagnosed(usable ? document : nil, reading.diagnostics.inOrderOfPlace())
  result.textPlaces = reading.textPlaces
  return result
}

/// Returns whether a file's documents are a component, by their keys.
package func isComponent(_ documents: [YAMLDocument]) -> Bool {
  guard let root = documents.first(where: { !$0.root.isNull })?.root else { return false }
  return root.entry(Key.component.rawValue) != nil && root.entry(Key.scenario.rawValue) == nil
}

extension YAMLNode {
  /// The first key of a map, else the whole node.
  fileprivate var firstPlace: SourceRange { entries?.first?.keyRange ?? range }
}

extension DocumentReader {
  func readComponent(_ node: YAMLNode) -> ComponentDocument? {
    for key in [Key.scenario, .steps, .finally, .cases] {
      guard let entry = node.entry(key.rawValue) else { continue }
      report(.notAComponent("it has `\(key.rawValue)`", at: entry.keyRange))
      return nil
    }
    guard let fields = open(node, LanguageTable.component, "a component") else { return nil }
    var component = ComponentDocument(range: node.range)
    component.title = fields.text(.component)
    component.description = fields.text(.description)?.value
    component.parameters = readParameters(fields)
    readStage(fields, into: &component.stage)
    component.stage.programs = readPrograms(fields)
    component.requires = fields.texts(.requires)
    return component
  }

  func readSteps(_ node: YAMLNode, _ place: Place) -> StepsDocument? {
    if let entry = node.entry(Key.scenario.rawValue) ?? node.entry(Key.component.rawValue) {
      report(.notAStepsFile("it has `\(entry.key)`", at: entry.keyRange))
      return nil
    }
    guard let fields = open(node, LanguageTable.stepsFile, "a file of steps") else {
      return nil
    }
    _ = fields.text(.description)
    let parameters = readParameters(fields)
    for parameter in parameters where parameter.kind.isPart || parameter.schema != nil {
      let what = parameter.kind.isPart ? "is a \(parameter.kind.rawValue)" : "has a `schema`"
      report(
        .notAStepsFile(
          "its parameter `\(parameter.name.value)` \(what)", at: parameter.name.range))
    }
    guard let entry = fields[.steps],
      let steps = readScript(
        entry.value, ScriptContext(place), .key(.steps), takes: .script(place))
    else { return nil }
    var document = StepsDocument(steps: steps, range: node.range)
    document.parameters = parameters
    return document
  }

  private func readParameters(_ fields: MappingReader) -> [ParameterSpec] {
    guard let node = fields[.params]?.value else { return [] }
    if case .sequence = node.content {
      return fields.elements(.params).compactMap { element in
        readStageName(element, .element(.params))
          .map { ParameterSpec(name: $0, kind: .any, initial: nil) }
      }
    }
    return fields.entries(.params).compactMap { readParameter($0) }
  }

  private func readParameter(_ entry: YAMLEntry) -> ParameterSpec? {
    let name = readStageName(entry)
    let node = entry.value
    guard LanguageTable.wordsOfParameters.contains(where: { node.entry($0.rawValue) != nil }) else {
      guard let initial = readData(node), let name else { return nil }
      return ParameterSpec(name: name, kind: kind(of: initial, node), initial: initial)
    }
    guard let fields = open(node, LanguageTable.parameter, "a parameter") else { return nil }
    let initial = fields.data(.default)
    let word = fields.word(.type)
    guard let name else { return nil }
    let inferred = initial.flatMap { initial in
      fields[.default].map { self.kind(of: initial, $0.value) }
    }
    let kind = word.flatMap { ParameterSpec.Kind(rawValue: $0.value) } ?? inferred ?? .any
    return ParameterSpec(
      name: name, kind: kind, initial: initial,
      schema: fields[.schema].flatMap { readLiteralData($0.value, .key(.schema)) },
      about: fields.text(.about)?.value)
  }

  /// Returns the type of values that may replace a default.
  private func kind(of initial: DataSpec, _ node: YAMLNode) -> ParameterSpec.Kind {
    switch initial.content {
    case .expression, .example: return .any
    case .text: return .text
    case .list: return .list
    case .map, .keyedMap: return .map
    case .literal(let value):
      if let scalar = node.scalar, scalar.style == .plain, case .string(let text) = value,
        case .success = parseDuration(text)
      {
        return .duration
      }
      return value.parameterKind
    }
  }
}

extension Value {
  fileprivate var parameterKind: ParameterSpec.Kind {
    switch self {
    case .string: .text
    case .int, .uint: .int
    case .double, .digits: .number
    case .bool: .bool
    case .duration: .duration
    case .list: .list
    case .map: .map
    case .null, .bytes, .timestamp, .type, .optional: .any
    }
  }
}
