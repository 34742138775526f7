import Diagnostics
import Glibc
import ScenarioEngine
import ScenarioRuns
import Testing
import Verdicts

/// `HOSTILE_STREAMS=25000 swift test --filter HostileBytes` tries 25,000 of each kind.
@Suite struct HostileBytesTests {
  private static let streamsOfEach =
    getenv("HOSTILE_STREAMS").flatMap { UInt64(String(cString: $0)) } ?? 150

  @Test(arguments: HostileBytes.Kind.allCases)
  func `whatever bytes a server sends, its client ends in a state that says so`(
    kind: HostileBytes.Kind
  ) {
    for seed in 0..<HostileBytesTests.streamsOfEach {
      var bytes = HostileBytes(kind, seed: seed)
      run(bytes.scenario(), seed: 1) { $0.outcome == .passed }
    }
  }

  @Test func `whatever a line does to what is said, connections end in a state that says so`() {
    for seed in 0..<HostileBytesTests.streamsOfEach {
      var line = HostileLine(seed: seed)
      // A damaged request may be one that no route is written for, which is a failure.
      run(line.scenario(), seed: Int(seed)) { verdict in
        verdict.failures.allSatisfy { $0.id == "unmatched-request" }
      }
    }
  }

  private func run(_ text: String, seed: Int, isRight: (Verdict) -> Bool) {
    let file = loadScenarios(SourceFile(path: "hostile.yaml", bytes: Array(text.utf8)))
    #expect(file.plans.count == 1, "\(render(file.diagnostics, in: file.sources))")
    for plan in file.plans {
      let run = runScenario(plan, inputs: RunInputs(seed: seed), sources: file.sources)
      let report = render(run.verdict.failures, in: file.sources)
      #expect(isRight(run.verdict), "\(seed)\n\(text)\n\(report)")
      #expect(run.log.events.count < 10_000)
    }
  }
}
