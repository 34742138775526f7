import Diagnostics
import Protocols
import ScenarioPlan
import ScenarioSpec
import Secrets
import TextSearch
import Values
import YAMLSyntax

/// Returns the secrets of a file: the values of its secret variables and the passwords in its URLs.
///
/// They are found without decoding the documents, so that diagnostics of a scenario with errors do
/// not show them either.
func findSecrets(in documents: [YAMLDocument], inputs: PlanInputs) -> [NamedSecret] {
  documents.flatMap { document in
    document.secretSources.flatMap { source in
      switch source.secrecy {
      case .value:
        secrets(of: source, inputs).map { NamedSecret(name: source.name, text: $0) }
      case .password:
        passwords(of: source, in: document, inputs).map {
          NamedSecret(name: source.name + ".password", text: $0)
        }
      }
    }
  }
}

/// The texts of a secret variable, as the file has it and as it is given from outside.
private func secrets(of variable: SecretSource, _ inputs: PlanInputs) -> [String] {
  var secrets: [String] = []
  for given in inputs.variables where given.name == variable.name {
    let texts = [given.text, given.value.plainText] + given.value.secretTexts
    secrets += given.isPlaceholder ? [given.text] : texts
  }
  if let value = variable.value { collect(value, inputs, &secrets) }
  return secrets
}

/// The password in the URL of a real endpoint, also if a variable has the URL or the password.
private func passwords(
  of endpoint: SecretSource, in document: YAMLDocument, _ inputs: PlanInputs
) -> [String] {
  guard let url = endpoint.value?.scalar?.text else { return [] }
  let named = ([url] + values(named: url, in: document, inputs)).flatMap(passwords)
  let inside = named.flatMap { values(named: $0, in: document, inputs) }
  return (named.filter { !$0.contains("${") } + inside).flatMap(decoded)
}

private func passwords(in url: String) -> [String] {
  secret(in: url).map { [$0] } ?? []
}

/// A password as a URL has it, and as it is sent.
private func decoded(_ password: String) -> [String] {
  let decoded = URLText.decode(password, as: .path)
  return decoded == password ? [password] : [password, decoded]
}

/// The password of a URL, also of one that is not valid: a diagnostic would show it.
private func secret(in text: String) -> String? {
  if case .success(let url) = AbsoluteURL.read(text) { return url.secret }
  guard let at = text.lastIndex(of: "@"), let start = text.firstRange(of: "://")?.upperBound,
    start < at
  else { return nil }
  let login = text[start..<at]
  return String(login.firstIndex(of: ":").map { login[login.index(after: $0)...] } ?? login)
}

/// The values of the variables that expressions in a text name, also those of the environment.
private func values(
  named text: String, in document: YAMLDocument, _ inputs: PlanInputs
) -> [String] {
  guard text.contains("${") else { return [] }
  let words = text.split { !($0 == "_" || $0.isLetter || $0.isNumber) }.map(String.init)
  return words.flatMap { word -> [String] in
    let given = inputs.variables.filter { $0.name == word }.map(\.text)
    let value = document.variable(word)?.scalar?.text
    let environment = inputs.environment[word].map(\.plainText)
    return given + [value, environment].compactMap { $0 }
  }
}

/// Collects the texts inside a value. An expression stands for the variables of the environment
/// that it names.
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

/// The texts that diagnostics of a file hide besides its declared secrets.
///
/// Most files have no diagnostics, so their texts are read again for those that have some.
struct QuotedSecrets {
  /// The literals that steps capture as secrets, in this file or in one that belongs to it.
  private(set) var literals: [String] = []
  /// True if a text that names secrets cannot be read: nobody knows what they are.
  private(set) var areUnknown = false

  init(in sources: SourceMap) {
    let files = sources.files.enumerated().filter { $0.offset == 0 || $0.element.path.isYAML }
    guard files.contains(where: { $0.element.bytes.nameSecrets }) else { return }
    var documents: [YAMLDocument] = []
    for (number, file) in files {
      let tree = parseYAML(file, index: Int32(number))
      documents += tree.value
      if tree.diagnostics.hasErrors { areUnknown = true }
    }
    var captures = SecretCaptures()
    captures.find(in: documents)
    if !captures.isEmpty { literals = captures.literals(in: documents) }
  }
}

extension DecodedScenarios {
  /// The values in secret columns. A run masks those of its own row; diagnostics of the file and
  /// quoted lines may show those of any row.
  var secretCells: [String] {
    (whole + partial.map(\.document)).flatMap(\.cases).flatMap { row in
      row.secretColumns.isEmpty
        ? []
        : row.columns.filter { row.secretColumns.contains($0.name.value) }
          .flatMap { $0.value.secretTexts + [row.spellings[$0.name.value]].compactMap(\.self) }
    }
  }
}

extension Diagnostic {
  /// The diagnostic of a text whose values are not shown, with the reason.
  package var withoutValues: Diagnostic {
    var diagnostic = self
    diagnostic.notes.append(
      .init("note", "values are not shown: the file has secrets, and cannot be read as a whole"))
    return diagnostic
  }

  /// Returns the diagnostic without secrets. If it shows no values, a help that would be the line
  /// to write says in words what to write.
  package func hidden(by mask: SecretMask) -> Diagnostic {
    var hidden = masked(by: mask.masked(page:))
    guard mask.extent == .values, let help, hidden.help != help else { return hidden }
    switch id {
    case "needs-quotes", .unknownTag, .commentCut, .splitByComma:
      hidden.help = "write the whole value in quotes"
    case "undefined-alias":
      hidden.help = "write a text in quotes, or the name of a value before it"
    case .missingSpaceAfterColon: hidden.help = "write a space behind the colon of the key"
    case "yaml-syntax" where help.contains("single quotes"):
      hidden.help = "write the text in single quotes, which read no escapes"
    case let id where hidden.help?.hasPrefix("write `\(SecretMask.mark)`") == true:
      // Reports hide what stands in backticks once more.
      hidden.help = "rehearse explain \(id) shows how to write it"
    default: break
    }
    return hidden
  }
}

/// Returns the anchors without a value, in files with secrets. An unquoted secret that begins with
/// `&` looks like one.
func anchorsOnNothing(_ diagnostics: [Diagnostic], in sources: SourceMap) -> [String] {
  let places = diagnostics.filter { $0.id == .anchorOnNothing }.compactMap(\.labels.first?.range)
  if places.isEmpty || !sources.files.contains(where: { $0.bytes.nameSecrets }) { return [] }
  return places.compactMap { place in
    sources.file(of: place).map { file in
      String(decoding: file.bytes[Int(place.start)..<Int(place.end)].dropFirst(), as: UTF8.self)
    }
  }
}

extension String {
  fileprivate var isYAML: Bool { hasSuffix(".yaml") || hasSuffix(".yml") }
}

extension [UInt8] {
  /// Returns whether a text has a key that says what is secret: `secret` or `$secret`.
  fileprivate var nameSecrets: Bool {
    let word = Array(Key.secret.rawValue.utf8)
    return indices.contains { start in
      guard self[start] == word[0], self[start...].starts(with: word) else { return false }
      let rest = self[(start + word.count)...].drop { " \"'".utf8.contains($0) }
      return rest.first == UInt8(ascii: ":")
    }
  }
}
