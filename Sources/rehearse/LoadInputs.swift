import Diagnostics
import Glibc
import ScenarioPlan
import ScenarioRuns
import Values
import YAMLSyntax

/// Returns the variables and the environment that a command line gives to scenarios. A later value
/// of a variable replaces an earlier one, and values of files come first.
///
/// What the process has in its environment takes precedence over files, as in other tools, so that
/// one run can be changed from outside. A note says so, because the file says something else.
func loadInputs(_ given: GivenInputs = GivenInputs()) -> Diagnosed<PlanInputs> {
  var inputs = PlanInputs()
  inputs.environmentName = given.environment
  var diagnostics: [Diagnostic] = []
  for (name, value) in processEnvironment() { inputs.environment[name] = .string(value) }
  for path in given.environmentFiles {
    switch readInput(path) {
    case .failure(let problem): diagnostics.append(.unreadable(path, problem.message))
    case .success(let bytes):
      let file = parseEnvironmentFile(String(decoding: bytes, as: UTF8.self), path: path)
      var kept: [String] = []
      for (name, value) in file.value {
        guard let own = Terminal.environmentVariable(name) else {
          inputs.environment[name] = .string(value)
          continue
        }
        if own != value, !kept.contains(name) { kept.append(name) }
      }
      if !kept.isEmpty {
        Terminal.complain(render(.keptVariables(kept, path), in: SourceMap()))
      }
      diagnostics += file.diagnostics
    }
  }
  for path in given.variableFiles {
    switch readInput(path) {
    case .failure(let problem): diagnostics.append(.unreadable(path, problem.message))
    case .success(let bytes):
      let file = parseVariablesFile(SourceFile(path: path, bytes: bytes))
      inputs.variables += file.value
      diagnostics += file.diagnostics
    }
  }
  for variable in given.variables {
    inputs.variables.append(
      PlanInputs.Variable(
        name: variable.name, text: variable.value, value: value(of: variable.value)))
  }
  return Diagnosed(inputs, diagnostics)
}

/// The values that a command line gives to scenarios.
struct GivenInputs: Equatable {
  var variables: [VariableSetting] = []
  var variableFiles: [String] = []
  var environmentFiles: [String] = []
  /// The environment of `rehearse.yaml` that is chosen.
  var environment: String?

  /// The files that are read for them.
  var files: [String] { variableFiles + environmentFiles }

  /// Returns the options that repeat a run with these values.
  func repeated(proxy: ProxySettings? = nil) -> RepeatedOptions {
    var repeated = RepeatedOptions()
    repeated.variables = variables.map { ($0.name, $0.value) }
    repeated.variableFiles = variableFiles
    repeated.environmentFiles = environmentFiles
    repeated.environment = environment
    repeated.proxy = proxy
    return repeated
  }
}

/// Returns the value of a text on the command line: JSON if it looks like it, else a plain scalar.
func value(of text: String) -> Value {
  if let first = text.first, "[{\"".contains(first),
    case .success(let json) = parseJSON(text.utf8)
  {
    return json
  }
  return coreValue(of: text)
}

private func processEnvironment() -> [(String, String)] {
  var variables: [(String, String)] = []
  var next = environ
  while let entry = next.pointee {
    let text = String(cString: entry)
    if let equals = text.utf8.firstIndex(of: UInt8(ascii: "=")) {
      variables.append((String(text[..<equals]), String(text[text.utf8.index(after: equals)...])))
    }
    next += 1
  }
  return variables
}

/// Reads lines of `NAME=VALUE`. Empty lines and lines that begin with `#` are ignored, `export` is
/// allowed before a name, and a value may be in quotes. In double quotes, `\n`, `\r`, `\t`, `\"`
/// and `\\` are escapes.
func parseEnvironmentFile(
  _ text: String, path: String
) -> Diagnosed<[(name: String, value: String)]> {
  var result = Diagnosed<[(name: String, value: String)]>([])
  // A carriage return and a line feed are one character.
  let lines = text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }
  for (number, line) in lines.enumerated() {
    var line = trimmed(line)
    if number == 0, line.hasPrefix("\u{FEFF}") { line = trimmed(line.dropFirst()) }
    if line.isEmpty || line.hasPrefix("#") { continue }
    if line.hasPrefix("export ") || line.hasPrefix("export\t") { line = trimmed(line.dropFirst(7)) }
    guard let equals = line.firstIndex(of: "="), equals > line.startIndex else {
      result.diagnostics.append(.environmentLine(path, number + 1))
      continue
    }
    let value = trimmed(line[line.index(after: equals)...])
    result.value.append((String(trimmed(line[..<equals])), unquoted(value)))
  }
  return result
}

private func trimmed(_ text: Substring) -> Substring {
  let isBlank: (Character) -> Bool = { $0 == " " || $0 == "\t" || $0 == "\r" || $0 == "\r\n" }
  var text = text.drop(while: isBlank)
  while let last = text.last, isBlank(last) { text.removeLast() }
  return text
}

private func unquoted(_ value: Substring) -> String {
  guard value.count >= 2, let quote = value.first, quote == "'" || quote == "\"",
    value.last == quote
  else { return String(value) }
  let inner = value.dropFirst().dropLast()
  return quote == "'" ? String(inner) : unescaped(inner)
}

/// Returns the text of double quotes. A backslash before any other character is itself.
private func unescaped(_ text: Substring) -> String {
  let escapes: [Character: Character] = ["n": "\n", "r": "\r", "t": "\t", "\"": "\"", "\\": "\\"]
  var result = ""
  var rest = text
  while let character = rest.popFirst() {
    if character == "\\", let escaped = rest.first.flatMap({ escapes[$0] }) {
      rest.removeFirst()
      result.append(escaped)
    } else {
      result.append(character)
    }
  }
  return result
}

extension Diagnostic {
  /// Makes the note about variables whose values of the process stay. It has no value, which may be
  /// a secret.
  fileprivate static func keptVariables(_ names: [String], _ path: String) -> Diagnostic {
    let list = names.map { "`\($0)`" }.joined(separator: ", ")
    return Diagnostic(
      "kept-variable", severity: .note,
      "\(list) \(names.count == 1 ? "keeps its value" : "keep their values") of the environment, "
        + "which takes precedence over `\(path)`")
  }

  static func environmentLine(_ path: String, _ line: Int) -> Diagnostic {
    Diagnostic(
      "environment-line", "\(path):\(line): a line of an environment file is `NAME=VALUE`")
  }
}
