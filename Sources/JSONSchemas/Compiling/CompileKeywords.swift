import Values

/// The reader of one schema's keywords, which fills its node.
struct KeywordReader {
  let compiler: SchemaCompiler
  let place: SchemaPlace
  let keywords: [String: Value]

  private var draft: SchemaDraft { place.resource.draft }

  func readConstants(into node: SchemaNode) {
    if let type = keywords["type"] { node.kinds = kinds(type) }
    if let value = keywords["const"] { node.constants.append(.equal(value)) }
    if case .list(let values)? = keywords["enum"] { node.constants.append(.oneOf(values)) }
  }

  private func kinds(_ type: Value) -> JSONKinds {
    var names = [type]
    if case .list(let list) = type { names = list }
    return names.reduce(into: []) { $0.formUnion(JSONKinds.named($1.plainText) ?? []) }
  }

  func readNumberRules(into node: SchemaNode) {
    if let limit = keywords["minimum"] { node.numberRules.append(.minimum(limit)) }
    if let limit = keywords["maximum"] { node.numberRules.append(.maximum(limit)) }
    if let limit = keywords["exclusiveMinimum"] { node.numberRules.append(.above(limit)) }
    if let limit = keywords["exclusiveMaximum"] { node.numberRules.append(.below(limit)) }
    if let step = keywords["multipleOf"], let decimal = DecimalNumber(step) {
      node.numberRules.append(.multipleOf(step, decimal))
    }
  }

  func readTextRules(into node: SchemaNode) {
    if let count = count("minLength") { node.textRules.append(.minLength(count)) }
    if let count = count("maxLength") { node.textRules.append(.maxLength(count)) }
    if case .string(let text)? = keywords["pattern"], let pattern = pattern(text, "/pattern") {
      node.textRules.append(.pattern(pattern))
    }
    if compiler.checksFormats, case .string(let name)? = keywords["format"] {
      if let format = SchemaFormat(rawValue: name) {
        node.textRules.append(.format(format))
      } else {
        compiler.remark(place, .uncheckedFormat(name))
      }
    }
  }

  func readListRules(into node: SchemaNode) {
    if let count = count("minItems") { node.listRules.append(.minItems(count)) }
    if let count = count("maxItems") { node.listRules.append(.maxItems(count)) }
    if keywords["uniqueItems"] == .bool(true) { node.listRules.append(.unique) }
    let elements = elementRules()
    if !elements.first.isEmpty || elements.rest != nil {
      node.listRules.append(.elements(elements))
    }
    if let schema = schema("contains") {
      let rule = ContainsRule(
        schema: schema, least: count("minContains") ?? 1, most: count("maxContains"),
        marks: draft == .draft2020)
      node.listRules.append(.contains(rule))
    }
    node.unevaluatedItems = schema("unevaluatedItems")
  }

  private func elementRules() -> ElementRules {
    var rules = ElementRules()
    switch (draft, keywords["items"]) {
    case (.draft7, .list?):
      rules.first = schemas("items")
      rules.firstKeyword = "items"
      rules.rest = schema("additionalItems")
      rules.restKeyword = "additionalItems"
    case (.draft7, _), (.draft2020, _):
      rules.first = schemas("prefixItems")
      rules.firstKeyword = "prefixItems"
      rules.rest = schema("items")
      rules.restKeyword = "items"
    }
    return rules
  }

  func readMapRules(into node: SchemaNode) {
    if case .list(let names)? = keywords["required"], !names.isEmpty {
      node.mapRules.append(.required(names))
    }
    if let count = count("minProperties") { node.mapRules.append(.minProperties(count)) }
    if let count = count("maxProperties") { node.mapRules.append(.maxProperties(count)) }
    if let members = memberRules() { node.mapRules.append(.members(members)) }
    if let schema = schema("propertyNames") { node.mapRules.append(.names(schema)) }
    readDependencies("dependentRequired", into: node)
    readDependencies("dependentSchemas", into: node)
    readDependencies("dependencies", into: node)
    node.unevaluatedProperties = schema("unevaluatedProperties")
  }

  private func memberRules() -> MemberRules? {
    let properties = entries("properties").map { (name: $0.key.plainText, schema: $0.schema) }
    let patterns = entries("patternProperties").compactMap { key, schema in
      pattern(key.plainText, "/patternProperties/" + escapedToken(key.plainText)).map {
        (pattern: $0, schema: schema)
      }
    }
    let additional = schema("additionalProperties")
    if properties.isEmpty, patterns.isEmpty, additional == nil { return nil }
    return MemberRules(PropertyTable(properties), patterns, additional)
  }

  private func readDependencies(_ keyword: String, into node: SchemaNode) {
    guard case .map(let map)? = keywords[keyword] else { return }
    let needed = map.compactMap { key, value -> (key: Value, needed: [Value])? in
      if case .list(let names) = value { (key: key, needed: names) } else { nil }
    }
    let schemas = entries(keyword)
    if !needed.isEmpty { node.mapRules.append(.dependentRequired(keyword: keyword, needed)) }
    if !schemas.isEmpty { node.mapRules.append(.dependentSchemas(keyword: keyword, schemas)) }
  }

  func readApplied(into node: SchemaNode) {
    if case .string(let text)? = keywords["$ref"], let target = resolve(text, "$ref") {
      node.applied.append(.reference(compiler.id(of: target)))
    }
    if case .string(let text)? = keywords["$dynamicRef"], let target = resolve(text, "$dynamicRef")
    {
      node.applied.append(dynamicReference(text, target))
    }
    if keywords["allOf"] != nil { node.applied.append(.all(schemas("allOf"))) }
    if keywords["anyOf"] != nil { node.applied.append(.any(schemas("anyOf"))) }
    if keywords["oneOf"] != nil { node.applied.append(.one(schemas("oneOf"))) }
    if let schema = schema("not") { node.applied.append(.not(schema)) }
    if let condition = schema("if") {
      node.applied.append(
        .conditional(condition, then: schema("then"), otherwise: schema("else")))
    }
  }

  /// Compiles a dynamic reference. Only a reference to a dynamic anchor is dynamic; all others are
  /// like `$ref`.
  private func dynamicReference(_ text: String, _ target: SchemaPlace) -> AppliedRule {
    let id = compiler.id(of: target)
    guard let name = SchemaURI(text).fragment.flatMap(percentDecoded),
      target.resource.dynamicAnchors.contains(name),
      target.resource.anchors[name]?.pointer == target.pointer
    else { return .reference(id) }
    return .dynamicReference(id, anchors: compiler.anchorTable(name))
  }

  private func resolve(_ reference: String, _ keyword: String) -> SchemaPlace? {
    compiler.registry.resolve(reference, keyword, from: place)
  }

  private func count(_ keyword: String) -> Int? {
    switch keywords[keyword] {
    case .int(let count)?: count
    case .double(let count)?: Int(exactly: count) ?? .max
    case .uint?: .max
    default: nil
    }
  }

  private func pattern(_ text: String, _ path: String) -> SchemaPattern? {
    switch SchemaPattern.compile(text) {
    case .success(let pattern): return pattern
    case .failure(let mistake):
      compiler.registry.report(place, path, mistake.message)
      return nil
    }
  }

  private func schema(_ keyword: String) -> SchemaID? {
    keywords[keyword].map { id("/" + keyword, $0) }
  }

  private func schemas(_ keyword: String) -> [SchemaID] {
    guard case .list(let list)? = keywords[keyword] else { return [] }
    return list.enumerated().map { id("/\(keyword)/\($0)", $1) }
  }

  /// Returns the entries of a keyword's map that are schemas.
  private func entries(_ keyword: String) -> [(key: Value, schema: SchemaID)] {
    guard case .map(let map)? = keywords[keyword] else { return [] }
    return map.compactMap { key, value in
      if case .list = value { return nil }
      return (key: key, schema: id("/\(keyword)/" + escapedToken(key.plainText), value))
    }
  }

  /// Returns the node of a schema inside this one, which may have a URI of its own.
  private func id(_ path: String, _ value: Value) -> SchemaID {
    var inner = place.inner(path, value)
    if let own = inner.resource.document.resources[inner.pointer] { inner.resource = own }
    return compiler.id(of: inner)
  }
}
