import CEL
import Explanations
import ScenarioSpec
import TestKit
import Testing
import YAMLSyntax

/// The files of `rehearse explain`, which are compiled into the program.
@Suite struct DiagnosticTextsTests {
  private static let folder = "Sources/CTexts/"
  private static let files = filePaths(below: folder + "diagnostics")

  @Test func `every file is part of the program, in one place`() throws {
    let code = try #require(fileText(Self.folder + "texts.c"))
    let embedded = code.split(separator: "\n").filter { $0.hasPrefix("#embed ") }
      .map { Self.folder + $0.split(separator: "\"")[1] }
    #expect(
      embedded.sorted()
        == (Self.files + ["page", "first"].flatMap { filePaths(below: Self.folder + $0) }).sorted())
  }

  @Test(arguments: files)
  func `each heading of a file is a page with all of its parts`(path: String) throws {
    let text = try #require(fileText(path))
    let headings = text.split(separator: "\n").filter { $0.hasPrefix("## ") }
    #expect(!headings.isEmpty)
    #expect(readPages(in: text).map { "## `\($0.id)`" } == headings.map { String($0) })
  }

  @Test(arguments: files)
  func `a line of a page's prose has at most 100 letters`(path: String) throws {
    for page in readPages(in: try #require(fileText(path))) {
      #expect(page.text.split(separator: "\n").allSatisfy { $0.count <= 100 }, "\(page.id)")
    }
  }

  @Test(arguments: DiagnosticPage.Topic.allCases)
  func `every topic has pages`(topic: DiagnosticPage.Topic) {
    #expect(!diagnosticPages(on: topic).isEmpty)
  }

  @Test(arguments: [
    ("expression-too-long", CELLimits.textLength), ("expression-too-deep", CELLimits.nesting),
    ("too-deep", YAMLLimit.depth), ("alias-bomb", YAMLLimit.nodes),
    ("file-too-large", YAMLLimit.fileSize), ("too-many-nodes", YAMLLimit.nodesInFile),
    ("table-too-large", TableLimit.rows), ("table-too-large", TableLimit.columns),
    ("table-too-large", TableLimit.fileSize >> 20),
  ])
  func `a page about a limit has its number`(id: String, limit: Int) throws {
    let page = try #require(diagnosticPages.first { $0.id.rawValue == id })
    let words = page.text.split { !$0.isNumber }
    #expect(words.contains("\(limit)"), "\(page.text)")
  }

  @Test func `the page about unknown operators has the names of all operators`() throws {
    let page = try #require(diagnosticPages.first { $0.id == "unknown-stream-operator" })
    let words = page.text.split { $0 == " " || $0 == "\n" }.map { String($0) }
    for rule in LanguageTable.streamOperators { #expect(words.contains(rule.verb.name)) }
  }

  @Test(arguments: ["", "# Failures\n\n## `a`\n\n**A.**\nText.\n\nWrong:\n\n```text\na\n```\n"])
  func `a page without one of its parts is none`(text: String) {
    #expect(readPages(in: text) == [])
  }
}
