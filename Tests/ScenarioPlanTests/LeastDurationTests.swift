import Diagnostics
import ScenarioPlan
import ScenarioRuns
import Testing

/// The time that steps take at least, as their constants say.
@Suite struct LeastDurationTests {
  @Test(
    arguments: [
      ("[]", 0),
      ("[{ wait: 2m }, { wait: 3s }]", 123),
      ("[{ send: go }, { expect: [{ go: 1, after: 1m }, { go: 2, after: 30s }] }]", 90),
      ("[{ send: go }, { expect: [{ go: 1, after: 1m }] }, { wait: 5s }]", 65),
      // `after` counts from the last acting step, also across a wait.
      ("[{ send: go }, { wait: 1m }, { expect: [{ go: 1, after: 1m }] }]", 60),
      ("[{ wait: 1m }, { send: go }, { expect: [{ go: 1, after: 1m }] }]", 120),
      ("[{ wait: 1m }, { expect: [{ go: 1, after: 10s }] }, { wait: 1s }]", 61),
      ("[{ never: [go], for: 2m }]", 120),
      ("[{ parallel: [[{ wait: 1m }], [{ wait: 2m }]] }, { wait: 1s }]", 121),
      ("[{ repeat: 3, steps: [{ wait: 1m }] }]", 180),
      ("[{ repeat: 3, steps: [{ send: go }, { expect: [{ go: 1, after: 1m }] }] }]", 180),
      ("[{ repeat: 2, steps: [{ expect: [{ go: 1, after: 1m }] }, { wait: 1m }] }]", 120),
      ("[{ repeat: 0, steps: [{ wait: 1m }] }]", 0),
      ("[{ repeat: \"${n}\", steps: [{ wait: 1m }] }]", 0),
      ("[{ forEach: { x: [1, 2] }, steps: [{ wait: 1m }] }]", 120),
      ("[{ if: n == 0, then: [{ wait: 1m }] }, { wait: 1s }]", 1),
      ("[{ if: n == 0, then: [{ wait: 1m }], else: [{ wait: 2m }] }]", 60),
      ("[{ retry: { until: n == 0 }, steps: [{ wait: 1m }] }]", 60),
      ("[{ wait: \"${duration('1m')}\" }]", 60),
      ("[{ wait: \"${n == 0 ? duration('1m') : duration('2m')}\" }]", 0),
    ] as [(String, Int64)])
  func `the waits that are sure are added up`(steps: String, seconds: Int64) throws {
    let text = """
      scenario: A
      graph: { n: 0 }
      streams: { go: { subject: {} } }
      steps: \(steps.replacing("send: go", with: "send: { go: 1 }"))
      finally: [{ wait: 1s }]
      """
    let loaded = loadScenarios(SourceFile(path: "a.yaml", text: text))
    #expect(loaded.diagnostics.filter { $0.severity == .error } == [])
    #expect(try #require(loaded.plans.first).leastDuration == (seconds + 1) * 1_000_000)
  }
}
