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

  @Test(arguments: DocumentationTopic.components)
  func `the page of a component is made from the component`(_ topic: DocumentationTopic) throws {
    let made = try #require(componentPage(topic.path))
    #expect(
      goldenText("docs/" + topic.path, made: made) == made,
      "run the tests once with UPDATE_EXPECTED=1")
  }

  @Test func `every component is in the program`() {
    let files = filePaths(below: "components").map { path in
      "std/" + path.dropFirst("components/".count).prefix { $0 != "." }
    }
    #expect(files.sorted() == DocumentationTopic.components.map(\.title).sorted())
  }

  @Test func `the index of the scenarios by task names files that are there`() throws {
    let index = try #require(fileText("scenarios/README.md"))
    let named = index.matches(of: #/\]\(([^)]+)\)/#).map { String($0.output.1) }
    #expect(named.count > 30)
    for path in named { #expect(fileText("scenarios/" + path) != nil, "\(path)") }
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
    let text = try #require(page(named: topic.name))
    #expect(text == fileText("docs/" + topic.path))
    #expect(text.hasPrefix("# "))
  }

  @Test(arguments: [
    ("tutoriall", "did you mean `rehearse docs tutorial`?"),
    ("out-of-ordr", "did you mean `rehearse docs out-of-order`?"),
    ("what is xyzzy", "`rehearse docs` lists the pages"),
  ])
  func `an unknown topic gets the nearest name`(name: String, help: String) {
    #expect(page(named: name) == nil)
    #expect(foundSections(of: [name]) == nil)
    #expect(Diagnostic.unknownTopic(name).help == help)
  }

  @Test(arguments: [
    ("virtual time", "glossary#virtual-time"), ("snapshots", "expectations#snapshots"),
    ("upload", "glossary#words-of-other-tools"), ("CORS", "stage#answers"),
    ("broken connection", "stage#connections"), ("gave-up", "diagnostics#gave-up"),
    ("regex", "functions#regular-expressions"), ("retrying", "script#retrying"),
  ])
  func `a search lists the sections with all words, and each can be shown`(
    words: String, name: String
  ) throws {
    let found = try #require(foundSections(of: words.split(separator: " ").map(String.init)))
    #expect(found.contains("`rehearse docs \(name)`\n"))
    let section = try #require(page(named: name))
    #expect(section.hasPrefix("#"))
  }

  @Test(arguments: usualWords)
  func `a word that newcomers use is found in the pages`(word: String) {
    #expect(foundSections(of: [word]) != nil)
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

/// Words that people search for who come from other tools.
private let usualWords = [
  "upload", "webhook", "CORS", "timeout", "login", "pagination", "graphql", "LLM", "regex", "JUnit",
  "skip", "anyOrder", "unordered", "proxy", "certificate", "TLS", "parallel", "flaky", "cookie",
  "JWT", "bearer", "coverage", "debug", "random", "faker", "uuid", "environment", "backoff", "SSE",
  "gRPC", "Docker", "Windows", "macOS", "stub", "spy", "rate limit", "download", "caching", "ETag",
  "OAuth", "heartbeat", "Kafka", "OpenTelemetry", "browser", "Playwright", "redirect", "multipart",
  "snapshot", "golden", "breakpoint", "teardown", "beforeAll", "tag", "shard", "port", "localhost",
  "base64", "hmac", "loop", "CSV", "concurrent", "race", "idempotent", "offline", "latency",
  "bandwidth", "gzip", "sleep", "poll", "cron", "timezone", "precision", "float", "null",
]
