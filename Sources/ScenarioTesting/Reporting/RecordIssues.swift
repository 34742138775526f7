import Testing
import Verdicts

/// Returns the line that runs the current test again. Only Swift Testing says which test it is.
func repeatingLine() -> String {
  guard let test = Test.current else {
    return "run this test again: its name is known in tests of Swift Testing only"
  }
  let name = test.name.lastIndex(of: "(").map { test.name[..<$0] } ?? test.name[...]
  let special = #"\^$.|?*+()[]{}"#
  let pattern = name.filter { $0 != "`" }.map { special.contains($0) ? "\\\($0)" : "\($0)" }
  let filter = "\(test.sourceLocation.moduleName).*\(pattern.joined())"
  return "swift test --filter \(shellQuoted(filter))"
}

extension Stage {
  /// Runs a scenario in a test of Swift Testing. Each failure is an issue at its line of the
  /// scenario, with the report as its text. The trace of a failed run is attached.
  ///
  /// `disturb` repeats a course of a sweep, which names its disturbances.
  public func test(_ scenario: Scenario, disturb names: [String] = []) async {
    let outcome = await outcome(of: scenario, disturb: names)
    record(outcome, of: scenario)
    for warning in outcome.warnings { warn(of: scenario, warning.report) }
  }

  /// Sweeps a scenario in a test of Swift Testing: runs it once more for each place at which
  /// something can go wrong, and demands the same end.
  ///
  /// Each cause of failures is an issue at its line of the scenario. Its text is the report of the
  /// shortest course, with the line that repeats it. Courses without a verdict are a warning.
  ///
  /// - Parameters:
  ///   - scenario: The scenario.
  ///   - pairs: True if each two disturbances are tried together as well.
  ///   - allPlaces: True if all places are tried, also of many alike places.
  ///   - maxTime: The most real time. A warning says how many courses are left.
  ///   - baseline: The file with the failures that are known and that are no issues. A relative
  ///     path is one of the working folder, or of the folder of the test.
  ///   - updatesBaseline: True if the file gets the failures of this scenario, in place of the
  ///     issues.
  ///   - file: The file of the test.
  public func sweep(
    _ scenario: Scenario, pairs: Bool = false, allPlaces: Bool = false, maxTime: Duration? = nil,
    baseline: String? = nil, updatesBaseline: Bool = false, file: StaticString = #filePath
  ) async {
    let swept = await sweepOutcome(
      of: scenario, pairs: pairs, allPlaces: allPlaces, maxTime: maxTime, baseline: baseline,
      updatesBaseline: updatesBaseline, file: file)
    record(swept.outcome, of: scenario)
    for warning in swept.warnings { warn(of: scenario, warning) }
  }

  private func record(_ outcome: ScenarioOutcome, of scenario: Scenario) {
    switch outcome.result {
    case .passed: break
    case .skipped(let reason): warn(of: scenario, "`\(scenario)` was skipped: \(reason)")
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

  private func warn(of scenario: Scenario, _ text: String) {
    let comment = Comment(rawValue: text)
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
