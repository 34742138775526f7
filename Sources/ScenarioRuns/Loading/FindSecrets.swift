import Protocols
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
    secrets += passwords(of: document.root, inputs)
  }
  return secrets
}

/// The passwords in the URLs of real endpoints, also where a variable has the URL or the password.
private func passwords(of scenario: YAMLNode, _ inputs: PlanInputs) -> [String] {
  let endpoints = scenario.entry("endpoints")?.value.entries ?? []
  return endpoints.flatMap { endpoint -> [String] in
    guard let url = endpoint.value.entry("url")?.value.scalar?.text else { return [] }
    let named = ([url] + values(named: url, in: scenario, inputs)).flatMap(passwords)
    let inside = named.flatMap { values(named: $0, in: scenario, inputs) }
    return (named.filter { !$0.contains("${") } + inside).flatMap(decoded)
  }
}

private func passwords(in url: String) -> [String] {
  secret(in: url).map { [$0] } ?? []
}

/// A password as it stands in a URL, and as it is sent.
private func decoded(_ password: String) -> [String] {
  let decoded = URLText.decode(password, as: .path)
  return decoded == password ? [password] : [password, decoded]
}

/// Also of a URL that is none, for it is shown then.
private func secret(in text: String) -> String? {
  if case .success(let url) = AbsoluteURL.read(text) { return url.secret }
  guard let at = text.lastIndex(of: "@"), let start = text.firstRange(of: "://")?.upperBound,
    start < at
  else { return nil }
  let login = text[start..<at]
  return String(login.firstIndex(of: ":").map { login[login.index(after: $0)...] } ?? login)
}

/// What the variables are that expressions in a text name, those of the environment among them.
private func values(
  named text: String, in scenario: YAMLNode, _ inputs: PlanInputs
) -> [String] {
  guard text.contains("${") else { return [] }
  let words = text.split { !($0 == "_" || $0.isLetter || $0.isNumber) }.map(String.init)
  return words.flatMap { word -> [String] in
    let given = inputs.variables.filter { $0.name == word }.map(\.text)
    let written = scenario.entry("vars")?.value.entry(word)?.value
    let value = (written?.entry("value")?.value ?? written)?.scalar?.text
    let environment = inputs.environment[word].map(\.plainText)
    return given + [value, environment].compactMap { $0 }
  }
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
