import Diagnostics
import Testing

@Suite struct FileLinksTests {
  @Test(arguments: [
    ("a b/c.yaml:3:7", "file:///home/ann/a%20b/c.yaml"),
    ("./c.yaml:3", "file:///home/ann/c.yaml"),
    ("/tmp/c:1.yaml:3:7", "file:///tmp/c%3A1.yaml"),
  ])
  func `a place leads to its file`(place: String, link: String) {
    #expect(FileLinks(from: "/home/ann").link(to: place) == link)
  }

  @Test(arguments: [
    ("c.yaml:3:7", "edit:///home/ann/c.yaml?3,7"), ("c.yaml:3", "edit:///home/ann/c.yaml?3,1"),
  ])
  func `a form says where the line is written`(place: String, link: String) {
    let links = FileLinks(from: "/home/ann", form: "edit://{path}?{line},{column}")
    #expect(links.link(to: place) == link)
  }

  @Test(arguments: ["<command line>:1:2", "-:3:1", "c.yaml", ":3"])
  func `what is no file is no link`(place: String) {
    #expect(FileLinks(from: "/home/ann").link(to: place) == nil)
  }

  @Test func `a place is a link only where the output shows links`() {
    #expect(DiagnosticStyle().linked(place: "c.yaml:3") == "c.yaml:3")
    let style = DiagnosticStyle(files: FileLinks(from: "/"))
    #expect(
      style.linked(place: "c.yaml:3")
        == "\u{1B}]8;;file:////c.yaml\u{1B}\\c.yaml:3\u{1B}]8;;\u{1B}\\")
  }
}
