import Diagnostics
import ScenarioEngine
import ScenarioPlan
import TestKit
import Testing
import Values

@testable import ScenarioRuns

/// Loading and running of tables that are kept in files.
@Suite struct TableRowTests {
  private static let text = """
    scenario: Doubling
    cases: { file: tables/rows.csv }
    steps:
      - check: start * 2 == doubled
    """

  private func load(_ rows: String, _ variables: [PlanInputs.Variable] = []) -> Loading {
    Loading(Self.text, variables: variables, components: ["tables/rows.csv": rows])
  }

  @Test func `a row of a file is run and judged like one that is written in place`() throws {
    let loading = load("id,start,doubled\na,1,2\nb,2,5\n")
    #expect(loading.complaints == [])
    let plan = try #require(loading.plan)
    #expect(
      plan.rows.map { loading.file.sources.placeText(of: $0.range) } == [
        "tables/rows.csv:2:1", "tables/rows.csv:3:1",
      ])
    let verdicts = plan.rows.map { row in
      runScenario(plan, inputs: RunInputs(seed: 1, row: row), sources: loading.file.sources).verdict
    }
    #expect(verdicts.map(\.outcome) == [.passed, .failed])
    let rerun = verdicts[1].failures.first?.notes.first { $0.name == "rerun" }
    #expect(rerun?.text == "rehearse run a.yaml::Doubling::b --seed 1")
  }

  @Test func `a column of a file is replaced by a variable from outside`() {
    let given = PlanInputs.Variable(name: "start", text: "7", value: 7)
    #expect(
      load("start,doubled\n1,2\n2,5\n", [given]).plan?.rows.map(\.values) == [[7, 2], [7, 5]])
  }

  @Test func `what a table would have declared is not missed when it cannot be had`() {
    #expect(Loading(Self.text).ids == ["table-not-found"])
    #expect(load("start,doubled\n\"1,2\n").ids == ["table-syntax"])
    #expect(load("start,doubled\n1,2\n3\n").ids == ["ragged-cases"])
    #expect(load("start,other\n1,2\n").ids == ["unknown-name"])
  }

  @Test func `a table that two scenarios use is read once, and its mistake is reported once`() {
    let loading = Loading(
      Self.text + "\n---\n" + Self.text, components: ["tables/rows.csv": "start,start\n1,2\n"])
    #expect(loading.ids == ["duplicate-column"])
    #expect(loading.file.sources.files.map(\.path) == ["a.yaml", "tables/rows.csv"])
  }

  @Test(arguments: 0..<4)
  func `a damaged table is refused with a place, or read`(seed: Int) {
    let rows = Array("\u{FEFF}id,start,doubled\r\n\"a \"\"b\"\"\",1,2\r\n\nb,2,4\n".utf8)
    var state = UInt64(seed) &* 0x9E37_79B9_7F4A_7C15 &+ 1
    func random(_ bound: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(truncatingIfNeeded: (state >> 33) % UInt64(bound))
    }
    for _ in 0..<300 {
      var damaged = rows
      for _ in 0...random(3) { damaged[random(damaged.count)] = UInt8(random(256)) }
      let files = ComponentFiles(read: { [damaged] _ in .success(damaged) }, names: { _ in [] })
      let file = loadScenarios(
        SourceFile(path: "a.yaml", text: Self.text), components: files)
      #expect(file.diagnostics.hasErrors == file.plans.isEmpty)
      for complaint in file.diagnostics {
        #expect(complaint.labels.first.flatMap { file.sources.file(of: $0.range) } != nil)
      }
    }
  }
}
