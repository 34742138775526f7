import Testing

@testable import ScenarioSpec

/// The names of other tools lead to names of the language.
@Suite struct ForeignNamesTests {
  @Test(arguments: [
    ("GET /tasks", "- request:"), ("HTTP 200", "expect: { status: 200 }"),
    ("Given url", "Gherkin"), ("expect(a).toBe(1)", "- check:"), ("page.goto('/')", "no browser"),
    ("cat.load", "`- send: cat.load`"), ("cat.load()", "`- send: cat.load`"),
    ("waitForResponse", "- eventually:"), ("expectObservable", "marble:"),
  ])
  func `a line of another tool is answered with a step`(line: String, part: String) {
    #expect(ForeignSteps.help(for: line)?.contains(part) == true)
  }

  @Test func `a word that no tool has gets no such help`() {
    #expect(ForeignSteps.help(for: "sennd") == nil)
    #expect(ForeignSteps.help(for: "") == nil)
    #expect(ForeignSteps.help(for: " ") == nil)
  }

  @Test func `a key of another tool leads to a key of the same mapping`() {
    let words = [
      "body", "delay", "response", "routes", "url", "teardown", "name", "do", "timeout", "state",
      "clients", "properties", "observables", "components", "db",
    ]
    var found = 0
    for rule in LanguageTable.mappings + LanguageTable.steps.map(\.mapping) {
      for word in words {
        guard rule.rule(named: word) == nil else { continue }
        if let key = ForeignNames.key(for: word, in: rule) {
          #expect(rule.rule(named: key) != nil, "`\(word)` leads to `\(key)` in \(rule.title)")
          found += 1
        }
        if let help = ForeignKeys.help(for: word, in: rule) {
          #expect(rule.rule(for: help.meant) != nil, "`\(word)` in \(rule.title)")
          found += 1
        }
      }
    }
    #expect(found > 20)
  }

  @Test(arguments: [
    ("cold('--a|')", "{ marble: \"--a|\" }"), ("of(1, 2)", "{ items: [1, 2] }"),
    ("interval(10)", "{ interval: 10ms }"),
  ])
  func `a call that makes a stream is answered with its map`(call: String, map: String) {
    #expect(ForeignOperators.origin(call) == map)
    #expect(ForeignOperators.origin("prices") == nil)
  }
}
