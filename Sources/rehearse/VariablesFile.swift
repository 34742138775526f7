import Diagnostics
import ScenarioPlan
import Values
import YAMLSyntax

/// Reads a map from names of variables to values: JSON if the file's name ends in `.json`, else
/// YAML.
func parseVariablesFile(_ file: SourceFile) -> Diagnosed<[PlanInputs.Variable]> {
  file.path.hasSuffix(".json") ? variables(inJSON: file) : variables(inYAML: file)
}

private func variables(inJSON file: SourceFile) -> Diagnosed<[PlanInputs.Variable]> {
  let mark = file.bytes.starts(with: byteOrderMark) ? byteOrderMark.count : 0
  switch parseJSON(file.bytes[mark...], refusingDuplicateKeys: true) {
  case .failure(let problem):
    return Diagnosed([], [.variablesFile(file, mark + problem.offset, problem.message)])
  case .success(.map(let map)):
    return Diagnosed(
      map.map { key, value in
        PlanInputs.Variable(
          name: key.plainText, text: value.plainText, value: value, file: file.path)
      })
  case .success(let value): return Diagnosed([], [.noVariables(file, found: value.kindName)])
  }
}

private func variables(inYAML file: SourceFile) -> Diagnosed<[PlanInputs.Variable]> {
  let tree = parseYAML(file, index: 0)
  let errors = tree.diagnostics.filter { $0.severity == .error }
  guard errors.isEmpty, let document = tree.value.first, tree.value.count == 1 else {
    let complaints = errors.map {
      Diagnostic.variablesFile(file, Int($0.labels.first?.range.start ?? 0), $0.message)
    }
    return Diagnosed(
      [], complaints.isEmpty ? [.noVariables(file, found: "several documents")] : complaints)
  }
  guard let entries = document.root.entries else {
    return Diagnosed([], [.noVariables(file, found: document.root.kindName)])
  }
  return Diagnosed(
    entries.map { entry in
      let value = entry.value.value
      return PlanInputs.Variable(
        name: entry.key, text: entry.value.text ?? value.plainText, value: value, file: file.path)
    })
}

extension Diagnostic {
  /// A complaint without the line it is about, which may hold secrets.
  fileprivate static func variablesFile(
    _ file: SourceFile, _ offset: Int, _ message: String
  ) -> Diagnostic {
    let place = file.place(of: offset)
    return Diagnostic("variables-file", "\(file.path):\(place.line):\(place.column): \(message)")
  }

  fileprivate static func noVariables(_ file: SourceFile, found: String) -> Diagnostic {
    Diagnostic(
      "variables-file",
      "`\(file.path)` must be a map from names of variables to values, and is \(found)")
  }
}
