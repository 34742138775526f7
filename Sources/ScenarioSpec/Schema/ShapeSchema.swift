import Diagnostics
import Values
import YAMLSyntax

extension SchemaWriter {
  /// Makes the schema of a shape. The map or list of a step is not empty.
  func schema(of shape: Shape, in place: Place?, isNeverEmpty: Bool = false) -> SchemaPart {
    switch shape {
    case .text: ["type": ["string", "number"]]
    case .eventName: ["type": "string", "minLength": 1]
    case .name: ["type": "string", "pattern": .string(Matches.name)]
    case .address: ["type": "string", "pattern": .string(Matches.address)]
    case .path: ["type": "string", "pattern": "^/"]
    case .words(let words): ["enum": .list(words.flatMap(values(of:)))]
    case .duration, .tick: ["type": "string", "pattern": .string(Matches.duration)]
    case .anyDuration:
      ["type": "string", "anyOf": [["pattern": .string(Matches.duration)], ["pattern": "\\$\\{"]]]
    case .diagram: ["type": ["string", "number", "boolean"]]
    case .fraction:
      [
        "anyOf": [
          ["type": "number", "minimum": 0, "maximum": 1],
          ["type": "string", "pattern": "^\\$\\{"],
        ]
      ]
    case .number(let least): ["type": "number", "minimum": .double(least)]
    case .streamOperators:
      ["type": "array", "items": reference(to: .streamOperator).value]
    case .bool: ["type": "boolean"]
    case .flag: ["const": true]
    case .integer(let range): integer(in: range)
    case .count(let range):
      ["anyOf": [integer(in: range).value, ["type": "string", "pattern": "^\\$\\{"]]]
    case .clock: ["type": "string", "pattern": .string(Matches.clock)]
    case .expression: ["type": ["string", "number", "boolean"]]
    case .value, .literal: [:]
    case .noMap: ["type": ["array", "string", "number", "boolean", "null"]]
    case .valueWithout(let keys):
      ["not": ["type": "object", "anyOf": .list(keys.map(required))]]
    case .scalar: ["type": ["string", "number", "boolean", "null"]]
    case .matcher: reference(to: .matcher)
    case .sequence: reference(to: .sequence)
    case .step: reference(to: .step(place ?? .scenario))
    case .script(let own): script(in: own ?? place ?? .scenario)
    case .list(let element): list(of: element, in: place, isNeverEmpty)
    case .map(let keys, let value): map(keys, value, in: place, isNeverEmpty)
    case .single(let keys, let value): single(keys, value, in: place)
    // A path with a colon and nothing behind it says no more than the path alone.
    case .mapping(.use): ["anyOf": [reference(to: .mapping(.use)).value, ["type": "null"]]]
    case .mapping(let name): reference(to: .mapping(name))
    case .anyOf(let shapes):
      ["anyOf": .list(shapes.map { schema(of: $0, in: place, isNeverEmpty: isNeverEmpty).value })]
    }
  }

  private func integer(in range: ClosedRange<Int>) -> SchemaPart {
    var schema: SchemaPart = ["type": "integer"]
    if range.lowerBound != .min { schema["minimum"] = .int(range.lowerBound) }
    if range.upperBound != .max { schema["maximum"] = .int(range.upperBound) }
    return schema
  }

  private func script(in place: Place) -> SchemaPart {
    ["type": "array", "items": reference(to: .step(place)).value]
  }

  private func list(of element: Shape, in place: Place?, _ isNeverEmpty: Bool) -> SchemaPart {
    var schema: SchemaPart = [
      "type": "array", "items": self.schema(of: element, in: place).value,
    ]
    if isNeverEmpty { schema["minItems"] = 1 }
    return schema
  }

  private func map(_ keys: KeyKind, _ value: Shape, in place: Place?, _ isNeverEmpty: Bool)
    -> SchemaPart
  {
    var schema: SchemaPart = ["type": "object"]
    if let names = names(keys) { schema["propertyNames"] = names }
    schema["additionalProperties"] = self.schema(of: value, in: place).value
    if isNeverEmpty { schema["minProperties"] = 1 }
    return schema
  }

  private func single(_ keys: KeyKind, _ value: Shape, in place: Place?) -> SchemaPart {
    var schema = map(keys, value, in: place, true)
    schema["maxProperties"] = 1
    return schema
  }

  private func names(_ kind: KeyKind) -> Value? {
    switch kind {
    case .stageName:
      ["pattern": .string(Matches.name), "not": ["enum": .list(reservedNames())]]
    case .name: ["pattern": .string(Matches.name)]
    case .address: ["pattern": .string(Matches.address)]
    case .place: ["pattern": .string(Matches.place)]
    case .text: nil
    case .symbol: ["pattern": .string(Matches.symbol)]
    }
  }

  private func reservedNames() -> [Value] {
    let words =
      ReservedNames.expressionWords + ReservedNames.scopeWords + LanguageTable.entryOptions
    return words.map { .string($0) }
  }

  /// Makes the schema of a matcher, or of a sequence of them, which is not empty.
  func matcher(sequence isSequence: Bool) -> SchemaPart {
    let matcher = reference(to: .matcher).value
    var list: SchemaPart = ["type": "array", "items": matcher]
    if isSequence { list["minItems"] = 1 }
    let fields: Value = [
      "type": "object",
      "propertyNames": ["not": ["pattern": isSequence ? "^(\\$|marble$|subscriptions$)" : "^\\$"]],
      "additionalProperties": matcher,
    ]
    let forms = [
      schema(of: .scalar, in: nil).value, list.value, reference(to: .mapping(.operators)).value,
      fields,
    ]
    return [
      "title": isSequence ? "What a source emits next" : "A matcher",
      "description": isSequence
        ? "One matcher, a list of them for events one after the other, or a diagram."
        : "A value to be equal to, a map of fields to match, or a map of `$` operators.",
      "anyOf": .list(isSequence ? forms + [expectedMarble()] : forms),
    ]
  }

  private func expectedMarble() -> Value {
    let keys = [Key.marble, .subscriptions].map(required)
    return ["allOf": [reference(to: .mapping(.marble)).value, ["anyOf": .list(keys)]]]
  }
}

/// The patterns of the schemas, in the dialect of JSON Schema.
private enum Matches {
  static let name = "^[A-Za-z_][A-Za-z0-9_]*$"
  static let address = "^[A-Za-z_][A-Za-z0-9_]*(\\.[A-Za-z_][A-Za-z0-9_]*)*$"
  private static let placePart = "[A-Za-z_][A-Za-z0-9_]*(\\[([0-9]+|\\$\\{.*\\})\\])*"
  static let place = "^\(placePart)(\\.\(placePart))*$"
  static let symbol = "^[^-|#()^!\\s]$"
  static let duration = "^(([0-9]+\\.?[0-9]*|\\.[0-9]+)(d|h|m|s|ms|us))+$"
  static let clock = "^([0-9]{4}-[0-9]{2}-[0-9]{2}[Tt][0-9]{2}:[0-9]{2}:[0-9]{2}|now$)"
}

/// Returns an example of the table as data.
func exampleValue(_ text: String) -> Value? {
  guard !text.isEmpty else { return nil }
  let file = SourceFile(path: "<example>", text: text)
  return parseYAML(file, index: 0).value.first?.root.value
}

/// Returns a word as values of YAML. The word `null` without quotes is no text.
private func values(of word: String) -> [Value] {
  word == "null" ? [.string(word), .null] : [.string(word)]
}
