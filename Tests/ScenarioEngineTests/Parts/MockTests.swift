import Protocols
import ScenarioPlan
import Testing
import Values
import Verdicts

@testable import ScenarioEngine

/// The turns of a mock, and its choice of an entry.
@Suite struct MockTests {
  private static let text = """
    endpoints:
      api:
        http:
          - { get: /a, respond: { text: a } }
          - { get: "/{name}", respond: { text: b } }
          - { post: /a, respond: { status: 201 } }
        sse: [{ accept: { path: /feed }, script: [{ event: one }] }]
    steps: [{ wait: 1s }]
    """

  private func choice(_ method: String, _ target: String) throws -> EntryChoice {
    let built = try BuiltStage(Self.text)
    let plan = built.parts.plan
    let request = HTTPRequest(method: method, target: target)
    let comparison = RequestComparison(
      judge: ScenarioJudge(plan), request: ["path": .string(target)], message: request,
      slots: { ValueReader(built.parts.stage, $0) },
      differenceOfRoute: { _, _ in nil }, sessionOfRoute: { _, _ in .null })
    let endpoint = try #require(plan.endpoints.first)
    return EntryChooser(
      plan: endpoint, turns: MockTurns(endpoint), request: request, comparison: comparison
    ).choose()
  }

  @Test(arguments: [
    ("GET", "/a", 0), ("GET", "/a?x=1", 0), ("GET", "/other", 1), ("POST", "/a", 2),
  ])
  func `the first route that fits serves a request`(
    _ method: String, _ target: String, _ route: Int
  ) throws {
    guard case .route(let chosen) = try choice(method, target) else {
      Issue.record("no route of \(method) \(target)")
      return
    }
    #expect(chosen == route)
  }

  @Test func `a request that no entry serves has the nearest one`() throws {
    guard case .none(let nearest) = try choice("DELETE", "/a") else {
      Issue.record("an entry serves it")
      return
    }
    #expect(nearest.range != nil && !nearest.differences.isEmpty)
  }

  @Test func `entries serve in turn, and the last repeats`() throws {
    let plan = try BuiltStage(Self.text).parts.plan
    var turns = MockTurns(try #require(plan.endpoints.first))
    var served: [Int?] = []
    for _ in 0..<3 {
      let turn = turns.turn(of: .lines, among: [4, 6])
      served.append(turn)
      if let turn { turns.take(.lines, turn) }
    }
    #expect(served == [4, 6, 6])
    #expect(turns.turn(of: .lines, among: []) == nil)
    #expect(turns.hasServed(.lines, 6) && !turns.hasServed(.eventStream, 6))
  }

  @Test func `calls of a route are counted by session`() throws {
    let plan = try BuiltStage(Self.text).parts.plan
    var turns = MockTurns(try #require(plan.endpoints.first))
    #expect(turns.take(0, in: "a") == 0 && turns.take(0, in: "a") == 1)
    #expect(turns.take(0, in: "b") == 0)
    #expect(turns.calls(of: 0, in: "a") == 2)
    #expect(turns.hasAnswered(0) && !turns.hasAnswered(1))
  }
}
