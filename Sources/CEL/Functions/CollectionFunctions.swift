import Values

extension Builtins {
  private static let sizes = [
    Signature([.string], .int), Signature([.bytes], .int), Signature([.list(.dyn)], .int),
    Signature([.map(.dyn, .dyn)], .int),
  ]
  private static let key = CELType.parameter(0)
  private static let entry = CELType.parameter(1)
  private static let map = CELType.map(key, entry)

  static let collections: [Builtin] = [
    global("size", sizes, body: .one(CollectionFunctions.size)),
    member("size", sizes, body: .one(CollectionFunctions.size)).note(
      """
      The number of characters of a text, of bytes, of elements of a list, or of entries of a map.
      """, "size('naïve') + [1, 2].size()", "7"),
    member("merge", Signature([map, map], map), body: .two(CollectionFunctions.merge)).note(
      "The entries of two maps. Where both have a key, the value of the second stays.",
      "{'name': 'Ann', 'age': 30}.merge({'age': 31})", "{'name': 'Ann', 'age': 31}"),
    member(
      "update", Signature([map, key, entry], map),
      Signature([.list(key), .int, key], .list(key)), body: .any(CollectionFunctions.update)
    ).note(
      "The map with another value for one key, or the list with another element at one position.",
      "{'age': 30}.update('age', 31)", "{'age': 31}"),
  ]

  static let sets: [Builtin] = [
    set("sets.contains", SetFunctions.contains).note(
      "Whether the first list has all elements of the second.", "sets.contains([1, 2, 3], [2, 3])",
      "true"),
    set("sets.equivalent", SetFunctions.equivalent).note(
      "Whether each list has all elements of the other, in any order and number.",
      "sets.equivalent([1, 2, 2], [2, 1])", "true"),
    set("sets.intersects", SetFunctions.intersects).note(
      "Whether two lists have an element in common.", "sets.intersects([1, 2], [2, 3])", "true"),
  ]

  private static func set(
    _ name: String, _ function: @escaping BinaryCallNode.Function
  ) -> Builtin {
    global(
      name, Signature([.list(.parameter(0)), .list(.parameter(0))], .bool), body: .two(function))
  }
}

/// Functions over lists and maps.
enum CollectionFunctions {
  static func size(_ value: Value, _ meter: inout Meter) throws(CELFault) -> Value {
    switch value {
    case .string(let text):
      try meter.spend(text.utf8.count >> 4)
      return .int(text.unicodeScalars.count)
    case .bytes(let bytes): return .int(bytes.count)
    case .list(let list): return .int(list.count)
    case .map(let map) where NetworkValue(value) == nil: return .int(map.count)
    default: throw .noOverload("size", value)
    }
  }

  /// Evaluates `element in list` and `key in map`.
  static func contains(
    _ wanted: Value, _ whole: Value, _ meter: inout Meter
  ) throws(CELFault) -> Value {
    switch whole {
    case .list(let list):
      return .bool(try ListFunctions.index(of: wanted, in: list, list.indices, &meter) != nil)
    case .map(let map): return .bool(map[wanted] != nil)
    default: throw .noOverload("in", wanted, whole)
    }
  }

  static func merge(_ a: Value, _ b: Value, _ meter: inout Meter) throws(CELFault) -> Value {
    guard case .map(var map) = a, case .map(let other) = b, NetworkValue(a) == nil,
      NetworkValue(b) == nil
    else { throw .noOverload("merge", a, b) }
    try meter.make(elements: map.count + other.count)
    for (key, value) in other { map[key] = value }
    return .map(map)
  }

  static func update(_ values: [Value], _ meter: inout Meter) throws(CELFault) -> Value {
    switch (values[0], values[1]) {
    case (.list(var list), .int(let index)):
      guard list.indices.contains(index) else { throw .outside(index) }
      try meter.make(elements: list.count)
      list[index] = values[2]
      return .list(list)
    case (.map(var map), .string), (.map(var map), .int), (.map(var map), .uint),
      (.map(var map), .bool):
      guard NetworkValue(values[0]) == nil else { throw .noOverload("update", values) }
      try meter.make(elements: map.count + 1)
      map[values[1]] = values[2]
      return .map(map)
    default: throw .noOverload("update", values)
    }
  }
}

/// Lists as sets: neither the order nor the number of equal elements matters.
enum SetFunctions {
  static func contains(_ a: Value, _ b: Value, _ meter: inout Meter) throws(CELFault) -> Value {
    for element in try ListFunctions.elements("sets.contains", b) {
      guard case .bool(true) = try CollectionFunctions.contains(element, a, &meter) else {
        return .bool(false)
      }
    }
    return .bool(true)
  }

  static func equivalent(_ a: Value, _ b: Value, _ meter: inout Meter) throws(CELFault) -> Value {
    guard case .bool(true) = try contains(a, b, &meter) else { return .bool(false) }
    return try contains(b, a, &meter)
  }

  static func intersects(_ a: Value, _ b: Value, _ meter: inout Meter) throws(CELFault) -> Value {
    for element in try ListFunctions.elements("sets.intersects", b) {
      if case .bool(true) = try CollectionFunctions.contains(element, a, &meter) {
        return .bool(true)
      }
    }
    return .bool(false)
  }
}
