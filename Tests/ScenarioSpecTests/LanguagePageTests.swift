import Testing

@Suite struct LanguagePageTests {
  @Test func `every example of the language page is a scenario that decoder and schema accept`() {
    let page = readFile(packageDirectory + "docs/language.md") ?? ""
    let blocks = page.split(separator: "```yaml\n").dropFirst().map { block in
      String(block.split(separator: "\n```", omittingEmptySubsequences: false)[0])
    }
    #expect(blocks.count > 12)
    for block in blocks {
      let reading = Reading(block)
      #expect(reading.complaints == [], "\(block)")
      #expect(reading.documents.count == 1, "\(block)")
      #expect(scenarioCheck?.refusal(of: value(of: block)) == nil, "\(block)")
    }
  }
}
