import Diagnostics
import ScenarioEngine
import ScenarioRuns
import Testing
import Verdicts

@Suite struct HostileBytesTests {
  private static let streamsOfEach: UInt64 = 150

  @Test(arguments: HostileBytes.Kind.allCases)
  func `whatever bytes a server sends, its client ends in a state that says so`(
    kind: HostileBytes.Kind
  ) {
    for seed in 0..<HostileBytesTests.streamsOfEach {
      var bytes = HostileBytes(kind, seed: seed)
      let text = bytes.scenario()
      let file = loadScenarios(SourceFile(path: "hostile.yaml", bytes: Array(text.utf8)))
      #expect(file.plans.count == 1, "\(render(file.diagnostics, in: file.sources))")
      for plan in file.plans {
        let run = runScenario(plan, inputs: RunInputs(seed: 1), sources: file.sources)
        let report = render(run.verdict.failures, in: file.sources)
        #expect(run.verdict.outcome == .passed, "\(seed)\n\(text)\n\(report)")
        #expect(run.log.events.count < 10_000)
      }
    }
  }
}
