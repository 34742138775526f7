import Diagnostics
import TestKit
import Testing

@testable import rehearse

/// The pages of the documentation: what is made from tables, and what every page keeps.
@Suite struct DocumentationTests {
  @Test(arguments: GeneratedPage.allCases)
  func `a page that is made from tables is up to date`(_ page: GeneratedPage) {
    let made = page.text
    #expect(
      goldenText(page.rawValue, made: made) == made, "run the tests once with UPDATE_EXPECTED=1")
  }

  @Test func `every page of the documentation is in the index`() {
    let pages = filePaths(below: "docs").filter { path in
      path.hasSuffix(".md") && !["docs/decisions/", "docs/agents/"].contains(where: path.hasPrefix)
    }
    let listed = DocumentationTopic.all.map { "docs/" + $0.path } + [GeneratedPage.index.rawValue]
    #expect(Set(pages) == Set(listed))
    #expect(Set(DocumentationTopic.all.map(\.name)).count == DocumentationTopic.all.count)
  }

  @Test(arguments: DocumentationTopic.all)
  func `a page is in the program, and is shown by its name`(_ topic: DocumentationTopic) throws {
    let text = try #require(documentation(named: topic.name))
    #expect(text == fileText("docs/" + topic.path))
    #expect(text.hasPrefix("# "))
  }

  @Test(arguments: [
    ("tutorail", "unknown-topic", "did you mean `rehearse docs tutorial`?"),
    ("out-of-ordr", "unknown-topic", "did you mean `rehearse docs out-of-order`?"),
    ("what is this", "unknown-topic", "`rehearse docs` lists the pages"),
  ])
  func `an unknown topic gets the nearest name`(name: String, id: String, help: String) {
    #expect(documentation(named: name) == nil)
    #expect(Diagnostic.unknownTopic(name).id.rawValue == id)
    #expect(Diagnostic.unknownTopic(name).help == help)
  }

  @Test(
    arguments: [
      ("/usr/bin/rehearse", "/usr/share/rehearse/docs"),
      ("/src/.build/debug/rehearse", "/src/docs"), ("/opt/rehearse", nil),
    ] as [(String, String?)])
  func `the pages are found beside the program or in its working copy`(
    program: String, folder: String?
  ) {
    let known = ["/usr/share/rehearse/docs", "/src/docs"]
    #expect(DocumentationFolder.found(beside: program, known.contains) == folder)
  }

  @Test func `a page for the terminal has no marks of Markdown`() {
    let page = """
      # Title

      See [the page](other.md#part), **now**:

      ```yaml a.yaml
      scenario: "[a](b)"
      ```

      | a | b |
      |---|---|
      | c | `d\\|e` |
      """
    #expect(
      terminalText(ofMarkdown: page, DiagnosticStyle()) == """
        Title

        See the page, now:

            # a.yaml
            scenario: "[a](b)"

        | a | b |
        | c | `d|e` |
        """)
  }

  @Test func `the site is built without a network, and all links lead somewhere`() throws {
    let folder = try TemporaryFolder()
    let command = try #require(
      SpawnedCommand(
        [packageRoot + "/docs/site/build", folder.path + "/site"], program: "python3",
        patience: 60_000_000))
    #expect(command.exitCode() == 0, "\(command.said)")
    for topic in DocumentationTopic.all {
      let page = try #require(folder.text("site/" + topic.path.replacing(".md", with: ".html")))
      #expect(page.contains("<h1 id="))
      #expect(!page.contains("src=\"http") && !page.contains("href=\"http://"))
    }
  }

  @Test func `the table of the environment has every variable that is read`() {
    let named = Set(EnvironmentEntry.all.map { $0.name.uppercased() })
    let sources = filePaths(below: "Sources").filter { $0.hasSuffix(".swift") }
    let read = sources.flatMap { variablesRead(in: fileText($0) ?? "") }
    #expect(read.count > 10)
    for name in read { #expect(named.contains(name.uppercased()), "\(name)") }
  }
}

/// The names of variables in calls that read the environment.
private func variablesRead(in source: String) -> [String] {
  ["getenv(\"", "environment[\"", "environment(\""].flatMap { call in
    source.split(separator: call, omittingEmptySubsequences: false).dropFirst()
      .map { String($0.prefix { $0 != "\"" }) }
  }
}
