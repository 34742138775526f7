import ScenarioPlan
import Values
import YAMLSyntax

/// The secrets a file tells of, found in its text alone: complaints about a scenario that could not
/// be understood must not show them either.
func findSecrets(in documents: [YAMLDocument], inputs: PlanInputs) -> [String] {
  var secrets: [String] = []
  for document in documents {
    for variable in document.root.entry("vars")?.value.entries ?? [] {
      guard let mark = variable.value.entry("secret")?.value, mark.scalar?.value != .bool(false)
      else { continue }
      for given in inputs.variables where given.name == variable.key {
        secrets += [given.text, given.value.plainText] + texts(in: given.value)
      }
      if let value = variable.value.entry("value")?.value { collect(value, inputs, &secrets) }
    }
  }
  return secrets
}

/// The texts inside a value; in place of an expression the environment's variables it names.
private func collect(_ node: YAMLNode, _ inputs: PlanInputs, _ secrets: inout [String]) {
  switch node.content {
  case .sequence(let elements): for element in elements { collect(element, inputs, &secrets) }
  case .mapping(let entries): for entry in entries { collect(entry.value, inputs, &secrets) }
  case .scalar(let scalar):
    guard scalar.text.contains("${") else {
      secrets.append(scalar.text)
      return
    }
    let words = scalar.text.split { !($0 == "_" || $0.isLetter || $0.isNumber) }
    for word in words {
      if let value = inputs.environment[String(word)] { secrets.append(value.plainText) }
    }
  }
}

/// The texts and numbers inside a list or a map that was given from outside.
private func texts(in value: Value) -> [String] {
  switch value {
  case .list(let elements): elements.flatMap(texts)
  case .map(let map): map.values.flatMap(texts)
  case .null, .bool: []
  case .int, .uint, .double, .string, .bytes, .timestamp, .duration, .type, .optional:
    [value.plainText]
  }
}
