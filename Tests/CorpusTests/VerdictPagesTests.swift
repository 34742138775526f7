import Diagnostics
import Explanations
import ScenarioEngine
import ScenarioRuns
import TestKit
import Testing
import Values
import Verdicts

/// The examples of `rehearse explain` about failures of a run are scenarios, and are run.
@Suite struct VerdictPagesTests {
  /// What one example comes to.
  private struct Outcome: Equatable {
    var complaints: [String]
    var failures: [String]
    var isPassed: Bool

    static let passed = Outcome(complaints: [], failures: [], isPassed: true)

    static func failed(_ id: String) -> Outcome {
      Outcome(complaints: [], failures: [id], isPassed: false)
    }
  }

  @Test(arguments: diagnosticPages(on: .failures))
  func `the wrong example of a page fails with this id and no other`(_ page: DiagnosticPage) throws
  {
    #expect(try outcome(of: page.wrong, on: page) == .failed(page.id.rawValue))
  }

  @Test(arguments: diagnosticPages(on: .failures))
  func `the right example of a page passes`(_ page: DiagnosticPage) throws {
    #expect(try outcome(of: page.right, on: page) == .passed)
  }

  private func outcome(of example: String, on page: DiagnosticPage) throws -> Outcome {
    if page.id == "drift" { return try outcomeAgainstRealShop(example) }
    if let trace = page.fileTexts["a.trace.jsonl"] { return outcome(of: example, judgedBy: trace) }
    let loading = Loading(example, path: "counter.scenario.yaml", components: page.fileTexts)
    // The wrong example is interrupted as soon as a run asks whether it is.
    let isInterrupted = page.id == "interrupted" && example == page.wrong
    return outcome(of: loading, loading.run(isInterrupted: { isInterrupted }))
  }

  private func outcome(of example: String, judgedBy trace: String) -> Outcome {
    let loading = Loading(example, path: "counter.scenario.yaml")
    return outcome(of: loading, loading.judge(trace))
  }

  private func outcomeAgainstRealShop(_ example: String) throws -> Outcome {
    let server = try #require(
      RehearsedServer(
        """
        scenario: The real shop
        endpoints: { api: { http: [{ get: /price, respond: { json: { amount: "12.00" } } }] } }
        steps: [{ wait: 1h }]
        """))
    defer { server.stop() }
    let url = "http://localhost:\(server.port)"
    let loading = Loading(
      example, environment: ValueMap([(.string("SHOP_URL"), .string(url))]))
    return outcome(of: loading, loading.run(in: .real(RealWorldSettings())))
  }

  private func outcome(of loading: Loading, _ run: JudgedRun?) -> Outcome {
    outcome(of: loading, run?.verdict)
  }

  private func outcome(of loading: Loading, _ verdict: Verdict?) -> Outcome {
    let findings = (verdict?.failures ?? []) + (verdict?.warnings ?? [])
    return Outcome(
      complaints: loading.complaints, failures: findings.map(\.id.rawValue),
      isPassed: verdict?.outcome == .passed && findings.isEmpty)
  }
}
