import CEL
import Values

/// One case of the suite: an expression, the names in its scope, and its value or error.
struct CELCase {
  let json: Value
  let text: String
  let title: String
  private var scope = CELScope()
  private let slots = FixedSlots()

  init(_ json: Value) {
    self.json = json
    text = json["expr"]?.text ?? ""
    title = "\(json["section"]?.text ?? "")/\(json["name"]?.text ?? "")"
    scope.container = json["container"]?.text ?? ""
    for declaration in json["env"]?.elements ?? [] { declare(declaration) }
    guard case .map(let bindings)? = json["bindings"] else { return }
    for (name, value) in bindings { bind(name.text, value) }
  }

  private mutating func declare(_ declaration: Value) {
    let name = declaration["name"]?.text ?? ""
    if let type = declaration["type"] {
      // Bound below, where a value is given; null otherwise.
      scope.declare(name, type: celType(type), slot: slots.values.count)
      slots.values.append(boundValue(name))
    }
    for overload in declaration["overloads"]?.elements ?? [] {
      scope.declareFunction(
        name, parameters: (overload["params"]?.elements ?? []).map(celType),
        result: celType(overload["result"] ?? .null),
        isMember: overload["instance"] == .bool(true)
      ) { _ throws(CELFault) in throw CELFault("declared only") }
    }
  }

  private mutating func bind(_ name: String, _ value: Value) {
    let isDeclared = (json["env"]?.elements ?? []).contains { $0["name"]?.text == name }
    if isDeclared { return }
    scope.declare(name, slot: slots.values.count)
    slots.values.append(taggedValue(value))
  }

  private func boundValue(_ name: String) -> Value {
    json["bindings"]?[name].map(taggedValue) ?? .null
  }

  /// Returns how the result differs from the one the suite demands; nil if it does not.
  func difference() -> String? {
    let checked = json["disable_check"] != .bool(true)
    switch compileCEL(text, scope: scope, checked: checked) {
    case .failure(let problems):
      if json["error"] != nil { return nil }
      return problems.all.map { "\($0.offset): \($0.message)" }.joined(separator: "; ")
    case .success(let program):
      if let type = json["type"], celType(type) != program.type {
        return "is \(program.type), not \(celType(type))"
      }
      return json["check_only"] == .bool(true) ? nil : difference(program.evaluate(slots))
    }
  }

  private func difference(_ result: CELResult) -> String? {
    switch result {
    case .failure(let failure): json["error"] != nil ? nil : "fails: \(failure.message)"
    case .success(let value):
      if let wanted = json["value"] {
        same(value, taggedValue(wanted)) ? nil : "gives \(value), not \(taggedValue(wanted))"
      } else {
        "gives \(value), no error"
      }
    }
  }
}

/// Equal and of the same types throughout.
private func same(_ left: Value, _ right: Value) -> Bool {
  switch (left, right) {
  case (.list(let a), .list(let b)): a.count == b.count && zip(a, b).allSatisfy(same)
  case (.map(let a), .map(let b)):
    a.count == b.count && a.allSatisfy { key, value in b[key].map { same(value, $0) } ?? false }
  case (.int, .int), (.uint, .uint), (.double, .double), (.null, .null), (.bool, .bool),
    (.bytes, .bytes), (.timestamp, .timestamp), (.duration, .duration), (.type, .type),
    (.optional, .optional):
    left == right
  case (.string(let a), .string(let b)): Array(a.utf8) == Array(b.utf8)
  default: false
  }
}

private func taggedValue(_ tagged: Value) -> Value {
  guard case .map(let map) = tagged, let (tag, content) = map.first(where: { _ in true }) else {
    return .null
  }
  let numbers = content.elements.map { $0.integer }
  switch tag.text {
  case "bool", "string": return content
  case "int": return .int(Int(content.text) ?? 0)
  case "uint": return .uint(UInt(content.text) ?? 0)
  case "double": return .double(Double(content.text) ?? .nan)
  case "bytes": return .bytes(Base64.decode(content.text) ?? [])
  case "list": return .list(content.elements.map(taggedValue))
  case "map":
    return .map(
      ValueMap(content.elements.map { (taggedValue($0.elements[0]), taggedValue($0.elements[1])) }))
  case "timestamp":
    return .timestamp(Timestamp(seconds: numbers[0], nanoseconds: Int32(numbers[1])))
  case "duration":
    return .duration(TimeSpan(seconds: numbers[0], nanoseconds: Int32(numbers[1])))
  case "type": return .type(content.text)
  default: return .null
  }
}

private func celType(_ json: Value) -> CELType {
  if case .string(let name) = json {
    let simple: [CELType] = [
      .null, .bool, .int, .uint, .double, .string, .bytes, .timestamp, .duration, .type,
    ]
    return simple.first { $0.description == name } ?? .dyn
  }
  let parts = json.elements
  guard parts.count > 1 else { return .dyn }
  switch parts[0].text {
  case "list": return .list(celType(parts[1]))
  case "map": return .map(celType(parts[1]), celType(parts[2]))
  case "param": return .parameter(Int(parts[1].text.utf8.first ?? 0) - Int(UInt8(ascii: "A")))
  case "abstract" where parts[1] == "optional_type": return .optional(celType(parts[2]))
  case "abstract": return .opaque(parts[1].text, parts.dropFirst(2).map(celType))
  default: return .dyn
  }
}

extension Value {
  fileprivate var text: String { if case .string(let text) = self { text } else { "" } }
  fileprivate var integer: Int { if case .int(let number) = self { number } else { 0 } }
  fileprivate var elements: [Value] { if case .list(let list) = self { list } else { [] } }
}
