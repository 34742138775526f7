import TestKit
import Testing

@Suite struct NodeOrderTests {
  @Test func `parents emit before children, and else nodes emit in document order`() {
    let loading = Loading(
      """
      scenario: s
      graph:
        last: { computed: middle + a }
        b: 0
        middle: { computed: a + b }
        a: 0
        alone: { computed: b * 2 }
      steps:
        - ignore: [last, middle, alone]
        - expect: { alone: 1, middle: 1, last: 1 }
      """)
    #expect(loading.emissionOrder == ["b", "a", "middle", "last", "alone"])
  }

  @Test func `a computed node is observed when something names its events`() {
    let loading = Loading(
      """
      scenario: s
      graph:
        a: 0
        expected: { computed: a }
        forbidden: { computed: a }
        counted: { computed: a }
        followed: { computed: a }
        read: { computed: a }
      reactors: { r: { follows: { followed: go }, actions: { go: [] } } }
      steps:
        - expect: { expected: 1 }
        - never: [forbidden]
        - check: count(counted) == read
      """)
    #expect(loading.complaints == [])
    #expect(loading.emissionOrder == ["a", "expected", "forbidden", "counted", "followed"])
  }

  @Test func `a long chain of computed nodes is taken as it is`() {
    let loading = Loading(chain(of: 5000, first: "0") + "steps: [{ expect: { n4999: 1 } }]\n")
    #expect(loading.complaints == [])
    #expect(loading.emissionOrder == ["n0", "n4999"])
  }

  @Test func `a cycle is reported once, however long it is`() {
    let loading = Loading(chain(of: 5000, first: "{ computed: n4999 }"))
    #expect(
      loading.complaints == [
        "3:3 cycle: a computed node cannot depend on itself: "
          + "n0 → n4999 → n4998 → n4997 → n4996 → n4995 → n4994 → n4993 → … 4992 more → n0 "
          + "→ store one of these, or compute it from other nodes"
      ])
    #expect(loading.file.diagnostics.first?.labels.count == 8)
  }

  @Test func `each cycle is reported at its first node, whatever else reads it`() {
    let loading = Loading(
      """
      scenario: s
      graph:
        reader: { computed: c }
        b: { computed: c }
        c: { computed: b }
        alone: { computed: alone + 1 }
      """)
    #expect(
      loading.complaints == [
        "4:3 cycle: a computed node cannot depend on itself: b → c → b "
          + "→ store one of these, or compute it from other nodes",
        "6:3 cycle: a computed node cannot depend on itself: alone → alone "
          + "→ to change a node by its own value, store it and set it in a step",
      ])
  }

  /// Returns `n0` and nodes that each read the one before.
  private func chain(of count: Int, first: String) -> String {
    (1..<count).reduce(into: "scenario: s\ngraph:\n  n0: \(first)\n") { text, number in
      text += "  n\(number): { computed: n\(number - 1) }\n"
    }
  }
}
