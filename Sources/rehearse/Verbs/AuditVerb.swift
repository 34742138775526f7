import Diagnostics
import ScenarioPlan
import ScenarioRuns
import Synchronization
import TraceRecording
import Traces
import Values

/// Searches traces for tokens, and for the values that the command line gives.
func auditVerb(_ arguments: TraceArguments, _ style: DiagnosticStyle) -> ExitCode {
  let inputs = loadInputs(arguments.inputs)
  Terminal.complain(inputs.diagnostics, style)
  guard inputs.diagnostics.isEmpty else { return .badInput }
  // What a run wrote before it was killed may be shared with the rest of a folder.
  let paths = traceFiles([arguments.path], ending: traceSuffixes + [unfinishedTraceSuffix, ".har"])
  var found: [AuditedTrace] = []
  for path in paths {
    switch openTrace(path) {
    case .failure(let problem):
      Terminal.complain([.unreadable(path, problem.message)], style)
      found.append(AuditedTrace(path: path, code: .couldNotRun))
    case .success(let bytes):
      if path != arguments.path, bytes.isBlank { continue }
      let archive = isLineOfTrace(bytes) ? nil : archive(bytes.all)
      found.append(
        archive.map { AuditedTrace(path, bytes, archive: $0, inputs.value) }
          ?? AuditedTrace(path, bytes, inputs.value, style))
    }
  }
  guard !paths.isEmpty else {
    complainOfNothing([], [arguments.path], "`*.trace.jsonl` and `*.har`", arguments.color)
    return .nothingSelected
  }
  return report(found, arguments)
}

extension TraceBytes {
  /// True if nothing was written yet: a file of a trace grows by zero bytes.
  fileprivate var isBlank: Bool { all.allSatisfy { $0 == 0 } }
}

/// A trace that was searched.
private struct AuditedTrace {
  let path: String
  var findings: [TraceFinding] = []
  /// Says whether all of it could be read.
  let code: ExitCode

  init(path: String, code: ExitCode) {
    self.path = path
    self.code = code
  }

  /// Searches what can be read of a trace, and complains of what cannot.
  init(_ path: String, _ bytes: TraceBytes, _ inputs: PlanInputs, _ style: DiagnosticStyle) {
    let shown = ShownTrace(path, bytes)
    var problems = shown.diagnostics
    problems += shown.trace.runs.flatMap { run in
      run.unreadableBodies({ readBody($0, of: path) }, of: { _ in true })
    }.diagnostics(in: shown.file)
    Terminal.complain(problems, in: shown.sources, style)
    self.init(path: path, code: problems.hasErrors ? .badInput : .passed)
    let files = FilesBeside(path)
    findings = auditTrace(
      bytes.all, secrets: inputs.variables.map(\.text), names: inputs.namesByText,
      isPublic: { text, paths in files.have(text, paths) },
      body: { readBody($0, of: path) })
  }

  init(_ path: String, _ bytes: TraceBytes, archive: Value, _ inputs: PlanInputs) {
    self.init(path: path, code: .passed)
    findings = auditArchive(
      bytes.all, archive, secrets: inputs.variables.map(\.text), names: inputs.namesByText)
  }
}

extension PlanInputs {
  fileprivate var namesByText: [String: String] {
    Dictionary(variables.map { ($0.text, $0.name) }, uniquingKeysWith: { first, _ in first })
  }
}

/// The files of scenarios that a trace names, each read once.
private final class FilesBeside: Sendable {
  private let folder: String
  private let texts = Mutex<[Value: String]>([:])

  init(_ path: String) { folder = enclosingFolder(of: path) }

  /// Returns whether one of the files has a text.
  func have(_ text: String, _ paths: ValueMap) -> Bool {
    texts.withLock { texts in
      paths.keys.contains { path in
        let file =
          texts[path]
          ?? String(
            decoding: (try? readFile(resolve(path.plainText, in: folder)).get()) ?? [],
            as: UTF8.self)
        texts[path] = file
        return file.contains(text)
      }
    }
  }
}

private func report(_ traces: [AuditedTrace], _ arguments: TraceArguments) -> ExitCode {
  let count = traces.map(\.findings.count).reduce(0, +)
  let unread = traces.map(\.code).first { $0 != .passed }
  let code =
    arguments.isForPrograms ? showJSON(traces) : showText(traces, count, isWhole: unread == nil)
  guard code == .passed else { return code }
  return unread ?? (count == 0 ? .passed : .failed)
}

private func showText(
  _ traces: [AuditedTrace], _ count: Int, isWhole: Bool
) -> ExitCode {
  let lines = traces.flatMap { trace in
    trace.findings.map { finding in
      "\(visibleText(trace.path)):\(finding.line): \(visibleText(finding.name))"
        + (finding.pointer.map { "  at \(visibleText($0))" } ?? "")
    }
  }
  let number = count == 0 ? "no secrets" : count == 1 ? "1 secret" : "\(count) secrets"
  let end = number + " found" + (isWhole ? "" : " in what can be read")
  return Terminal.show((lines + [end]).map { $0 + "\n" }.joined())
}

private func showJSON(_ traces: [AuditedTrace]) -> ExitCode {
  let findings = traces.flatMap { trace in
    trace.findings.map { finding -> Value in
      [
        "path": .string(trace.path), "line": .int(finding.line), "name": .string(finding.name),
        "pointer": finding.pointer.map { .string($0) } ?? .null,
      ]
    }
  }
  let answer: Value = ["findings": .list(findings)]
  return Terminal.show(answer.json(pretty: true) + "\n", as: .json)
}
