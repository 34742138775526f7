import Testing

@testable import rehearse

@Suite struct SelectionTests {
  @Test(arguments: [
    ("a.yaml", Selection.path("a.yaml")),
    ("folder/", .path("folder/")),
    ("a*.yaml", .pattern("a*.yaml")),
    ("a.yaml:12", .line(path: "a.yaml", 12)),
    ("a.yaml:12:5", .line(path: "a.yaml", 12)),
    ("C:a.yaml:3", .line(path: "C:a.yaml", 3)),
    (":12", .path(":12")),
    ("a:b", .path("a:b")),
    ("a:", .path("a:")),
    ("a:99999999999999999999", .path("a:99999999999999999999")),
    ("a:١", .path("a:١")),
    ("a.yaml::Title here", .title(path: "a.yaml", "Title here")),
    ("a.yaml::Title: 3", .title(path: "a.yaml", "Title: 3")),
    ("a.yaml::Title::row 1", .row(path: "a.yaml", title: "Title", row: "row 1")),
    ("a.yaml::Title::a::b", .row(path: "a.yaml", title: "Title", row: "a::b")),
  ])
  func `a selector names this selection`(_ text: String, _ expected: Selection) {
    #expect(Selection(text) == expected)
  }

  @Test(arguments: ["", "a:0", "a::", "::a", "a::::b", "a::b::"])
  func `a selector with an empty part names nothing`(_ text: String) {
    #expect(Selection(text) == nil)
  }

  @Test(arguments: [
    (TagFilter(), [], true),
    (TagFilter(wanted: ["a"]), [], false),
    (TagFilter(wanted: ["a", "b"]), ["b"], true),
    (TagFilter(excluded: ["a"]), ["b"], true),
    (TagFilter(excluded: ["a"]), ["a", "b"], false),
    (TagFilter(wanted: ["b"], excluded: ["a"]), ["a", "b"], false),
  ])
  func `one wanted tag is enough, and one excluded tag is too many`(
    _ filter: TagFilter, _ tags: [String], _ admitted: Bool
  ) {
    #expect(filter.admits(tags) == admitted)
  }
}
