import Diagnostics
import ScenarioRuns
import Testing

@Suite struct LanguageExampleTests {
  @Test func `the language page has examples to run`() {
    #expect(Self.scenarios.count > 20)
    #expect(Self.components.count == 1)
  }

  @Test(arguments: scenarios)
  func `an example of the language page loads without a word and passes`(text: String) {
    let file = loadScenarios(
      SourceFile(path: "example.scenario.yaml", text: text), components: Self.pageComponent)
    #expect(render(file.diagnostics, in: file.sources) == "")
    #expect(!file.plans.isEmpty)
    for run in Corpus.runs(of: file) {
      let verdict = run.run().verdict
      #expect(verdict.outcome == .passed, "\(render(verdict.failures, in: file.sources))")
    }
  }

  /// The page has one component, which the scenarios on it mean whatever path they give.
  private static let pageComponent = ComponentFiles(
    read: { _ in components.first.map { .success(Array($0.utf8)) } }, names: { _ in [] })

  private static let components = blocks.filter { $0.hasPrefix("component:") }
  private static let scenarios = blocks.filter { $0.hasPrefix("scenario:") }

  /// What is fenced as `yaml` and nothing more: ```` ```yaml failing ```` begins one that fails.
  private static let blocks: [String] = {
    let page = String(decoding: Corpus.text("docs/language.md") ?? [], as: UTF8.self)
    return page.split(separator: "```yaml\n").dropFirst().map { block in
      String(block.split(separator: "\n```", omittingEmptySubsequences: false)[0])
    }
  }()
}
