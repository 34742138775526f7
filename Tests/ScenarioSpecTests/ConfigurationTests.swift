import Diagnostics
import ScenarioSpec
import Testing
import Values
import YAMLSyntax

@Suite struct ConfigurationTests {
  private func decode(_ text: String) -> Diagnosed<ConfigurationDocument?> {
    var sources = SourceMap()
    let tree = parseYAML(
      SourceFile(path: "rehearse.yaml", text: text),
      index: sources.add(SourceFile(path: "rehearse.yaml", text: text)))
    let decoded = decodeConfiguration(tree.value, in: sources)
    return Diagnosed(decoded.value, tree.diagnostics + decoded.diagnostics)
  }

  private static let keys: [(prefix: String, rule: KeyRule)] =
    LanguageTable.configuration.keys.map { ("", $0) }
    + LanguageTable.reports.keys.map { ("reports:\n  ", $0) }
    + LanguageTable.limits.keys.map { ("limits:\n  ", $0) }

  @Test(arguments: keys.indices)
  func `every example of a key is accepted, by the schema too, and a map of texts is refused`(
    _ index: Int
  ) throws {
    let (prefix, rule) = Self.keys[index]
    let text = "\(prefix)\(rule.name): \(rule.example)\n"
    let decoded = decode(text)
    #expect(decoded.diagnostics.map(\.message) == [], "\(text)")
    let check = try SchemaCheck(root: value(of: configurationSchema()))
    #expect(check.refusal(of: value(of: text)) == nil, "\(text)")
    let wrong = decode("\(prefix)\(rule.name): [{ none: [such] }]\n")
    #expect(wrong.value == nil && wrong.diagnostics.hasErrors)
  }

  @Test(arguments: [
    ("limit: { jobs: 2 }", "write `limits`"),
    ("limits: { job: 2 }", "write `jobs`"),
    ("reports: { junt: a.xml }", "write `junit`"),
    ("var: { a: 1 }", "write `vars`"),
    ("steps: [{ check: 1 == 1 }]", "write scenarios in files `*.scenario.yaml`"),
  ])
  func `a mistake gets the nearest name`(text: String, help: String) {
    let decoded = decode(text)
    #expect(decoded.diagnostics.map(\.help) == [help])
    #expect(decoded.diagnostics.first?.labels.isEmpty == false)
  }

  @Test func `the nearer file takes precedence, key by key`() throws {
    var near = try #require(
      decode("paths: [a]\nlimits: { jobs: 2 }\nvars: { x: 1 }\nreports: { junit: n.xml }").value)
    let far = try #require(
      decode(
        "paths: [b]\ntags: [t]\nlimits: { jobs: 9, retries: 3 }\nvars: { w: 0, x: 2, y: 3 }\n"
          + "reports: { junit: f.xml, html: f.html }\nagainst: { api: real }\nsetup: []"
      ).value)
    near.complete(by: far)
    #expect(near.paths?.map(\.value) == ["a"])
    #expect(near.tags?.map(\.value) == ["t"])
    #expect(near.limits.jobs?.value == 2 && near.limits.retries?.value == 3)
    #expect(near.vars.map(\.name.value) == ["w", "x", "y"])
    #expect(near.reports.map(\.path.value) == ["n.xml", "f.html"])
    #expect(near.against.endpoints.map(\.name.value) == ["api"])
    #expect(near.setup == nil)
    #expect(
      near.entries.map(\.name) == [
        "paths", "limits.jobs", "vars.x", "reports.junit", "tags", "limits.retries", "vars.w",
        "vars.y", "reports.html", "against.api",
      ])
  }

  @Test func `a world of all endpoints replaces those of single ones further up`() throws {
    var near = try #require(decode("against: mock").value)
    near.complete(by: try #require(decode("against: { api: real }").value))
    #expect(near.against.others == .mock && near.against.endpoints.isEmpty)
  }
}
