import Diagnostics
import TestKit
import Testing

@testable import ScenarioRuns
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
    ("::Frist", "did you mean `First`?"),
    ("::Frist::two", "did you mean `First`?"),
    ("::First::tow", "did you mean `two`?"),
    (":99", "`rehearse list` shows where scenarios begin"),
    ("::First::two", nil), ("::First", nil), (":1", nil), ("", nil),
  ])
  func `what a file does not have is reported with the nearest name`(
    _ place: String, _ help: String?
  ) {
    let path = #filePath
    let text = "scenario: First\ncases: [{ id: one }, { id: two }]\nsteps: []\n"
    let file = loadScenarios(SourceFile(path: path, text: text))
    let words = ["list", path + place]
    guard case .success(.list(let arguments)) = parseArguments(words) else {
      Issue.record("the words select something")
      return
    }
    let selected = SelectedFiles(arguments.scenarios)
    let missing = selected.missing(in: file.plans, of: path, file.sources)
    #expect(missing.map(\.help) == (help.map { [$0] } ?? []))
    #expect(file.plans.count == 1)
  }

  @Test(arguments: [(":1", 2), (":4", 2), ("::First::two", 1), ("::First", 2)])
  func `a line is one of the scenario's file, and not of its table's`(_ place: String, _ count: Int)
    throws
  {
    let path = #filePath
    let text = "scenario: First\ncases: { file: t.csv }\nsteps:\n  - check: id != ''\n"
    let files = ComponentFiles(
      read: { _ in .success(Array("id\none\ntwo\n".utf8)) }, names: { _ in [] })
    let file = loadScenarios(SourceFile(path: path, text: text), components: files)
    let plan = try #require(file.plans.first)
    let selection = try #require(Selection(path + place))
    let choice = ScenarioChoice(
      selectors: [Selector(text: path + place, selection: selection)], tags: TagFilter())
    let wants = try #require(SelectedFiles(choice).files.first?.wants)
    #expect(plan.rows.count { wants(plan, $0, file.sources) } == count)
  }

  @Test func `a file that is reached in two ways is taken once`() {
    let path = #filePath
    let selectors = [path, "/." + path, path + ":3"].compactMap { text in
      Selection(text).map { Selector(text: text, selection: $0) }
    }
    let selected = SelectedFiles(ScenarioChoice(selectors: selectors, tags: TagFilter()))
    #expect(selected.files.map(\.path) == [path])
    #expect(selected.problems.isEmpty)
  }

  @Test func `a path right behind an option may have been meant as its value`() throws {
    let line = CommandLineText(["run", "scenarios/http", "--record", "no-such-folder"])
    let words = try ArgumentWords(reading: line, for: Verb.run.page)
    let problem = try #require(SelectedFiles(try words.scenarios()).problems.first)
    #expect(problem.id == "no-such-file")
    #expect(problem.help?.contains("`--record=no-such-folder`") == true)
  }

  @Test func `a folder without a scenario is a mistake beside others`() throws {
    let folder = try TemporaryFolder()
    let words = try ArgumentWords(
      reading: CommandLineText(["run", #filePath, folder.path]), for: Verb.run.page)
    let problem = try #require(SelectedFiles(try words.scenarios()).problems.first)
    #expect(problem.id == "nothing-selected")
    #expect(problem.message.contains(folder.path))
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
