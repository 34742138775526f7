import CEL
import Diagnostics
import ScenarioEngine
import ScenarioPlan
import ScenarioRuns
import TestKit
import Testing
import Values

private let entries = stageFunctions + FunctionTable.entries

@Suite struct FunctionTests {
  /// A scenario whose only check is that an example equals its result.
  private static func scenario(_ entry: FunctionEntry) -> String {
    """
    scenario: An example
    graph: { number: 1, doubled: { computed: number * 2 } }
    steps:
      - set: { number: 2 }
      - check: \(Value.string("doubled == 4 && (\(entry.example)) == (\(entry.value))").json())
    """
  }

  @Test(arguments: entries)
  func `the example of a function has the result that its page shows`(
    entry: FunctionEntry
  ) throws {
    let loading = Loading(FunctionTests.scenario(entry))
    #expect(loading.complaints == [])
    let verdict = try #require(loading.run()).verdict
    #expect(verdict.outcome == .passed, "\(entry.name): \(verdict.failures.map(\.message))")
  }

  @Test func `every function has one text, which says what its name does not`() {
    let names = entries.map { "\($0.group) \($0.name)" }
    #expect(Set(names).count == names.count)
    for entry in entries {
      #expect(entry.text.last == "." && entry.text.first?.isUppercase != false, "\(entry.name)")
      #expect(entry.example.contains(entry.name.split(separator: ".").last ?? ""), "\(entry.name)")
      #expect(!entry.forms.isEmpty)
    }
    #expect(FunctionTable.functionsWithoutText == [])
  }

  @Test func `every random expression of a run has values of its own, the same in each run`() {
    let text = """
      scenario: Random values
      cases: [{ name: a }, { name: b }]
      vars: { first: "${uuid()}", second: "${uuid()}" }
      graph: { drawn: { stored: [] } }
      steps:
        - check: first != second && uuid() != uuid()
        - repeat: 3
          steps:
            - set: { drawn: "${drawn + [random.int(1, 1000000)]}" }
        - check: drawn.distinct().size() == 3
        - set: { drawn: "${[first, second, name] + drawn.map(x, string(x))}" }
      """
    let values = { (loading: Loading, row: Int, seed: Int) -> [String] in
      guard let plan = loading.plan else { return [] }
      let run = runScenario(plan, inputs: RunInputs(seed: seed, row: plan.rows[row]))
      #expect(run.verdict.outcome == .passed, "\(run.verdict.failures.map(\.message))")
      return run.log.events.map { "\($0)" }
    }
    let one = Loading(text)
    #expect(one.complaints == [])
    #expect(values(one, 0, 1) == values(Loading(text), 0, 1))
    #expect(values(one, 0, 1) != values(one, 0, 2))
  }
}

/// The page that is made from the table of functions.
@Suite struct FunctionsGeneratedFileTests {
  @Test func `the page of functions is up to date`() {
    let made = functionsPage(stageFunctions)
    #expect(
      goldenText("docs/functions.md", made: made) == made,
      "run the tests once with UPDATE_EXPECTED=1"
    )
  }
}
