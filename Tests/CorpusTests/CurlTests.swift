import Diagnostics
import ScenarioEngine
import ScenarioPlan
import ScenarioRuns
import TestKit
import Testing
import Verdicts

/// The `curl` command of a report.
@Suite struct CurlTests {
  @Test func `a server that has HTTP/2 is asked in HTTP/1.1, as it was`() throws {
    let command = try curl("json: {}", of: "url: https://api.example.com, ")
    #expect(command?.contains(" --http1.1 ") == true)
    #expect(try curl("json: {}")?.contains("--http1.1") == false)
  }

  /// Runs a request that fails, and returns the command that repeats it.
  private func curl(_ request: String, of url: String = "url: http://api, ") throws -> String? {
    let text = """
      scenario: A request
      endpoints: { api: { \(url)http: [{ post: /up, respond: { status: 500 } }] } }
      vars: { token: { value: s3cret-token, secret: true } }
      steps:
        - let: { csv: "'data.csv'", png: "'a.png'" }
        - request: { endpoint: api, post: /up, \(request), expect: { status: 200 } }
      """
    let file = loadScenarios(SourceFile(path: "folder/curl.yaml", text: text))
    #expect(file.complaints == [])
    let plan = try #require(file.plans.first)
    var inputs = RunInputs(seed: 1)
    inputs.readFile = { _ in .success(Array("line\n".utf8)) }
    let judge = ScenarioJudge(plan)
    let log = ScenarioEngine.runScenario(SharedPlan(plan), inputs: inputs, judge: judge)
    let verdict = judge.verdict(on: log, sources: file.sources, rerun: String?.none)
    return verdict.failures.first?.notes.first { $0.name == "curl" }?.text
  }

  @Test func `a mock in memory without an address has no command`() throws {
    #expect(try curl("text: a", of: "") == nil)
  }

  @Test func `a body from a file is named, not repeated`() throws {
    #expect(
      try curl("file: \"${csv}\"")
        == "curl -X POST http://api/up -H 'Content-Type: text/csv' --data-binary @folder/data.csv")
  }

  @Test(arguments: [
    ("{ name: a, file: \"${png}\" }", "-F 'a=@folder/a.png;type=image/png'"),
    (
      "{ name: a, file: \"${png}\", filename: \"x;y\", contentType: text/plain }",
      "-F 'a=@folder/a.png;type=text/plain;filename=\"x;y\"'"
    ),
    ("{ name: a, text: \"two\\r\\nlines\" }", "--form-string $'a=two\\r\\nlines'"),
    ("{ name: a, json: { q: '\"' } }", #"-F 'a="{\"q\":\"\\\"\"}";type=application/json'"#),
    ("{ name: a, text: \"${token}\" }", "--form-string 'a=***'"),
  ])
  func `a body of several parts is repeated part by part`(part: String, option: String) throws {
    #expect(try curl("multipart: [\(part)]") == "curl -X POST http://api/up " + option)
  }

  @Test func `a part that no option can write leaves the body as it was sent`() throws {
    let command = try #require(try curl("multipart: [{ name: \"a=b\", text: c }]"))
    #expect(command.contains("--data-raw $'--rehearsal-"))
  }
}
