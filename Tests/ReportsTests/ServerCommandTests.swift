import Reports
import Testing

@Suite struct ServerCommandTests {
  @Test(arguments: [
    ("::error::x", ":\\:error::x"), ("a ::error::x", "a ::error::x"),
    (" \t\u{A0}\u{2003}::x::", " \t\u{A0}\u{2003}:\\:x::"), ("a\n::x::", "a\n:\\:x::"),
    ("a\r\n  ::x::", "a\r\n  :\\:x::"), (":\u{AD}:x::", ":\\\u{AD}:x::"),
    ("\u{200C}::x::", "\u{200C}:\\:x::"), ("a: :x", "a: :x"),
    ("a ##vso[x]", "a #\\#vso[x]"), ("###vso[x]", "##\\#vso[x]"), ("##VSO[x]", "#\\#VSO[x]"),
    ("#\u{AD}#v\u{200D}so[x]", "#\\\u{AD}#v\u{200D}so[x]"), ("##teamcity[x", "#\\#teamcity[x"),
    ("##[error]", "#\\#[error]"), ("## A title [x]", "## A title [x]"), ("##", "##"),
  ])
  func `commands are broken wherever a server finds them`(_ text: String, _ broken: String) {
    let shown = withoutServerCommands(text, in: .text)
    #expect(Array(shown.utf8) == Array(broken.utf8))
    #expect(Array(withoutServerCommands(shown, in: .text).utf8) == Array(broken.utf8))
  }

  @Test func `JSON and markup keep the value`() {
    #expect(withoutServerCommands("{\"a\":\"##vso[\"}", in: .json) == "{\"a\":\"#\\u0023vso[\"}")
    #expect(
      withoutServerCommands("<a>\n::x ##[y</a>", in: .markup) == "<a>\n:&#58;x #&#35;[y</a>")
  }

  @Test func `the program's own commands stay`() {
    #expect(withoutServerCommands("::error::a ##[x", in: .commands) == "::error::a #\\#[x")
  }
}
