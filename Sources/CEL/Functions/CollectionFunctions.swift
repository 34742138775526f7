import Values

extension Builtins {
  static let collections: [Builtin] = [
    global(
      "size", Signature([.string], .int), Signature([.bytes], .int),
      Signature([.list(.dyn)], .int), Signature([.map(.dyn, .dyn)], .int),
      body: .one(CollectionFunctions.size)),
    member(
      "size", Signature([.string], .int), Signature([.bytes], .int),
      Signature([.list(.dyn)], .int), Signature([.map(.dyn, .dyn)], .int),
      body: .one(CollectionFunctions.size)),
  ]
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
      for element in list {
        try meter.spend(1)
        if try Comparison.equal(element, wanted, &meter) { return .bool(true) }
      }
      return .bool(false)
    case .map(let map): return .bool(map[wanted] != nil)
    default: throw .noOverload("in", wanted, whole)
    }
  }
}
