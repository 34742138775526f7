import Diagnostics
import Protocols
import ScenarioEngine
import ScenarioPlan
import ScenarioRuns
import Testing
import Values
import Verdicts

/// The command that repeats a run that failed.
@Suite struct RerunTests {
  private func rerun(
    of path: String, _ text: String, in world: WorldKind = .mock, _ repeated: RepeatedOptions
  ) throws -> String? {
    var inputs = PlanInputs()
    for variable in repeated.variables {
      inputs.variables.append(
        PlanInputs.Variable(
          name: variable.name, text: variable.text, value: .string(variable.text)))
    }
    let file = loadScenarios(SourceFile(path: path, text: text), inputs: inputs)
    #expect(file.diagnostics == [])
    let plan = try #require(file.plans.first)
    let run = runScenario(
      plan, inputs: RunInputs(seed: 1), sources: file.sources, in: world, repeating: repeated)
    return run.verdict.failures.first?.notes.first { $0.name == "rerun" }?.text
  }

  private let failing = """
    scenario: A failure
    vars: { name: none, token: { value: none, secret: true } }
    steps: [{ check: "name == token + '!'" }]
    """

  @Test func `it has the options that give variables, as they were written`() throws {
    var repeated = RepeatedOptions()
    repeated.variables = [("name", "two words"), ("token", "it's")]
    repeated.variableFiles = ["vars.yaml"]
    repeated.environmentFiles = ["-dev.env"]
    #expect(
      try rerun(of: "a.yaml", failing, repeated)
        == "rehearse run a.yaml:1 --seed 1 --env-file ./-dev.env --vars-file vars.yaml"
        + " --var 'name=two words' --var token=***")
  }

  @Test func `a row that shares its line with others is named by its id`() throws {
    let table = """
      scenario: Rows
      cases: [{ a: 2 }, { a: 1 }]
      steps: [{ check: a == 0 }]
      """
    let file = loadScenarios(SourceFile(path: "a.yaml", text: table))
    let plan = try #require(file.plans.first)
    let commands = plan.rows.map { row in
      runScenario(
        plan, inputs: RunInputs(seed: 1, row: row), sources: file.sources, repeating: .init()
      ).verdict.failures.first?.notes.first { $0.name == "rerun" }?.text
    }
    #expect(
      commands == [
        "rehearse run a.yaml::Rows::1 --seed 1", "rehearse run a.yaml::Rows::2 --seed 1",
      ])
  }

  @Test func `it has the proxy of the command line without its password`() throws {
    var repeated = RepeatedOptions()
    let proxy = try AbsoluteURL.read("http://ann:s3cret@localhost:9").get()
    repeated.proxy = ProxySettings(for: proxy)
    var settings = RealWorldSettings()
    settings.proxies = repeated.proxy
    settings.trustedFile = "ca.pem"
    #expect(
      try rerun(of: "a.yaml", failing, in: .real(settings), repeated)
        == "rehearse run a.yaml:1 --seed 1 --against real --cacert ca.pem"
        + " --proxy 'http://***@localhost:9'")
  }

  @Test func `a file whose name begins with a dash is no option`() throws {
    #expect(
      try rerun(of: "-x.yaml", failing, RepeatedOptions()) == "rehearse run ./-x.yaml:1 --seed 1")
  }
}
