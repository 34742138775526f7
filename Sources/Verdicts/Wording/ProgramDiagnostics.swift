import Diagnostics
import Events
import ScenarioPlan
import Values

/// The most lines of a pipe beside a failure.
private let linesListed = 5
/// The most programs whose lines stand beside a failure.
private let programsListed = 3

/// The texts about programs.
extension FailureWriter {
  func diagnostic(of problem: ProgramProblem) -> Diagnostic {
    let name = judge.plan.programs[ifPresent: problem.program]?.name ?? "?"
    var diagnostic = diagnostic(of: problem.kind, name)
    let program = judge.plan.programs[ifPresent: problem.program]?.range ?? .none
    if let step = problem.step {
      diagnostic.labels = [
        .init(step.range, turnText(step) ?? ""), .init(program, "this program"),
      ]
    } else {
      diagnostic.labels = [.init(program)]
    }
    diagnostic.notes += notes(about: name, problem.errors, problem.lines)
    return diagnostic
  }

  private func diagnostic(of kind: ProgramProblem.Kind, _ name: String) -> Diagnostic {
    switch kind {
    case .notStarted(let message, let help):
      Diagnostic("program-not-started", "`\(name)` was not started: \(masked(message))", help: help)
    case .exitedBeforeReady(let end):
      Diagnostic(
        "program-not-ready", "`\(name)` \(end.words) before it was ready",
        help: "correct the program, or its `ready`")
    case .notReady(let limit):
      Diagnostic(
        "program-not-ready", "`\(name)` was not ready within \(durationText(limit))",
        help: "correct `ready`, or give it more time: `ready: { timeout: 1m }`")
    case .exited(let end):
      Diagnostic(
        "program-failed", "`\(name)` \(end.words), and nothing expects that",
        help: "correct the program, or expect its end: `expect: { \(name).exit: \(end.matcher) }`")
    case .usedAfterExit(let end):
      Diagnostic(
        "program-ended", "`\(name)` \(end.words) before this step used it",
        help: "expect its end with `\(name).exit`, or find out why it ended")
    case .inputClosed, .inputFull, .lineTooLong: diagnosticOfPipe(kind, name)
    }
  }

  private func diagnosticOfPipe(_ kind: ProgramProblem.Kind, _ name: String) -> Diagnostic {
    switch kind {
    case .inputFull(let most):
      Diagnostic(
        "program-input", "`\(name)` does not read its standard input",
        notes: note("limit", "program-input = \(most)"), help: "let the program read its input")
    case .lineTooLong(let most):
      Diagnostic(
        "program-line-too-long", "`\(name)` wrote a line that is too long",
        notes: note("limit", "bytes-in-program-line = \(most)"),
        help: "let the program write shorter lines, or write such data into a file")
    case .inputClosed, .notStarted, .exitedBeforeReady, .notReady, .exited, .usedAfterExit:
      Diagnostic(
        "program-input", "`\(name)` has closed its standard input",
        help: "let the program read its input for as long as the scenario sends")
    }
  }

  /// The ends of programs and their last lines, beside a failure.
  func programs(before failure: Failure) -> [Diagnostic.Fact] {
    if judge.plan.programs.isEmpty { return [] }
    if case .problem(.program) = failure.kind { return [] }
    return judge.plan.programs.prefix(programsListed).flatMap { program in
      let declared = Set(program.sources.map(\.source) + [program.lines])
      let errors = lastLines(of: [program.errors], before: failure)
      let lines = lastLines(of: declared, before: failure)
      return end(of: program, before: failure) + notes(about: program.name, errors, lines)
    }
  }

  private func end(of program: ProgramPlan, before failure: Failure) -> [Diagnostic.Fact] {
    for event in log.events.reversed() where event.time <= failure.time {
      guard case .source(.emitted(program.exit, let value)) = event.kind else { continue }
      let text = ProgramEnd(value)?.words ?? "has ended"
      return note(program.name, "\(text) at \(durationText(event.time))")
    }
    return []
  }

  private func lastLines(of sources: Set<SourceID>, before failure: Failure) -> [String] {
    var lines: [String] = []
    for event in log.events.reversed() where event.time <= failure.time {
      guard case .source(.emitted(let source, let value)) = event.kind, sources.contains(source)
      else { continue }
      let text =
        if case .string(let line) = value { line } else { value.display(maxLength: factLength) }
      lines.append(
        sources.count == 1 || judge.plan.sources[source].isPlainLine
          ? text : "\(names.name(of: source)): \(text)")
      if lines.count == linesListed { break }
    }
    return lines.reversed()
  }

  private func notes(
    about name: String, _ errors: [String], _ lines: [String]
  ) -> [Diagnostic.Fact] {
    let texts = [("\(name).errors", errors), ("\(name) wrote", lines)]
    return texts.flatMap { title, lines in
      lines.isEmpty
        ? []
        : note(title, lines.suffix(linesListed).map { masked(cut($0)) }.joined(separator: "\n"))
    }
  }

  private func cut(_ line: String) -> String {
    line.count > factLength ? line.prefix(factLength) + "…" : line
  }

  private func masked(_ text: String) -> String { names.mask.masked(text) }
}

extension SourcePlan {
  /// True if its events are the lines of a pipe as they are.
  fileprivate var isPlainLine: Bool {
    switch kind {
    case .program(_, .lines), .program(_, .errors): true
    case .program, .node, .endpoint, .reactorEvents, .componentEvents, .allEvents, .stream,
      .connection, .connectivity, .declared:
      false
    }
  }
}

extension ProgramEnd {
  /// `exited with code 1`, `was ended by SIGTERM`.
  fileprivate var words: String {
    switch self {
    case .code(let code): "exited with code \(code)"
    case .signal(let name): "was ended by SIG\(name)"
    }
  }

  fileprivate var matcher: String {
    switch self {
    case .code(let code): "\(code)"
    case .signal(let name): name
    }
  }
}
