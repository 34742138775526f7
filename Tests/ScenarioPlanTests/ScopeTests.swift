import ScenarioPlan
import TestKit
import Testing

@Suite struct ScopeTests {
  @Test func `a script may write a bound field of a reactor that is declared further down`() throws
  {
    let loading = Loading(
      """
      scenario: s
      reactors:
        first: { actions: { go: [{ set: { second.y: 1 } }] } }
        second:
          state: { y: 0 }
          bindings: { y: take }
          actions: { take: [{ set: { y: "${payload}" } }] }
      """)
    #expect(loading.complaints == [])
    let plan = try #require(loading.plan)
    let script = plan.actions[ActionID(0)].frame.script
    guard case .acting(.set(let writes))? = plan.scripts[script].steps.first?.kind,
      case .binding(let action, keeps: false)? = writes.first?.target
    else {
      Issue.record("the write does not send the binding's action")
      return
    }
    #expect(plan.actions[action].name == "second.take")
  }

  @Test func `what a loop captures is known after it, its item is not`() {
    let loop = """
      scenario: s
      graph: { count: 0 }
      steps:
        - forEach: { item: [1, 2] }
          steps:
            - set: { count: "${item}" }
            - expect: { count: { $as: seen } }
      """
    #expect(Loading(loop + "\n  - check: seen == 2").complaints == [])
    #expect(Loading(loop + "\n  - check: item == 2").ids == ["unknown-name"])
  }

  @Test func `a capture is known from its step on`() {
    let steps = """
      scenario: s
      graph: { count: 0 }
      steps:
      """
    let capture = "\n  - expect: { count: { $as: seen } }"
    let check = "\n  - check: seen == 2"
    #expect(Loading(steps + capture + check).complaints == [])
    #expect(Loading(steps + check + capture).ids == ["unknown-name"])
  }

  @Test func `a branch does not know what another branch captures`() {
    let loading = Loading(
      """
      scenario: s
      graph: { a: 0, b: 0 }
      steps:
        - parallel:
            - [{ expect: { a: { $as: seen } } }, { check: seen == 1 }]
            - [{ check: seen == 1 }]
        - check: seen == 1
      """)
    #expect(loading.ids == ["unknown-name", "unknown-name"])
  }

  @Test func `in a matcher the fields of the value are known, but the stage comes first`() {
    let loading = Loading(
      """
      scenario: s
      graph: { count: 0, item: { stored: { size1: 1 } } }
      steps:
        - expect: { item: { $where: size1 == 1 && count == 0 && value.size1 == 1 } }
        - check: size1 == 1
      """)
    #expect(loading.ids == ["unknown-name"])
  }
}
