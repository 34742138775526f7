import Diagnostics
import Testing

@Suite struct DocumentationPlaceTests {
  @Test(arguments: [
    (DocumentationPlace.site("https://docs.example.com/r"), "https://docs.example.com/r/"),
    (.site("https://docs.example.com/"), "https://docs.example.com/"),
  ])
  func `an id has its page on a site`(place: DocumentationPlace, root: String) {
    #expect(place.link(to: "out-of-order") == root + documentationPage(of: "out-of-order"))
  }

  @Test func `an id has its place in the pages beside the program`() {
    #expect(
      DocumentationPlace.folder("/opt/my docs/ü").link(to: "a-b")
        == "file:///opt/my%20docs/%C3%BC/reference/diagnostics.md#a-b")
  }

  @Test func `an id is a link only where the output shows links`() {
    let diagnostic = Diagnostic("a-b", "message")
    #expect(render(diagnostic, in: SourceMap()) == "error[a-b]: message\n")
    let style = DiagnosticStyle(documentation: .site("x:"))
    let link = "\u{1B}]8;;x:/reference/diagnostics.html#a-b\u{1B}\\error[a-b]\u{1B}]8;;\u{1B}\\"
    #expect(render(diagnostic, in: SourceMap(), style: style) == link + ": message\n")
  }
}
