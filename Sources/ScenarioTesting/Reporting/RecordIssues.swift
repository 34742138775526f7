import Testing

extension Stage {
  /// Runs a scenario in a test of Swift Testing. Each failure is an issue at its line of the
  /// scenario, with the report as its text. The trace of a failed run is attached.
  public func test(_ scenario: Scenario) async {
    let outcome = await outcome(of: scenario)
    switch outcome.result {
    case .passed: break
    case .skipped(let reason): noteSkipped(scenario, reason)
    case .failed:
      for failure in outcome.failures { record(failure) }
      guard !outcome.trace.isEmpty else { return }
      Attachment.record(outcome.trace, named: traceName(of: scenario))
    }
  }

  private func record(_ failure: ScenarioOutcome.Failure) {
    Issue.record(
      Comment(rawValue: failure.report),
      sourceLocation: place(failure.path, failure.line, failure.column))
  }

  private func noteSkipped(_ scenario: Scenario, _ reason: String) {
    let comment = Comment(rawValue: "`\(scenario)` was skipped: \(reason)")
    let place = place(scenario.path, scenario.line, 1)
    #if compiler(>=6.3)
      Issue.record(comment, severity: .warning, sourceLocation: place)
    #else
      withKnownIssue(isIntermittent: true) { Issue.record(comment, sourceLocation: place) }
    #endif
  }

  /// The place as the tests show it. The id of a file has a module and a name.
  private func place(_ path: String, _ line: Int, _ column: Int) -> SourceLocation {
    SourceLocation(
      fileID: path.contains("/") ? path : "./" + path, filePath: path, line: line, column: column)
  }

  private func traceName(of scenario: Scenario) -> String {
    let letters = scenario.description.lowercased().map { letter in
      letter.isLetter || letter.isNumber ? letter : "-"
    }
    return String(letters) + ".trace.jsonl"
  }
}

extension Scenario: CustomTestStringConvertible {
  /// The name of the test case: the scenario's title, with the name of the row.
  public var testDescription: String { description }
}
