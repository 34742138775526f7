import Diagnostics
import TestKit
import Testing

@testable import ScenarioRuns

@Suite struct LanguageExampleTests {
  @Test func `the language pages have examples to run`() {
    #expect(Self.scenarios.count > 20)
    #expect(Self.components.count == 1)
    #expect(Self.tables.count == 1)
    #expect(Self.values.count == 1)
  }

  @Test(arguments: scenarios)
  func `an example of the pages loads without a word and passes`(text: String) {
    let file = loadScenarios(
      SourceFile(path: "example.scenario.yaml", text: text), components: Self.pageComponent)
    // The page shows what a note is about.
    let complaints = file.diagnostics.filter { $0.severity != .note }
    #expect(render(complaints, in: file.sources) == "")
    #expect(!file.plans.isEmpty)
    for run in Corpus.runs(of: file) {
      let verdict = run.run().verdict
      #expect(verdict.outcome == .passed, "\(render(verdict.failures, in: file.sources))")
    }
  }

  /// The page has one component, one table and one file of data, which the scenarios on it mean
  /// whatever path they give.
  private static let pageComponent = ComponentFiles(
    read: { path in
      let text =
        path.hasSuffix(".csv")
        ? tables.first : path.hasSuffix(".json") ? values.first : components.first
      return text.map { .success(Array($0.utf8)) }
    }, names: { _ in [] })

  private static let tables = blocks(of: "csv")
  private static let values = blocks(of: "json order.json")
  private static let blocks = blocks(of: "yaml")
  private static let components = blocks.filter { $0.hasPrefix("component:") }
  private static let scenarios = blocks.filter { $0.hasPrefix("scenario:") }

  /// What is fenced as `yaml` and nothing more: ```` ```yaml failing ```` begins one that fails.
  private static func blocks(of kind: String) -> [String] {
    let pages =
      ["docs/language.md", "docs/secrets.md", "docs/functions.md"]
      + filePaths(below: "docs/language")
    let text = pages.map { fileText($0) ?? "" }.joined(separator: "\n")
    let blocks = text.split(separator: "```\(kind)\n").dropFirst()
    return blocks.map { block in
      String(block.split(separator: "\n```", omittingEmptySubsequences: false)[0])
    }
  }
}
