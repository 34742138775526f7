import Diagnostics
import Verdicts

/// The outcome of a scenario whose parts were played by Swift objects.
public struct ScenarioOutcome: Sendable {
  /// The verdict in one word.
  public enum Result: Sendable, Equatable {
    case passed, failed
    /// It did not run, for this reason.
    case skipped(String)
  }

  /// A failure and its place in the scenario's text.
  public struct Failure: Sendable {
    /// The id, which `rehearse explain` explains.
    public let id: String
    /// The path of the file.
    public let path: String
    /// The line, from 1.
    public let line: Int
    /// The column, from 1.
    public let column: Int
    /// The report: the excerpt, the values, and what to do.
    public let report: String
  }

  /// The verdict.
  public let result: Result
  /// The failures in the order in which they happened.
  public let failures: [Failure]
  /// The rules of protocols that a client broke, and other findings that change no verdict.
  public let warnings: [Failure]
  /// The operations that were open at the end, such as `sse prices at feed, connected`.
  public let leftOpen: [String]
  /// The lines of the trace, which `rehearse` can show and replay; empty if nothing ran.
  public let trace: String

  /// The reports of all failures.
  public var report: String { failures.map(\.report).joined(separator: "\n") }
}

/// The error of a scenario that did not hold. Its description is the report.
public struct ScenarioFailure: Error, CustomStringConvertible {
  /// The outcome of the scenario.
  public let outcome: ScenarioOutcome

  /// The report.
  public var description: String { outcome.report }
}

extension ScenarioOutcome {
  init(skipped reason: String) {
    self.init(result: .skipped(reason), failures: [], warnings: [], leftOpen: [], trace: "")
  }

  init(failing scenario: Scenario, _ diagnostics: [Diagnostic]) {
    self.init(
      result: .failed, failures: diagnostics.map { Failure($0, of: scenario) }, warnings: [],
      leftOpen: [], trace: "")
  }

  init(_ verdict: Verdict, of scenario: Scenario, trace: String) {
    var scenario = scenario
    scenario.secrets = verdict.secrets
    let mask = scenario.wholeMask
    let result: Result
    switch verdict.outcome {
    case .passed, .flaky: result = .passed
    case .failed, .couldNotRun: result = .failed
    case .skipped(let reason):
      self.init(skipped: reason)
      return
    }
    self.init(
      result: result,
      failures: result == .failed ? verdict.failures.map { Failure($0, of: scenario) } : [],
      warnings: verdict.warnings.map { Failure($0, of: scenario) },
      leftOpen: verdict.pendingAtEnd.first.map {
        mask.masked("\($0.kind) \($0.name) at \($0.endpoint), \($0.state)")
      }, trace: trace)
  }
}

extension ScenarioOutcome.Failure {
  init(_ diagnostic: Diagnostic, of scenario: Scenario) {
    let mask = scenario.wholeMask
    let shown = diagnostic.masked(by: mask.masked(page:))
    let range = shown.labels.first?.range
    let file = range.flatMap { scenario.sources.file(of: $0) }
    let place = range.flatMap { range in file?.place(of: Int(range.start)) }
    let line = place?.line ?? scenario.line
    let origin = scenario.origin
    self.init(
      id: shown.id.rawValue, path: origin?.path ?? file?.path ?? scenario.path,
      line: origin.map { $0.lines[line] ?? $0.line } ?? line,
      column: origin == nil ? place?.column ?? 1 : 1,
      report: render(shown, in: scenario.sources, hiding: { mask.places(in: $0) }))
  }
}
