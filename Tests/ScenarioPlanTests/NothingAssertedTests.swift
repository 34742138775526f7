import Diagnostics
import TestKit
import Testing

/// Which scenarios pass whatever happens, and are warned of.
@Suite struct NothingAssertedTests {
  @Test(arguments: silent)
  func `a scenario whose steps assert nothing is warned of`(rest: String) {
    #expect(Loading(text(rest)).ids == ["no-assertions"])
  }

  @Test(arguments: asserting + served)
  func `a scenario that can fail, or that is there to be served, is not warned of`(rest: String) {
    #expect(Loading(text(rest)).ids == [])
  }

  private func text(_ rest: String) -> String {
    """
    scenario: A
    graph: { a: 0, b: { computed: a + 1 } }
    endpoints: { api: { http: [{ get: /x, respond: { json: 1 } }] } }
    \(rest)

    """
  }

  private static let call = "request: { endpoint: api, get: /x"

  private static let silent = [
    "steps: [{ set: { a: 1 } }]",
    "steps: [{ set: { a: 1 } }, { ignore: a }, { wait: 1s }, { log: done }]",
    "steps: [{ \(call) } }]",
    "steps: [{ \(call), as: answer } }]",
    "steps: [{ repeat: 2, steps: [{ set: { a: 1 } }] }]",
    "steps: [{ serve: { api: stop } }, { set: { a: 1 } }]",
    "steps: [{ retry: { every: 1s }, steps: [{ \(call) } }] }]",
  ]

  private static let asserting = [
    "steps: [{ set: { a: 1 } }, { check: a == 1 }]",
    "steps: [{ set: { a: 1 } }]\nfinally: [{ check: a == 1 }]",
    "steps: [{ \(call), expect: { status: 200 } } }]",
    "steps: [{ \(call), expect: { within: 1s } } }]",
    "steps: [{ retry: { every: 1s }, steps: [{ \(call), expect: { status: 200 } } }] }]",
    "steps: [{ retry: { until: a == 1 }, steps: [{ set: { a: 1 } }] }]",
    "steps: [{ fails: { \(call) } } }]",
    "invariants: [{ always: a >= 0 }]\nsteps: [{ set: { a: 1 } }]",
    "steps: [{ set: { a: 1 } }]\nskip: not yet",
  ]

  @Test func `a real endpoint is held against its mock, which is an assertion`() {
    let real = text("steps: [{ \(Self.call) } }]")
      .replacing("api: { http", with: "api: { url: \"http://localhost:1\", http")
    #expect(Loading(real).ids == [])
  }

  private static let served = [
    "steps: []",
    "steps: [{ wait: 1s }, { network: { latency: 1s } }, { serve: { api: stop } }]",
  ]
}
