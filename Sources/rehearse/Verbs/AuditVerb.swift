import Diagnostics
import ScenarioPlan
import ScenarioRuns
import TraceRecording
import Traces
import Values

/// Searches traces for tokens, and for the values that the command line gives.
func auditVerb(_ arguments: TraceArguments, _ style: DiagnosticStyle) -> ExitCode {
  let inputs = loadInputs(
    variables: arguments.variables, variableFiles: arguments.variableFiles,
    environmentFiles: arguments.environmentFiles)
  for problem in inputs.diagnostics {
    Terminal.complain(render(problem, in: SourceMap(), style: style))
  }
  guard inputs.diagnostics.isEmpty else { return .badInput }
  var found: [AuditedTrace] = []
  for path in traceFiles([arguments.path]) {
    switch openTrace(path) {
    case .failure(let problem):
      Terminal.complain(render(.unreadable(path, problem.message), in: SourceMap(), style: style))
      return .couldNotRun
    case .success(let bytes):
      guard let audited = AuditedTrace(path, bytes, inputs.value, style) else { return .badInput }
      found.append(audited)
    }
  }
  return report(found, arguments)
}

/// A trace that was searched.
private struct AuditedTrace {
  let path: String
  let findings: [TraceFinding]

  /// Searches a trace. Complains and returns nil if a part of it cannot be read.
  init?(_ path: String, _ bytes: TraceBytes, _ inputs: PlanInputs, _ style: DiagnosticStyle) {
    let shown = ShownTrace(path, bytes)
    var problems = shown.diagnostics
    problems += shown.trace.runs.flatMap { run in
      run.unreadableBodies({ readBody($0, of: path) }, of: { _ in true })
    }.map { $0.diagnostic(in: shown.file) }
    for problem in problems {
      Terminal.complain(render(problem, in: shown.sources, style: style))
    }
    guard !problems.hasErrors else { return nil }
    let names = Dictionary(
      inputs.variables.map { ($0.text, $0.name) }, uniquingKeysWith: { first, _ in first })
    self.path = path
    findings = auditTrace(bytes.all, secrets: inputs.variables.map(\.text), names: names) {
      readBody($0, of: path)
    }
  }
}

private func report(_ traces: [AuditedTrace], _ arguments: TraceArguments) -> ExitCode {
  let count = traces.map(\.findings.count).reduce(0, +)
  let code = arguments.isForPrograms ? showJSON(traces) : showText(traces, count)
  guard code == .passed else { return code }
  return count == 0 ? .passed : .failed
}

private func showText(_ traces: [AuditedTrace], _ count: Int) -> ExitCode {
  let lines = traces.flatMap { trace in
    trace.findings.map { finding in
      "\(visibleText(trace.path)):\(finding.line): \(visibleText(finding.name))"
        + (finding.pointer.map { "  at \(visibleText($0))" } ?? "")
    }
  }
  let end =
    count == 0 ? "no secrets found" : count == 1 ? "1 secret found" : "\(count) secrets found"
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
  return Terminal.show(answer.json(pretty: true) + "\n")
}
