import Testing
import Values

@testable import ScenarioEngine

/// The nodes of a stage, and the events of a change.
@Suite struct StageTests {
  private static let sum = """
    graph:
      a: 1
      b: 2
      sum: { computed: a + b }
    steps: [{ expect: { sum: 6 } }]
    """

  @Test func `what is written is read, and what depends on it is computed again`() throws {
    let built = try BuiltStage(Self.sum)
    let (a, sum) = (try built.node("a"), try built.node("sum"))
    #expect(built.parts.stage.value(of: sum) == 3)
    built.parts.emitter.write([(a, 5)])
    #expect(built.parts.stage.value(of: a) == 5)
    #expect(built.parts.stage.value(of: sum) == 7)
    #expect(built.parts.stage.isComputed(sum) && !built.parts.stage.isComputed(a))
  }

  @Test func `the writes of one change give one event of each node that changed`() throws {
    let built = try BuiltStage(Self.sum)
    let (a, b) = (try built.node("a"), try built.node("b"))
    built.parts.emitter.write([(a, 2), (b, 4)])
    #expect(built.values(of: "a") == [2] && built.values(of: "b") == [4])
    #expect(built.values(of: "sum") == [6])
    built.parts.emitter.write([(a, 4), (b, 2)])
    #expect(built.values(of: "sum") == [6])
  }

  @Test func `a transaction that fails leaves what was there before`() throws {
    let built = try BuiltStage(
      """
      graph: { a: 1 }
      reactors:
        r:
          actions:
            go:
              - try:
                  - transaction: [{ set: { a: 2 } }, { log: "${a}" }, { set: { a: "${1 / 0}" } }]
                catch: [{ log: "${a}" }]
      steps: [{ send: r.go }]
      """)
    built.run.runSteps()
    #expect(built.logged.map(\.value) == [2, 1])
    #expect(built.values(of: "a").isEmpty && built.problems.isEmpty)
  }
}
