import Diagnostics
import Values

extension SchemaKeyword {
  /// Returns the mistake in a value of this keyword, and what could be meant; nil if it is right.
  ///
  /// Schemas inside it and patterns are checked when they are compiled.
  func problem(_ value: Value) -> (message: String, help: String?)? {
    if case .typeNames = shape { return typeProblem(value) }
    if shape.holds(value) { return nil }
    return ("`\(name)` must be \(shape.text), not \(value.display(maxLength: 40))", nil)
  }

  private func typeProblem(_ value: Value) -> (message: String, help: String?)? {
    let known = JSONKinds.names.map(\.name)
    var names = [value]
    if case .list(let list) = value { names = list }
    for case .string(let name) in names where !known.contains(name) {
      let nearest = nearestName(to: name, among: known)
      return (
        "`\(name)` is not a type; the types are \(known.joined(separator: ", "))",
        nearest.map { "did you mean `\($0)`?" }
      )
    }
    if !names.isEmpty, names.allSatisfy(isText), firstPairOfEquals(names) == nil { return nil }
    let shown = value.display(maxLength: 40)
    return ("`\(name)` must be the name of a type or a list of different ones, not \(shown)", nil)
  }
}

extension SchemaKeyword.Shape {
  fileprivate func holds(_ value: Value) -> Bool {
    switch self {
    case .schema: isSchema(value)
    case .schemaList: isList(value) { !$0.isEmpty && $0.allSatisfy(isSchema) }
    case .schemaMap, .patternMap: isMap(value, isSchema)
    case .schemaOrList: isSchema(value) || isList(value) { $0.allSatisfy(isSchema) }
    case .schemaOrNames: isMap(value) { isSchema($0) || isNames($0) }
    case .count: isNumber(value) && JSONKinds.of(value) == .integer && isAtLeastZero(value)
    case .number: isNumber(value)
    case .positiveNumber: isNumber(value) && ValueOrder(numbers: value, 0) == .after
    case .text, .pattern, .reference: isText(value)
    case .name: isPlainName(value)
    case .flag: isFlag(value)
    case .flags: isMap(value, isFlag)
    case .typeNames, .anything: true
    case .names: isNames(value)
    case .namesMap: isMap(value, isNames)
    case .list: isList(value) { _ in true }
    }
  }

  fileprivate var text: String {
    switch self {
    case .schema: "a schema"
    case .schemaList: "a list of at least one schema"
    case .schemaMap, .patternMap: "an object of schemas"
    case .schemaOrList: "a schema or a list of schemas"
    case .schemaOrNames: "an object of schemas or lists of names"
    case .count: "a whole number not below 0"
    case .number: "a number"
    case .positiveNumber: "a number above 0"
    case .text: "text"
    case .pattern: "a regular expression"
    case .reference: "a URI or a reference"
    case .name: "a name: a letter or `_`, then letters, digits, `-`, `_` and `.`"
    case .flag: "true or false"
    case .flags: "an object of true and false"
    case .typeNames: "the name of a type"
    case .names: "a list of different texts"
    case .namesMap: "an object of lists of different texts"
    case .list: "a list"
    case .anything: "anything"
    }
  }
}

func isSchema(_ value: Value) -> Bool {
  switch value {
  case .map, .bool: true
  default: false
  }
}

private func isText(_ value: Value) -> Bool { if case .string = value { true } else { false } }
private func isFlag(_ value: Value) -> Bool { if case .bool = value { true } else { false } }

private func isNumber(_ value: Value) -> Bool {
  switch value {
  case .int, .uint, .digits: true
  case .double(let number): number.isFinite
  default: false
  }
}

private func isAtLeastZero(_ value: Value) -> Bool {
  ValueOrder(numbers: value, 0)?.isAtLeast ?? false
}

private func isNames(_ value: Value) -> Bool {
  isList(value) { $0.allSatisfy(isText) && firstPairOfEquals($0) == nil }
}

private func isList(_ value: Value, _ holds: ([Value]) -> Bool) -> Bool {
  if case .list(let list) = value { holds(list) } else { false }
}

private func isMap(_ value: Value, _ holds: (Value) -> Bool) -> Bool {
  if case .map(let map) = value { map.allSatisfy { holds($0.value) } } else { false }
}

private func isPlainName(_ value: Value) -> Bool {
  guard case .string(let text) = value, let first = text.utf8.first else { return false }
  let isLetter = { (byte: UInt8) in (byte | 0x20) &- UInt8(ascii: "a") < 26 || byte == 0x5F }
  return isLetter(first)
    && text.utf8.allSatisfy {
      isLetter($0) || $0 &- UInt8(ascii: "0") < 10 || $0 == 0x2D || $0 == 0x2E
    }
}
