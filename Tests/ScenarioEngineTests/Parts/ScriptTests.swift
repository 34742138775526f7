import Testing
import Values

@testable import ScenarioEngine

/// The interpreter of scripts, by what `log` steps write and when.
@Suite struct ScriptTests {
  private func logged(_ text: String) throws -> [Value] {
    let built = try BuiltStage(text)
    built.run.runSteps()
    return built.logged.map(\.value)
  }

  @Test(
    arguments: [
      ("  - { repeat: 3, steps: [{ log: \"${turn}\" }] }", [1, 2, 3]),
      ("  - { repeat: 0, steps: [{ log: \"${turn}\" }] }", []),
      ("  - { forEach: { x: [7, 8] }, steps: [{ log: \"${x}\" }] }", [7, 8]),
      ("  - { if: 1 == 2, then: [{ log: 1 }], else: [{ log: 2 }] }", [2]),
      ("  - { let: { a: 4 } }\n  - { log: \"${a}\" }", [4]),
      (
        "  - { repeat: 2, steps: [{ if: 1 == 1, then: [{ log: 5 }] }, { log: 0 }] }",
        [5, 0, 5, 0]
      ),
    ] as [(String, [Value])])
  func `a script goes through its lists in order`(_ steps: String, _ values: [Value]) throws {
    #expect(try logged("steps:\n" + steps) == values)
  }

  @Test func `a failed step goes on in the nearest catch, which sees the error`() throws {
    let values = try logged(
      """
      reactors:
        r:
          actions:
            go:
              - try: [{ log: 1 }, { repeat: "${'x'}", steps: [] }, { log: 2 }]
                catch: [{ log: "${error.message}" }]
              - log: 3
      steps: [{ send: r.go }]
      """)
    #expect(values == [1, "`repeat` takes a whole number from 0, not x", 3])
  }

  @Test func `branches run side by side, and the step is over when the last of them is`() throws {
    let built = try BuiltStage(
      """
      steps:
        - parallel: [[{ wait: 2s }, { log: 2 }], [{ wait: 1s }, { log: 1 }]]
        - log: 3
      """)
    built.run.runSteps()
    #expect(built.logged.map(\.value) == [1, 2, 3])
    #expect(built.logged.map(\.time) == [1_000, 2_000, 2_000])
  }

  @Test func `a script that is cancelled ends once, and its wait with it`() throws {
    let built = try BuiltStage("steps: [{ wait: 1s }, { log: 1 }]")
    let script = ScriptRun(built.parts, frame: built.parts.plan.steps, role: .steps(branch: .main))
    var ends = 0
    script.onEnd = { _ in ends += 1 }
    script.resume()
    #expect(built.parts.loop.scheduler.count == 1)
    script.cancel()
    script.cancel()
    #expect(ends == 1 && script.hasEnded)
    #expect(built.parts.loop.scheduler.count == 0)
    script.resume()
    #expect(built.logged.isEmpty)
  }
}
