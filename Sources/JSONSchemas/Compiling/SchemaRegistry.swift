import Values

/// A schema with a URI of its own. References are resolved against it, and anchors belong to it.
final class SchemaResource {
  let id: Int
  let uri: SchemaURI
  let draft: SchemaDraft
  let vocabularies: Set<SchemaKeyword.Vocabulary>
  /// The document it is part of, which the registry keeps.
  unowned let document: SchemaDocument
  let pointer: String
  let value: Value
  /// The targets of the anchors, from the document's root.
  var anchors: [String: (pointer: String, value: Value)] = [:]
  var dynamicAnchors: Set<String> = []

  init(
    id: Int, uri: SchemaURI, dialect: SchemaDialect, document: SchemaDocument, pointer: String,
    value: Value
  ) {
    self.id = id
    self.uri = uri
    self.draft = dialect.draft
    self.vocabularies = dialect.vocabularies
    self.document = document
    self.pointer = pointer
    self.value = value
  }

  var dialect: SchemaDialect { SchemaDialect(draft: draft, vocabularies: vocabularies) }
  var root: SchemaPlace { SchemaPlace(value: value, pointer: pointer, resource: self) }
}

/// The dialect of schemas: the draft, and the enabled groups of its keywords.
struct SchemaDialect {
  var draft: SchemaDraft
  var vocabularies = Set(SchemaKeyword.Vocabulary.allCases)
}

/// A scanned document, and the schemas with URIs of their own inside it.
final class SchemaDocument {
  let id: Int
  let uri: String
  var resources: [String: SchemaResource] = [:]
  /// The places of all schemas.
  var places: [SchemaPlace] = []

  init(id: Int, uri: String) {
    self.id = id
    self.uri = uri
  }
}

/// A schema in its document.
struct SchemaPlace {
  var value: Value
  /// The JSON Pointer from the document's root.
  var pointer: String
  var resource: SchemaResource

  func inner(_ path: String, _ value: Value) -> SchemaPlace {
    SchemaPlace(value: value, pointer: pointer + path, resource: resource)
  }

  /// The place for people and programs: the URI of its schema and a pointer from there.
  var location: String {
    resource.uri.document + "#" + pointer.utf8.dropFirst(resource.pointer.utf8.count).text
  }
}

extension Substring.UTF8View {
  fileprivate var text: String { String(Substring(self)) }
}

/// The registry of schemas by their URIs. It scans documents when they are first needed.
final class SchemaRegistry {
  private let documents: SchemaDocuments
  private var resources: [String: SchemaResource] = [:]
  private var allDocuments: [SchemaDocument] = []
  var allResources: [SchemaResource] = []
  var problems: [SchemaProblem] = []

  init(_ documents: SchemaDocuments) { self.documents = documents }

  func report(_ place: SchemaPlace, _ path: String, _ message: String, help: String? = nil) {
    problems.append(
      SchemaProblem(
        document: place.resource.document.uri, path: place.pointer + path, message, help: help))
  }

  /// Scans a document and registers its schemas.
  func add(_ value: Value, uri: String, draft: SchemaDraft) -> SchemaDocument {
    let document = SchemaDocument(id: allDocuments.count, uri: SchemaURI(uri).document)
    allDocuments.append(document)
    let base = SchemaURI(uri).withoutFragment
    let root = resource(base, SchemaDialect(draft: draft), document, at: "", value)
    resources[base.document] = root
    var open = [root.root]
    while let place = open.popLast() {
      // Children are taken in the order in which they are written.
      open += lookThrough(place, in: document).reversed()
    }
    return document
  }

  /// Registers the names of a schema and returns the schemas directly inside it.
  private func lookThrough(
    _ found: SchemaPlace, in document: SchemaDocument
  ) -> [SchemaPlace] {
    var place = found
    if case .map(let map) = place.value {
      enterResource(&place, map, in: document)
      noteAnchors(place, map)
    }
    document.places.append(place)
    return place.innerSchemas
  }

  private func enterResource(
    _ place: inout SchemaPlace, _ map: ValueMap, in document: SchemaDocument
  ) {
    let isRoot = place.pointer.isEmpty
    guard case .string(let id)? = map["$id"], !place.isReferenceOnly(map) else {
      if isRoot { enter(place.resource.uri, &place, map, in: document) }
      return
    }
    let uri = SchemaURI(id)
    if place.resource.draft == .draft7, let name = uri.fragment, !name.isEmpty {
      note(name, place)
      if uri.document.isEmpty { return }
    } else if uri.fragment?.isEmpty == false {
      report(place, "/$id", "`$id` must be a URI without a fragment, not `\(id)`")
      return
    }
    enter(
      uri.resolved(against: place.resource.uri).withoutFragment, &place, map, in: document)
  }

  private func enter(
    _ uri: SchemaURI, _ place: inout SchemaPlace, _ map: ValueMap, in document: SchemaDocument
  ) {
    let dialect = dialect(of: place, map)
    if let other = resources[uri.document], other.document.id == document.id,
      other.pointer != place.pointer
    {
      report(place, "/$id", "there are two schemas of the `$id` `\(uri.document)`")
    }
    let outer = place.resource
    place.resource = resource(uri, dialect, document, at: place.pointer, place.value)
    if place.pointer.isEmpty { resources[outer.uri.document] = place.resource }
    resources[uri.document] = place.resource
  }

  private func resource(
    _ uri: SchemaURI, _ dialect: SchemaDialect, _ document: SchemaDocument, at pointer: String,
    _ value: Value
  ) -> SchemaResource {
    let resource = SchemaResource(
      id: allResources.count, uri: uri, dialect: dialect, document: document, pointer: pointer,
      value: value)
    allResources.append(resource)
    document.resources[pointer] = resource
    return resource
  }

  private func noteAnchors(_ place: SchemaPlace, _ map: ValueMap) {
    guard place.resource.draft == .draft2020 else { return }
    if case .string(let name)? = map["$anchor"] { note(name, place) }
    if case .string(let name)? = map["$dynamicAnchor"] {
      note(name, place)
      place.resource.dynamicAnchors.insert(name)
    }
  }

  private func note(_ name: String, _ place: SchemaPlace) {
    let old = place.resource.anchors.updateValue((place.pointer, place.value), forKey: name)
    if let old, old.pointer != place.pointer {
      report(place, "", "there are two anchors `\(name)` in one schema")
    }
  }

  /// Returns the schema of a URI, if it is known or was given. A document that is read only now is
  /// assumed to have the draft of the referring one.
  func resource(_ uri: String, from place: SchemaPlace) -> SchemaResource? {
    if let known = resources[uri] { return known }
    guard let value = documents[uri] else { return nil }
    _ = add(value, uri: uri, draft: place.resource.draft)
    return resources[uri]
  }

  /// Returns the draft and the vocabularies that `$schema` names; without it, those of the parent.
  private func dialect(of place: SchemaPlace, _ map: ValueMap) -> SchemaDialect {
    guard case .string(let uri)? = map["$schema"] else { return place.resource.dialect }
    if let draft = SchemaDraft(metaSchema: uri) { return SchemaDialect(draft: draft) }
    guard let metaSchema = documents[uri] else {
      report(
        place, "/$schema",
        "`\(uri)` is neither draft 2020-12 nor draft 7, and is not among the documents given",
        help: "use `\(SchemaDraft.draft2020.metaSchema)`")
      return place.resource.dialect
    }
    var dialect = SchemaDialect(draft: draft(of: metaSchema) ?? place.resource.draft)
    if dialect.draft == .draft2020, case .map(let wanted)? = metaSchema["$vocabulary"] {
      dialect.vocabularies = vocabularies(wanted, place)
    }
    return dialect
  }

  /// Returns the draft of a meta-schema; nil if its own meta-schemas lead nowhere.
  private func draft(of metaSchema: Value) -> SchemaDraft? {
    var metaSchema = metaSchema
    for _ in 0..<8 {
      guard case .string(let uri)? = metaSchema["$schema"] else { return nil }
      if let draft = SchemaDraft(metaSchema: uri) { return draft }
      guard let next = documents[uri] else { return nil }
      metaSchema = next
    }
    return nil
  }

  private func vocabularies(
    _ wanted: ValueMap, _ place: SchemaPlace
  ) -> Set<SchemaKeyword.Vocabulary> {
    var known: Set<SchemaKeyword.Vocabulary> = [.core]
    for (key, isNeeded) in wanted {
      let uri = key.plainText
      let prefix = "https://json-schema.org/draft/2020-12/vocab/"
      if uri.hasPrefix(prefix),
        let name = SchemaKeyword.Vocabulary(rawValue: String(uri.dropFirst(prefix.count)))
      {
        known.insert(name)
      } else if isNeeded == .bool(true) {
        report(place, "/$schema", "its meta-schema needs the vocabulary `\(uri)`, unknown here")
      }
    }
    return known
  }
}

extension SchemaPlace {
  /// Returns whether `$ref` stands alone by the rules of draft 7, which ignores everything beside
  /// it.
  func isReferenceOnly(_ map: ValueMap) -> Bool {
    guard resource.draft == .draft7, case .string? = map["$ref"] else { return false }
    return true
  }

  /// The schemas directly inside this one, with its resource.
  fileprivate var innerSchemas: [SchemaPlace] {
    guard case .map(let map) = value else { return [] }
    let keywords = SchemaKeyword.named(in: resource.draft)
    let isReferenceOnly = isReferenceOnly(map)
    return map.flatMap { key, value -> [SchemaPlace] in
      guard case .string(let name) = key, let keyword = keywords[name] else { return [] }
      // Definitions beside a reference can still be referred to.
      if isReferenceOnly, name != "definitions" { return [] }
      return inner("/" + escapedToken(name), value).schemas(in: keyword.shape)
    }
  }

  /// Returns the schemas in the value of a keyword.
  private func schemas(in shape: SchemaKeyword.Shape) -> [SchemaPlace] {
    let isMap: Bool
    switch shape {
    case .schemaMap, .patternMap, .schemaOrNames: isMap = true
    case .schema, .schemaList, .schemaOrList: isMap = false
    case .count, .number, .positiveNumber, .text, .pattern, .reference, .name, .flag, .flags,
      .typeNames, .names, .namesMap, .list, .anything:
      return []
    }
    switch value {
    case .map(let map) where isMap:
      return map.compactMap { key, value in
        isSchema(value) ? inner("/" + escapedToken(key.plainText), value) : nil
      }
    case .list(let list):
      return list.enumerated().compactMap { isSchema($1) ? inner("/\($0)", $1) : nil }
    default: return isSchema(value) && !isMap ? [self] : []
    }
  }
}
