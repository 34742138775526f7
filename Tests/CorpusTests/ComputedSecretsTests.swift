import TestKit
import Testing
import TextSearch
import Verdicts

/// Values that expressions compute from secrets.
@Suite struct ComputedSecretsTests {
  private static let token = "Zk7-hidden9-token"

  /// What an expression computes from `token`, and the text that must not be shown.
  private static let hidden = [
    ("token.upperAscii()", "ZK7-HIDDEN9-TOKEN"), ("token.substring(4)", "idden9-tok"),
    ("base64.encode(base64.encode(token))", "V21zM0xXaHBaR1JsYmprdGRHOXJaVzQ9"),
    ("token.upperAscii() + ':' + token", "ZK7-HIDDEN9"), ("pin + 1", "987655"),
    ("hash.sha256('salt' + token)", ""), ("token.split('-')[1]", "hidden9"),
    ("[{ 'a': token.lowerAscii() }]", "zk7-hidden9"), ("hash.hmac('sha256', token, 'abc')", ""),
  ]

  private static func scenario(_ expression: String, from source: String) -> String {
    let vars =
      "vars: { token: { value: VALUE, secret: true }, pin: { value: 987654, secret: true } }"
    let constant = vars.replacing("VALUE", with: token)
    let late = vars.replacing("VALUE", with: "\"${'\(token)' + string(now()).substring(0, 0)}\"")
    let table = """
      vars: { pin: { value: 987654, secret: true } }
      cases: { secret: [token], rows: [{ token: \(token) }] }
      """
    let stage = ["constant": constant, "late": late, "column": table][source] ?? ""
    return """
      scenario: A secret is computed with
      \(stage)
      graph: { shown: null }
      endpoints: { api: { http: [{ post: /a, respond: { json: "${request.json}" } }] } }
      steps:
        - ignore: shown
        - set: { shown: "${\(expression)}" }
        - request:
            endpoint: api
            post: /a
            json: { v: "${\(expression)}" }
            expect: { json: { v: nobody } }

      """
  }

  @Test(arguments: hidden, ["constant", "late", "column"])
  func `what is computed from a secret is in no report and in no trace`(
    _ computed: (String, String), _ source: String
  ) throws {
    let folder = try TemporaryFolder()
    try #require(
      folder.write(
        "a.yaml",
        Self.scenario("EXPRESSION", from: source)
          .replacing("EXPRESSION", with: computed.0)))
    let words = ["run", folder.file("a.yaml"), "--record=" + folder.file("traces")]
    let plain = try #require(SpawnedCommand(words))
    #expect(plain.exitCode() == 1, "\(plain.said)")
    let json = try #require(SpawnedCommand(words + ["--format", "json"]))
    _ = json.exitCode()
    let row = source == "column" ? ".1" : ""
    let trace = try #require(
      folder.text("traces/a.a-secret-is-computed-with\(row).trace.jsonl"), "\(plain.said)")
    for text in [plain.said, json.said, trace] where !computed.1.isEmpty {
      #expect(!text.contains(computed.1), "\(computed.1) is in \(text)")
    }
    #expect(trace.contains("#1"), "\(trace)")
  }

  @Test(arguments: [
    ("size(token)", "\"v\":17"), ("token == '' ? 'anonymous' : 'known-user'", "known-user"),
    ("token.startsWith('Zk7') ? region : region", "eu-central"),
    ("'to ' + token + '!'", "to ‹token›!"),
  ])
  func `what says nothing about a secret is shown`(_ expression: String, _ shown: String) throws {
    let folder = try TemporaryFolder()
    let text = Self.scenario(expression, from: "constant")
      .replacing("graph: {", with: "graph: { region: eu-central,")
      .replacing("ignore: shown", with: "ignore: [shown, region]")
    try #require(folder.write("a.yaml", text))
    let run = try #require(
      SpawnedCommand(["run", folder.file("a.yaml"), "--record=" + folder.file("traces")]))
    #expect(run.exitCode() == 1, "\(run.said)")
    let trace = folder.text("traces/a.a-secret-is-computed-with.trace.jsonl")
    #expect(trace?.contains(shown) == true, "\(trace ?? run.said)")
  }

  @Test func `a trace with computed secrets is replayed and judged without them`() throws {
    let folder = try TemporaryFolder()
    let text = Self.scenario("token.upperAscii()", from: "constant")
      .replacing("v: nobody", with: "v: \"${token.upperAscii()}\"")
    try #require(folder.write("a.yaml", text))
    let run = try #require(
      SpawnedCommand(["run", folder.file("a.yaml"), "--record=" + folder.file("traces")]))
    #expect(run.exitCode() == 0, "\(run.said)")
    let path = "traces/a.a-secret-is-computed-with.trace.jsonl"
    #expect(folder.text(path)?.contains("\"secrets\":[\"pin\",\"token\"]") == true)
    #expect(folder.write("a.yaml", text.replacing(Self.token, with: "\"${env.NO_SUCH_TOKEN}\"")))
    for words in [["replay"], ["judge", folder.file("a.yaml")]] {
      let command = try #require(SpawnedCommand(words + [folder.file(path)]))
      #expect(command.exitCode() == 0, "\(words) \(command.said)")
    }
  }
}
