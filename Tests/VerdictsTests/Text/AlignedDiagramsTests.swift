import Testing
import Values

@testable import Verdicts

@Suite struct AlignedDiagramsTests {
  @Test func `a long silence of both diagrams is a duration`() {
    let diagrams = drawing(
      ["a": 3600, "b": 10_801, "|": 10_862], ["a": 3600, "b": 10_801, "x": 10_861], focus: 10_861)
    #expect(diagrams.wanted == "1h a 2h b 59s -|")
    #expect(diagrams.seenAndCaret == "1h a 2h b 59s x \n              ^")
  }

  @Test func `a diagram that is known only up to a time says nothing about the silence after it`() {
    let diagrams = drawing(["a": 0, "b": 100], ["x": 2], focus: 2)
    #expect(diagrams.wanted == "a-- 1m37s b")
    #expect(diagrams.seenAndCaret == "--x        \n  ^")
  }

  @Test func `silence is drawn tick by tick in a diagram that fits`() {
    let diagrams = drawing(["a": 0, "b": 20], ["a": 0, "b": 19], focus: 19)
    #expect(diagrams.wanted == "a-------------------b")
    #expect(diagrams.seenAndCaret == "a------------------b \n                   ^")
  }

  @Test func `a mark between two ticks of a long silence stands between two durations`() {
    let wanted = AlignedDiagrams.Line(marks: [mark("a", 100_000)], end: 100_000)
    let seen = AlignedDiagrams.Line(marks: [mark("x", 50_500)], end: 50_500)
    let diagrams = AlignedDiagrams(
      tick: 1000, wanted: wanted, seen: seen, focus: .init(offset: 50_500))
    #expect(diagrams.wanted == "50ms -  49ms a")
    #expect(diagrams.seenAndCaret == "50ms -x       \n      ^")
  }

  /// Two diagrams whose tick is a second.
  private func drawing(
    _ wanted: KeyValuePairs<String, Int64>, _ seen: KeyValuePairs<String, Int64>, focus: Int64
  ) -> AlignedDiagrams {
    AlignedDiagrams(
      tick: 1_000_000, wanted: line(wanted), seen: line(seen),
      focus: .init(offset: focus * 1_000_000))
  }

  private func line(_ marks: KeyValuePairs<String, Int64>) -> AlignedDiagrams.Line {
    let marks = marks.map { mark($0.key, $0.value * 1_000_000) }
    return AlignedDiagrams.Line(marks: marks, end: marks.last?.offset ?? 0)
  }

  private func mark(_ symbol: String, _ offset: Microseconds) -> AlignedDiagrams.Mark {
    AlignedDiagrams.Mark(offset: offset, symbol: symbol)
  }
}
