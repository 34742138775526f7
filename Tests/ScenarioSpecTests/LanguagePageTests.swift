import Diagnostics
import ScenarioSpec
import TestKit
import Testing
import YAMLSyntax

@Suite struct LanguagePageTests {
  @Test func `every component of the language page is accepted by decoder and schema`() throws {
    let components = blocks.filter { $0.hasPrefix("component:") }
    #expect(!components.isEmpty)
    let check = try SchemaCheck(root: value(of: componentSchema()))
    for block in components {
      var sources = SourceMap()
      let file = SourceFile(path: "a.component.yaml", text: block)
      let tree = parseYAML(file, index: sources.add(file))
      #expect((tree.diagnostics + decodeComponent(tree.value, in: sources).diagnostics) == [])
      #expect(check.refusal(of: value(of: block)) == nil)
    }
  }

  @Test func `every example of the language page is a scenario that decoder and schema accept`() {
    #expect(blocks.count > 12)
    for block in blocks where !block.hasPrefix("component:") {
      let reading = Reading(block)
      #expect(reading.complaints == [], "\(block)")
      #expect(reading.documents.count == 1, "\(block)")
      #expect(scenarioCheck?.refusal(of: value(of: block)) == nil, "\(block)")
    }
  }

  private var blocks: [String] {
    let pages = ["docs/language.md"] + filePaths(below: "docs/language")
    let text = pages.map { fileText($0) ?? "" }.joined(separator: "\n")
    return text.split(separator: "```yaml\n").dropFirst().map { block in
      String(block.split(separator: "\n```", omittingEmptySubsequences: false)[0])
    }
  }
}
