import Diagnostics
import ScenarioEngine
import ScenarioRuns
import Testing
import Verdicts

@Suite struct HostileScenarioTests {
  /// The messages of a run's failures.
  private func failures(of text: String) -> [String] {
    let loaded = loadScenarios(SourceFile(path: "x.yaml", text: text))
    return loaded.diagnostics.map(\.message)
      + loaded.plans.flatMap { plan in
        runScenario(plan, inputs: RunInputs(seed: 1), sources: loaded.sources).verdict.failures
          .map(\.message)
      }
  }

  @Test(arguments: [
    "steps: [{ repeat: 9223372036854775807, steps: [] }]",
    """
    reactors: { a: { state: { n: 0 }, actions: { go: [{ repeat: 1000000000, steps: [] }] } } }
    steps: [{ send: a.go }]
    """,
  ])
  func `a loop without steps comes to an end`(rest: String) {
    #expect(
      failures(of: "scenario: loop\n\(rest)") == ["a run takes at most this many steps"])
  }

  @Test func `a branch that fails ends the action around it`() {
    let text = """
      scenario: branches of an action
      reactors:
        r:
          state: { n: 0 }
          actions:
            go: [{ parallel: [[{ wait: 5s }], [{ wait: 1s }, { fail: x }]] }]
      steps: [{ send: r.go }, { wait: 10s }]
      """
    #expect(failures(of: text).count == 1)
  }
}
