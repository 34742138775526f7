import Testing

@Suite struct ScopeTests {
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
