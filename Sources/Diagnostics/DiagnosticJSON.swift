/// Returns the machine-readable form of `render`: one JSON object on one line, with every key
/// present.
public func diagnosticJSON(_ diagnostic: Diagnostic, in sources: SourceMap) -> String {
  object([
    ("id", quoted(diagnostic.id)),
    ("severity", quoted(diagnostic.severity.rawValue)),
    ("message", quoted(diagnostic.message)),
    ("labels", array(diagnostic.labels.map { labelJSON($0, in: sources) })),
    ("facts", array(diagnostic.facts.map(factJSON))),
    ("notes", array(diagnostic.notes.map(factJSON))),
    ("help", diagnostic.help.map(quoted) ?? "null"),
    ("differences", array(diagnostic.differences.map(differenceJSON))),
  ])
}

private func labelJSON(_ label: Diagnostic.Label, in sources: SourceMap) -> String {
  let file = sources.file(of: label.range)
  let start = file?.place(of: Int(label.range.start))
  let end = file?.place(of: Int(max(label.range.start, label.range.end)))
  let number = { (value: Int?) in value.map { String($0) } ?? "null" }
  return object([
    ("path", file.map { quoted($0.path) } ?? "null"),
    ("line", number(start?.line)),
    ("column", number(start?.column)),
    ("endLine", number(end?.line)),
    ("endColumn", number(end?.column)),
    ("text", quoted(label.text)),
  ])
}

private func factJSON(_ fact: Diagnostic.Fact) -> String {
  object([("name", quoted(fact.name)), ("text", quoted(fact.text))])
}

/// Returns a difference as JSON. A side without a value is left out, since null is a value too.
private func differenceJSON(_ difference: Diagnostic.Difference) -> String {
  let sides = [("actual", difference.actual), ("expected", difference.expected)]
  return object(
    [("path", quoted(difference.path)), ("kind", quoted(difference.kind.rawValue))]
      + sides.compactMap { name, json in json.map { (name, $0) } })
}

private func object(_ entries: [(key: String, json: String)]) -> String {
  "{" + entries.map { quoted($0.key) + ":" + $0.json }.joined(separator: ",") + "}"
}

private func array(_ elements: [String]) -> String {
  "[" + elements.joined(separator: ",") + "]"
}

/// Returns a JSON string. Terminal control characters are escaped as well, because people read
/// reports with `cat`.
private func quoted(_ text: String) -> String {
  text.unicodeScalars.reduce(into: "\"") { $0 += escaped($1) } + "\""
}

private func escaped(_ scalar: Unicode.Scalar) -> String {
  switch scalar {
  case "\"": return "\\\""
  case "\\": return "\\\\"
  case "\n": return "\\n"
  case "\r": return "\\r"
  case "\t": return "\\t"
  default: break
  }
  guard scalar.value < 0x20 || (0x7F..<0xA0).contains(scalar.value) else { return String(scalar) }
  let digits = String(scalar.value, radix: 16)
  return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
}
