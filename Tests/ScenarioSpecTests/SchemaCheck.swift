import Values

/// As much of JSON Schema (draft 7) as the schemas of this package use.
struct SchemaCheck {
  let root: Value

  /// Why a value does not fit; nil where it does.
  func refusal(of value: Value) -> String? { refusal(of: value, by: root) }

  private func fits(_ value: Value, _ schema: Value) -> Bool {
    refusal(of: value, by: schema) == nil
  }

  private func refusal(of value: Value, by schema: Value) -> String? {
    guard case .map(let keywords) = schema else { return schema == false ? "never" : nil }
    for (key, argument) in keywords {
      guard case .string(let keyword) = key else { continue }
      if let reason = refusal(of: value, keyword, argument, in: schema) {
        return "\(keyword): \(reason)"
      }
    }
    return nil
  }

  private func refusal(of value: Value, _ keyword: String, _ argument: Value, in schema: Value)
    -> String?
  {
    switch keyword {
    case "$ref": referred(argument).flatMap { refusal(of: value, by: $0) }
    case "type":
      list(argument).contains { hasType(value, $0) } ? nil : "\(value.display) is no \(argument)"
    case "enum": list(argument).contains(value) ? nil : value.display
    case "const": value == argument ? nil : value.display
    case "allOf": list(argument).lazy.compactMap { refusal(of: value, by: $0) }.first
    case "anyOf":
      list(argument).contains { fits(value, $0) } ? nil : "none fits \(value.display)"
    case "oneOf":
      list(argument).filter { fits(value, $0) }.count == 1 ? nil : "not one fits \(value.display)"
    case "not": fits(value, argument) ? value.display : nil
    case "title", "description", "examples", "definitions", "$schema": nil
    default: refusalOfParts(of: value, keyword, argument, in: schema)
    }
  }

  private func refusalOfParts(
    of value: Value, _ keyword: String, _ argument: Value, in schema: Value
  )
    -> String?
  {
    switch value {
    case .string(let text):
      switch keyword {
      case "pattern": refusal(of: text, pattern: argument)
      case "minLength": text.isEmpty ? "empty" : nil
      default: nil
      }
    case .int(let number): refusal(of: number, keyword, argument)
    case .list(let elements): refusal(of: elements, keyword, argument)
    case .map(let map): refusal(of: map, keyword, argument, in: schema)
    default: nil
    }
  }

  private func refusal(of text: String, pattern: Value) -> String? {
    guard case .string(let pattern) = pattern, let regex = try? Regex(pattern) else { return "?" }
    return text.contains(regex) ? nil : text
  }

  private func refusal(of number: Int, _ keyword: String, _ argument: Value) -> String? {
    guard case .int(let bound) = argument else { return nil }
    if keyword == "minimum" { return number >= bound ? nil : "\(number)" }
    if keyword == "maximum" { return number <= bound ? nil : "\(number)" }
    return nil
  }

  private func refusal(of elements: [Value], _ keyword: String, _ argument: Value) -> String? {
    if keyword == "items" {
      return elements.lazy.compactMap { refusal(of: $0, by: argument) }.first
    }
    if keyword == "minItems", case .int(let count) = argument {
      return elements.count >= count ? nil : "\(elements.count)"
    }
    return nil
  }

  private func refusal(of map: ValueMap, _ keyword: String, _ argument: Value, in schema: Value)
    -> String?
  {
    switch keyword {
    case "required": list(argument).first { map[$0] == nil }.map { "no \($0.display)" }
    case "properties":
      map.lazy.compactMap { pair in
        argument[pair.key.plainText].flatMap { refusal(of: pair.value, by: $0) }
      }.first
    case "additionalProperties":
      map.lazy.compactMap { pair in
        schema["properties"]?[pair.key.plainText] == nil
          ? refusal(of: pair.value, by: argument).map { pair.key.plainText + " " + $0 } : nil
      }.first
    case "propertyNames":
      map.lazy.compactMap { refusal(of: .string($0.key.plainText), by: argument) }.first
    case "minProperties": argument == .int(0) || !map.isEmpty ? nil : "empty"
    case "maxProperties": argument == .int(map.count) || map.isEmpty ? nil : "\(map.count)"
    case "dependencies": refusal(of: map, dependencies: argument)
    default: nil
    }
  }

  private func refusal(of map: ValueMap, dependencies: Value) -> String? {
    for key in map.keys {
      guard let needed = dependencies[key.plainText] else { continue }
      if case .list(let keys) = needed {
        if let missing = keys.first(where: { map[$0] == nil }) { return "no \(missing.display)" }
      } else if let reason = refusal(of: .map(map), by: needed) {
        return reason
      }
    }
    return nil
  }

  private func referred(_ reference: Value) -> Value? {
    guard case .string(let path) = reference else { return nil }
    return root["definitions"]?[String(path.split(separator: "/").last ?? "")]
  }

  private func list(_ value: Value) -> [Value] {
    if case .list(let elements) = value { elements } else { [value] }
  }

  private func hasType(_ value: Value, _ type: Value) -> Bool {
    switch (value, type) {
    case (.null, "null"), (.bool, "boolean"), (.string, "string"), (.list, "array"): true
    case (.map, "object"), (.int, "integer"), (.int, "number"), (.double, "number"): true
    case (.uint, "integer"), (.uint, "number"): true
    default: false
    }
  }
}
