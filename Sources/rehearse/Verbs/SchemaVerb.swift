import Diagnostics
import Glibc
import Reports
import ScenarioPlan
import ScenarioRuns
import ScenarioSpec
import Traces

/// Prints the published schemas, writes them to a folder, or checks that a folder has them.
func schemaVerb(_ arguments: SchemaArguments) -> ExitCode {
  let kinds = arguments.kind.map { [$0] } ?? SchemaKind.allCases
  switch arguments.destination {
  case .standardOutput(let kind): return Terminal.show(file: kind.schema)
  case .write(let folder): return write(kinds, to: folder)
  case .check(let folder): return check(kinds, in: folder)
  }
}

extension SchemaKind {
  fileprivate var schema: String {
    switch self {
    case .scenario: scenarioSchema()
    case .component: componentSchema()
    case .steps: stepsSchema()
    case .configuration: configurationSchema()
    case .trace: traceSchema()
    case .reportEvents: reportEventsSchema()
    case .serveMessages: serveMessagesSchema()
    }
  }

  fileprivate func path(in folder: String) -> String { "\(folder)/\(rawValue).schema.json" }
}

private func write(_ kinds: [SchemaKind], to folder: String) -> ExitCode {
  makeFolders(folder)
  for kind in kinds {
    if let problem = writeFile(kind.path(in: folder), kind.schema) {
      Terminal.complain(
        render(.unwritable(kind.path(in: folder), problem.message), in: SourceMap()))
      return .couldNotRun
    }
  }
  return .passed
}

private func check(_ kinds: [SchemaKind], in folder: String) -> ExitCode {
  var stale: [String] = []
  for kind in kinds {
    guard case .success(let bytes) = readFile(kind.path(in: folder)),
      String(decoding: bytes, as: UTF8.self) == kind.schema
    else {
      stale.append(kind.path(in: folder))
      continue
    }
  }
  for path in stale {
    Terminal.complain(
      render(
        Diagnostic(
          "stale-schema", "`\(path)` is not the schema of this version",
          help: "`rehearse schema --write \(folder)` writes it"), in: SourceMap()))
  }
  return stale.isEmpty ? .passed : .failed
}

extension Diagnostic {
  static func unwritable(_ path: String, _ reason: String) -> Diagnostic {
    let folder = enclosingFolder(of: path)
    let lacksFolder = !folder.isEmpty && access(folder, F_OK) != 0
    return Diagnostic(
      "unwritable-file", "`\(path)` cannot be written: \(reason)",
      help: lacksFolder ? "make the folder first: `mkdir -p \(folder)`" : nil)
  }
}
