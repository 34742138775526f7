import ScenarioPlan
import Testing
import Values

@testable import ScenarioEngine

/// Live streams, fed one value after the other.
@Suite struct StreamTests {
  /// The subject `typed`, and a stream `out` that is made of it.
  private func stage(_ operators: String) throws -> BuiltStage {
    try BuiltStage(
      """
      streams:
        typed: { subject: 0 }
        out: { from: typed, through: [\(operators)] }
      steps: [{ wait: 10s }, { ignore: [out, typed] }]
      """)
  }

  private func feed(_ values: [Value], into built: BuiltStage) throws {
    let streams = try #require(built.parts.streams)
    let subject = try #require(
      built.parts.plan.streams.indices.first {
        built.parts.plan.sources[built.parts.plan.streams[$0].source].name == "typed"
      })
    for value in values { streams.send(value, to: subject) }
  }

  @Test(
    arguments: [
      ("{ map: value + 1 }", [1, 2, 3], [2, 3, 4]),
      ("{ filter: value > 1 }", [1, 2, 3], [2, 3]),
      // The subject begins with 0, which counts.
      ("{ prefix: 2 }", [1, 2, 3], [1]),
      ("removeDuplicates", [1, 1, 2, 1], [1, 2, 1]),
      ("{ filter: value > 1 }, { map: value * 10 }", [1, 2, 3], [20, 30]),
    ] as [(String, [Value], [Value])])
  func `a value passes all operators before the next one comes`(
    _ operators: String, _ values: [Value], _ passed: [Value]
  ) throws {
    let built = try stage(operators)
    try feed(values, into: built)
    #expect(built.values(of: "out") == passed)
  }
}
