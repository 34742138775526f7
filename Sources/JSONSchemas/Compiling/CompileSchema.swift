import Values

/// The compiler from schemas to nodes. It compiles one after the other, so that deep references
/// cost no stack.
final class SchemaCompiler {
  private struct Key: Hashable {
    var document: Int
    var pointer: String
  }

  let registry: SchemaRegistry
  private(set) var nodes: [SchemaNode] = []
  private var places: [SchemaPlace] = []
  private var ids: [Key: SchemaID] = [:]
  /// Dynamic anchors that are referred to, in the order of their tables.
  private var dynamicNames: [String] = []
  /// True if `format` is a rule for texts; otherwise it is an annotation, as the drafts have it.
  let checksFormats: Bool
  private(set) var remarks: [SchemaRemark] = []

  init(_ registry: SchemaRegistry, checksFormats: Bool) {
    self.registry = registry
    self.checksFormats = checksFormats
  }

  func remark(_ place: SchemaPlace, _ kind: SchemaRemark.Kind) {
    // Documents that are referred to are not the author's.
    guard place.resource.document.id == 0 else { return }
    remarks.append(SchemaRemark(path: place.pointer, kind: kind))
  }

  func compile(
    _ value: Value, base: String, _ draft: SchemaDraft
  ) -> Result<SchemaProgram, SchemaProblems> {
    let document = registry.add(value, uri: base, draft: draft)
    // All schemas of the document itself are compiled, so that mistakes in any of them are
    // reported.
    let root = id(of: document.places[0])
    for place in document.places { _ = id(of: place) }
    let dynamicAnchors = compileAll()
    if registry.problems.isEmpty { reportLoops() }
    guard registry.problems.isEmpty else {
      return .failure(SchemaProblems(all: registry.problems))
    }
    return .success(SchemaProgram(nodes: nodes, root: root, dynamicAnchors: dynamicAnchors))
  }

  /// Returns the node of a schema. A new one is filled later.
  func id(of place: SchemaPlace) -> SchemaID {
    let key = Key(document: place.resource.document.id, pointer: place.pointer)
    if let known = ids[key] { return known }
    let id = SchemaID(nodes.count)
    ids[key] = id
    nodes.append(SchemaNode(resource: place.resource.id, location: place.location))
    places.append(place)
    return id
  }

  /// Returns the table of the schemas with this dynamic anchor.
  func anchorTable(_ name: String) -> Int {
    if let known = dynamicNames.firstIndex(of: name) { return known }
    dynamicNames.append(name)
    return dynamicNames.count - 1
  }

  private func compileAll() -> [[Int: SchemaID]] {
    var next = 0
    while true {
      while next < places.count {
        if next == SchemaLimits.schemas {
          registry.report(places[next], "", "there are more than \(next) schemas")
          return []
        }
        fill(nodes[next], places[next])
        next += 1
      }
      let tables = dynamicNames.map(makeTable)
      // Schemas that are found only through their dynamic anchors are compiled as well.
      if next == places.count { return tables }
    }
  }

  private func makeTable(_ name: String) -> [Int: SchemaID] {
    var table: [Int: SchemaID] = [:]
    for resource in registry.allResources where resource.dynamicAnchors.contains(name) {
      guard let anchor = resource.anchors[name] else { continue }
      table[resource.id] = id(
        of: SchemaPlace(value: anchor.value, pointer: anchor.pointer, resource: resource))
    }
    return table
  }

  private func fill(_ node: SchemaNode, _ place: SchemaPlace) {
    switch place.value {
    case .bool(let verdict): node.verdict = verdict
    case .map(let map):
      let reader = KeywordReader(compiler: self, place: place, keywords: usableKeywords(map, place))
      reader.readConstants(into: node)
      reader.readNumberRules(into: node)
      reader.readTextRules(into: node)
      reader.readListRules(into: node)
      reader.readMapRules(into: node)
      reader.readApplied(into: node)
    default:
      let shown = place.value.display(maxLength: 40)
      registry.report(place, "", "a schema must be an object, true or false, not \(shown)")
    }
  }

  /// Returns the keywords that apply here and have an allowed value.
  private func usableKeywords(_ map: ValueMap, _ place: SchemaPlace) -> [String: Value] {
    if place.isReferenceOnly(map) { return ["$ref": map["$ref"] ?? .null] }
    let keywords = SchemaKeyword.named(in: place.resource.draft)
    var usable: [String: Value] = [:]
    for (key, value) in map {
      guard case .string(let name) = key else { continue }
      guard let keyword = keywords[name] else {
        if let kind = SchemaKeyword.remark(onUnknown: name, value) { remark(place, kind) }
        continue
      }
      guard keyword.counts(in: place.resource) || (checksFormats && keyword.name == "format") else {
        continue
      }
      if let problem = keyword.problem(value) {
        registry.report(place, "/" + name, problem.message, help: problem.help)
      } else {
        usable[name] = value
      }
    }
    return usable
  }

  /// Reports schemas that refer to themselves without entering the value: applying them would never
  /// end.
  private func reportLoops() {
    var isDone = [Bool](repeating: false, count: nodes.count)
    for start in nodes.indices.map(SchemaID.init) where !isDone[start.index] {
      var way = [start]
      var isOnWay: Set<SchemaID> = [start]
      var open = [nodes[start.index].applied.flatMap(\.always)]
      while let last = way.last {
        guard let next = open[open.count - 1].popLast() else {
          isDone[last.index] = true
          isOnWay.remove(last)
          way.removeLast()
          open.removeLast()
          continue
        }
        if isOnWay.contains(next) {
          return registry.report(
            places[next.index], "",
            "this schema applies itself to the same value again, without end")
        }
        if isDone[next.index] { continue }
        way.append(next)
        isOnWay.insert(next)
        open.append(nodes[next.index].applied.flatMap(\.always))
      }
    }
  }
}

extension SchemaKeyword {
  /// Returns whether the keyword is read; annotations are ignored.
  func counts(in resource: SchemaResource) -> Bool {
    switch vocabulary {
    case .core, .applicator, .unevaluated, .validation: resource.vocabularies.contains(vocabulary)
    case .metaData, .content, .formatAnnotation: false
    }
  }
}
