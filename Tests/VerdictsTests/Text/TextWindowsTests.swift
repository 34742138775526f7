import Testing

@testable import Verdicts

@Suite struct TextWindowsTests {
  @Test func `texts that fit are shown whole`() {
    let windows = TextWindows("one two", "one ten", room: 20)
    #expect(windows?.actual == "\"one two\"")
    #expect(windows?.expected == "\"one ten\"")
    #expect(windows?.shared == "\"one t")
    #expect(windows?.position == 6)
  }

  @Test func `long texts are cut around the first difference`() {
    let text = String(repeating: "x", count: 100)
    let windows = TextWindows(text + "a" + text, text + "b", room: 12)
    #expect(windows?.actual == "\"…xxxxaxxxxxxx…\"")
    #expect(windows?.expected == "\"…xxxxb\"")
    #expect(windows?.position == 101)
  }

  @Test func `a text that ends early differs where it ends`() {
    let windows = TextWindows("ab", "abc", room: 9)
    #expect(windows?.actual == "\"ab\"")
    #expect(windows?.position == 3)
  }

  @Test func `equal texts have no windows`() {
    #expect(TextWindows("a", "a", room: 9) == nil)
  }
}
