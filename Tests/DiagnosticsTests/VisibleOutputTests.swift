import Diagnostics
import Testing

@Suite struct VisibleOutputTests {
  @Test(arguments: [
    ("a\n\tb", "a\n\tb"), ("a\rb\u{7}", "a␍b␇"), ("\u{9B}31m\u{202E}é", "<U+009B>31m<U+202E>é"),
    ("\u{1B}[1;31mred\u{1B}[0m", "\u{1B}[1;31mred\u{1B}[0m"), ("\u{1B}[2J", "␛[2J"),
    ("\u{1B}]8;;file:///a\u{1B}\\a", "\u{1B}]8;;file:///a\u{1B}\\a"),
    ("\u{1B}]8;;a\u{7}", "␛]8;;a␇"), ("\u{1B}]0;title\u{1B}\\", "␛]0;title␛\\"),
  ])
  func `only colours and links of the program pass`(_ text: String, _ shown: String) {
    #expect(Array(visibleOutput(text, keepsStyle: true).utf8) == Array(shown.utf8))
  }

  @Test func `without colours, no escape passes`() {
    #expect(visibleOutput("\u{1B}[31mred", keepsStyle: false) == "␛[31mred")
  }

  @Test func `each control character is escaped as the format of an output says`() {
    #expect(escapedOutput("a\n\u{202E}") { "[\($0.value)]" } == "a\n[8238]")
  }
}
