import Diagnostics
import Testing

private let cases: [(name: String, known: [String], nearest: String?)] = [
  ("coutn", ["title", "count"], "count"),
  ("steps", ["step", "stops"], "step"),
  ("catFacts.fcat", ["catFacts.fact", "catFacts"], "catFacts.fact"),
  ("x", ["y"], nil),
  ("banana", ["apple", "pear"], nil),
  ("", ["a"], nil),
  ("Count", ["count"], "count"),
  ("abc", ["abd", "abe"], "abd"),
  ("ab", ["ba"], "ba"),
  ("größe", ["grösse", "größen"], "größen"),
  ("cart.totla", ["cart.items", "card.total", "cart.total"], "cart.total"),
  ("node1x", ["node10", "node2x", "mode1x"], "node10"),
  ("\u{141}\u{181}", ["\u{141}\u{1C1}", "AA"], "\u{141}\u{1C1}"),
  ("aaaabbbb", ["bbbbaaaa", "bbbbbbaa"], nil),
]

@Test(arguments: cases)
func `a mistyped name finds the nearest known one`(
  name: String, known: [String], nearest: String?
) {
  #expect(nearestName(to: name, among: known) == nearest)
}
