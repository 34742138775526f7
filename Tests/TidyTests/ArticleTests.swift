import TestKit
import Testing

@Suite struct ArticleTests {
  /// The articles of the products, by the file of the tests that compiles and runs their code.
  private static let articles = [
    ("Sources/Reactors/Reactors.docc/SearchAsYouType.md", "Tests/ReactorsTests"),
    ("Sources/StateGraph/StateGraph.docc/FormValidation.md", "Tests/StateGraphTests"),
    (
      "Sources/ScenarioTesting/ScenarioTesting.docc/SearchInVirtualTime.md",
      "Tests/ScenarioTestingTests"
    ),
    ("Sources/Publishers/Publishers.docc/DebouncedQueries.md", "Tests/PublishersTests"),
    ("Sources/Licensing/Licensing.docc/LicensedFeatures.md", "Tests/LicensingTests"),
    ("Sources/ConnectionLoops/ConnectionLoops.docc/PriceFeed.md", "Tests/ConnectionLoopsTests"),
    ("Sources/LiveDatabases/LiveDatabases.docc/TaskList.md", "Tests/LiveProvidersTests"),
  ]

  /// The first page of each product.
  private static let pages = [
    ("StateGraph", "StateGraphTests"), ("Reactors", "ReactorsTests"),
    ("Publishers", "PublishersTests"), ("Lists", "LiveProvidersTests"),
    ("LiveProviders", "LiveProvidersTests"), ("LiveDatabases", "LiveProvidersTests"),
    ("ConnectionLoops", "ConnectionLoopsTests"), ("LiveCommunication", "ConnectionLoopsTests"),
    ("Licensing", "LicensingTests"), ("ScenarioTesting", "ScenarioTestingTests"),
  ].map { ("Sources/\($0)/\($0).docc/\($0).md", "Tests/\($1)") }

  @Test(arguments: articles + pages)
  func `the code of an article is compiled and run by the tests`(
    _ article: String, _ tests: String
  ) throws {
    let name = try #require(article.split(separator: "/").last).dropLast(".md".count)
    let compiled = lines(of: try #require(fileText("\(tests)/\(name)Article.swift")))
    let blocks = codeBlocks(in: try #require(fileText(article)))
    #expect(!blocks.isEmpty)
    for block in blocks { #expect(compiled.contains(lines(of: block))) }
  }

  /// Returns the blocks of Swift in a page.
  private func codeBlocks(in page: String) -> [String] {
    page.split(separator: "```swift\n").dropFirst().compactMap {
      $0.split(separator: "```").first.map(String.init)
    }
  }

  /// Returns the lines with anything in them, without their indentation.
  private func lines(of text: String) -> [Substring] {
    text.split(separator: "\n").map { $0.drop { $0 == " " } }.filter { !$0.isEmpty }
  }
}
