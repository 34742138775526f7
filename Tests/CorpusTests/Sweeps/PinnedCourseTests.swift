import Diagnostics
import ScenarioEngine
import ScenarioPlan
import ScenarioRuns
import TestKit
import Testing
import Verdicts
import World

/// Courses of sweeps as scenarios of their own.
@Suite struct PinnedCourseTests {
  private static let orders = "scenarios/sweep/orders.scenario.yaml"
  private static let course = "lose answer 1 of api, connection 1"

  private func pinned(_ scenario: Int) throws -> LoadedFile {
    let file = Corpus.load(Self.orders)
    let source = try #require(file.sources.file(of: file.plans[scenario].range))
    let place = PiecePlace(line: "api", connection: 1, kind: .answer, number: 1)
    let pin = PinnedCourse(file.plans[scenario], SweepCourse(.piece(place, .broken(.cut, .before))))
    let text = pin.text(in: source, because: "this condition does not hold")
    return loadScenarios(SourceFile(path: "pinned.scenario.yaml", text: text))
  }

  @Test func `a pinned course fails until the client is mended`() throws {
    for (scenario, ids) in [(0, [] as [DiagnosticID]), (1, ["check-failed"])] {
      let file = try pinned(scenario)
      #expect(file.diagnostics.isEmpty, "\(file.diagnostics)")
      let plan = try #require(file.plans.first)
      let run = runScenario(plan, inputs: RunInputs(seed: 1), sources: file.sources)
      #expect(run.verdict.failures.map(\.id) == ids)
    }
  }

  /// A disturbance that the trace has, one that happens again, and one after which a check fails.
  @Test(arguments: [
    "lose answer 1 of api, connection 1", "offline at 0ms for 10ms",
    "cut within answer 1 of api, connection 1", "delay answer 1 of api, connection 1, by 1s",
  ])
  func `a recorded disturbed run is replayed and judged as it ran`(disturbance: String) throws {
    for number in [0, 1] {
      let folder = try TemporaryFolder()
      let text = try #require(fileText(Self.orders))
      #expect(folder.write("orders.scenario.yaml", text))
      let file = Corpus.load(Self.orders)
      let title = file.plans[number].title
      let scenario = folder.file("orders.scenario.yaml") + "::" + title
      let run = try #require(
        SpawnedCommand([
          "run", scenario, "--disturb", disturbance, "--record=" + folder.file("traces"),
        ]))
      let code = run.exitCode()
      let replayed = try #require(SpawnedCommand(["replay", folder.file("traces")]))
      let again = replayed.exitCode()
      #expect(!replayed.said.contains("DIVERGED"), "\(run.said)\n\(replayed.said)")
      #expect(again == code, "\(title): \(run.said)\n\(replayed.said)")
      let judged = try #require(SpawnedCommand(["judge", scenario, folder.file("traces")]))
      let verdict = judged.exitCode()
      #expect(verdict == code, "\(title): \(run.said)\n\(judged.said)")
    }
  }

  @Test func `the text of a pinned course says what goes wrong and why it is there`() throws {
    let file = try pinned(1)
    let lines = file.sources.files[0].lines(1...5)
    #expect(
      lines == """
        # yaml-language-server: $schema=../../schemas/scenario.schema.json
        scenario: An order without a key is placed once while no answer is lost
        # Pinned by `rehearse sweep`:
        # this condition does not hold
        disturb:
        """)
    let plan = try #require(file.plans.first)
    #expect(plan.disturbances.map { "\($0)" } == [Self.course])
    #expect(plan.reasonNotToSweep() != nil)
    #expect(plan.reasonToSkip(in: .sockets) != nil)
  }

  @Test(arguments: [
    "cases: [{ id: one, size: 1 }, { id: two, size: '02' }]", "cases: { file: sizes.csv }",
    "cases:\n  - { id: one, size: 1 } # small\n  - id: two\n    size: '02'\n",
  ])
  func `a pinned course of a row keeps this row alone`(cases: String) throws {
    let text = "# the first line\nscenario: Sizes\n\(cases)\nsteps: [{ check: size != '' }]\n"
    let files = ComponentFiles.inMemory(["sizes.csv": "id,size\none,1\ntwo,\"02\"\n"])
    let file = loadScenarios(
      SourceFile(path: "a.scenario.yaml", text: text), components: files)
    let plan = try #require(file.plans.first)
    let course = SweepCourse(.offline(at: 0, length: 1))
    let pin = PinnedCourse(plan, course, row: plan.rows[1], seed: 7)
    let source = try #require(file.sources.file(of: plan.range))
    let pinned = pin.text(in: source, because: "broken")
    let again = loadScenarios(SourceFile(path: "b.scenario.yaml", text: pinned))
    #expect(again.diagnostics.isEmpty, "\(pinned)")
    let only = try #require(again.plans.first)
    #expect(only.rows.map(\.id) == ["two"])
    #expect(only.rows[0].values == plan.rows[1].values)
    #expect(only.seed == 7)
  }

  @Test func `the name of a pinned file is the first that is free`() {
    let taken = ["a.pinned-1.scenario.yaml", "a.pinned-2.scenario.yaml"]
    let path = pinnedPath(beside: "a.scenario.yaml") { taken.contains($0) }
    #expect(path == "a.pinned-3.scenario.yaml")
  }

  @Test func `a name of nothing that can go wrong is a mistake at its place`() {
    let text = """
      scenario: A count
      disturb: [lose the answer]
      graph: { count: 0 }
      steps: [{ check: count == 0 }]
      """
    let file = loadScenarios(SourceFile(path: "a.scenario.yaml", text: text))
    #expect(file.diagnostics.map(\.id) == ["unknown-disturbance"])
    #expect(file.plans.isEmpty)
  }
}

extension SourceFile {
  fileprivate func lines(_ numbers: ClosedRange<Int>) -> String {
    let lines = String(decoding: bytes, as: UTF8.self).split(
      separator: "\n", omittingEmptySubsequences: false)
    return lines[(numbers.lowerBound - 1)..<numbers.upperBound].joined(separator: "\n")
  }
}
