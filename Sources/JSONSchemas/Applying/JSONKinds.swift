import Values

/// A set of the types that a schema may name.
struct JSONKinds: OptionSet, Sendable {
  let rawValue: UInt8

  static let null = JSONKinds(rawValue: 1)
  static let boolean = JSONKinds(rawValue: 2)
  static let integer = JSONKinds(rawValue: 4)
  static let fraction = JSONKinds(rawValue: 8)
  static let string = JSONKinds(rawValue: 16)
  static let array = JSONKinds(rawValue: 32)
  static let object = JSONKinds(rawValue: 64)
  static let number: JSONKinds = [.integer, .fraction]

  /// The names in the order in which messages list them.
  static let names: [(name: String, kind: JSONKinds)] = [
    ("null", .null), ("boolean", .boolean), ("integer", .integer), ("number", .number),
    ("string", .string), ("array", .array), ("object", .object),
  ]

  static func named(_ name: String) -> JSONKinds? { names.first { $0.name == name }?.kind }

  /// Returns the kinds of a value. A number without a fraction is an integer in any spelling.
  @inline(__always)
  static func of(_ value: Value) -> JSONKinds {
    switch value {
    case .string, .bytes, .timestamp, .duration, .type: .string
    case .int, .uint, .digits: .integer
    case .map: .object
    case .list: .array
    case .bool: .boolean
    case .null: .null
    case .double(let number): number.rounded(.towardZero) == number ? .integer : .fraction
    case .optional(let inner): inner.map { of($0) } ?? .null
    }
  }

  /// The names as a sentence has them: "a string or null".
  var text: String {
    var rest = self
    var words: [String] = []
    for (name, kind) in JSONKinds.names.reversed() where rest.isSuperset(of: kind) {
      rest.subtract(kind)
      words.append(JSONKinds.article(name))
    }
    return words.reversed().joined(separator: " or ")
  }

  private static func article(_ name: String) -> String {
    switch name {
    case "null": "null"
    case "integer", "array", "object": "an " + name
    default: "a " + name
    }
  }
}
