import TestKit
import Testing

/// Credentials that nobody has declared, in what commands other than `run` show.
@Suite struct CredentialsOfCommandsTests {
  private static let token = "Zk3q-771bXy90-aWm"
  private static let formats = [
    "json", "junit", "ndjson", "tap", "ctrf", "github", "codequality", "html",
  ]

  /// Runs a command with its reports, and expects the token in none of them.
  private func expectHidden(
    _ command: String, _ files: [String: String], code: Int32, shown: String
  ) throws {
    let folder = try TemporaryFolder()
    for (name, text) in files {
      let isWritten = folder.write(name, text)
      try #require(isWritten)
    }
    let text =
      "cd '\(folder.path)' && ZK=\(Self.token) exec '\(SpawnedCommand.built("rehearse"))' "
      + "\(command) --format human "
      + Self.formats.map { "--format \($0)=r.\($0)" }.joined(separator: " ")
    let spawned = try #require(SpawnedCommand(["-c", text], program: "bash"))
    #expect(spawned.exitCode() == code, "\(spawned.said)")
    #expect(spawned.said.contains(shown), "\(spawned.said)")
    #expect(!spawned.said.contains(Self.token), "\(spawned.said)")
    for format in Self.formats {
      let written = try #require(fileText(folder.file("r.\(format)")))
      #expect(!written.contains(Self.token), "\(format): \(written)")
    }
  }

  private static let trace = """
    {"trace":1,"by":"shop 1"}
    {"n":1,"us":0,"source":"signedIn","value":{"access_token":"\(token)","n":2}}
    {"n":2,"us":5,"source":"noted","value":"used \(token)"}
    {"n":3,"us":6,"kind":"verdict"}

    """

  @Test func `a report has no value of a variable that the command line sets`() throws {
    try expectHidden(
      "run a.scenario.yaml --var zk=\(Self.token)",
      ["a.scenario.yaml": "scenario: A\nsteps: [{ check: 1 == 1 }]\n"], code: 0, shown: "zk")
  }

  @Test func `judge hides the credentials of a trace of others`() throws {
    let scenario = """
      scenario: Nobody signs in twice
      sources: { signedIn: {}, noted: {} }
      invariants: [never: signedIn != null && signedIn.n > 1]
      steps: [{ expect: { noted: nothing } }]

      """
    try expectHidden(
      "judge s.yaml t.jsonl", ["s.yaml": scenario, "t.jsonl": Self.trace], code: 1,
      shown: "‹access_token#1, 17 characters›")
  }

  /// Lines that no verdict reads: of an undeclared source, with a time that is too early, of no
  /// source, cut.
  @Test(arguments: [
    #"{"us":7,"source":"cart","value":{"access_token":"%"}}"#,
    #"{"us":1,"source":"noted","value":{"session":"%"}}"#,
    #"{"us":7,"value":"Authorization: Bearer %"}"#,
    #"{"us":7,"source":"noted","value":"the % again"}"#
      + "\n" + #"{"us":1,"source":"noted","value":"the %"}"#,
    #"{"us":9,"source":"noted","value":{"access_token":"%","#,
  ]) func `judge hides the credentials in lines that warnings quote`(_ line: String) throws {
    let scenario = """
      scenario: Nobody signs in twice
      sources: { signedIn: {}, noted: {} }
      steps: [{ expect: { noted: { $any: true } } }, { ignore: [noted] }]

      """
    let last = Self.trace.split(separator: "\n", omittingEmptySubsequences: true).dropLast()
    let trace =
      last.joined(separator: "\n") + "\n" + line.split(separator: "%").joined(separator: Self.token)
    try expectHidden(
      "judge s.yaml t.jsonl", ["s.yaml": scenario, "t.jsonl": trace], code: 0, shown: "warning[")
  }

  @Test func `the questions to a trace hide the credentials in lines that they quote`() throws {
    let folder = try TemporaryFolder()
    let trace = Self.trace + #"{"us":9,"source":"noted","value":{"access_token":"\#(Self.token)","#
    let isWritten = folder.write("t.jsonl", trace + "\n{}\n")
    try #require(isWritten)
    for action in ["trace stats", "trace audit", "import", "check"] {
      let command = SpawnedCommand(
        action.split(separator: " ").map(String.init) + [folder.file("t.jsonl")])
      let spawned = try #require(command)
      #expect(spawned.exitCode() != 0, "\(action): \(spawned.said)")
      #expect(spawned.said.contains("t.jsonl:5:"), "\(action): \(spawned.said)")
      #expect(!spawned.said.contains(Self.token), "\(action): \(spawned.said)")
    }
  }

  @Test func `replay hides the credentials of a trace of others`() throws {
    let scenario = """
      scenario: A real shop
      endpoints: { shop: { url: "http://127.0.0.1:1" } }
      against: { shop: real }
      steps:
        - request: { endpoint: shop, get: /cart, expect: { json: { session: { n: 3 } } } }

      """
    let body = "{\"session\":{\"access_token\":\"\(Self.token)\",\"n\":2}}"
    let trace = """
      {"trace":1,"by":"shop 1","scenario":{"path":"s.scenario.yaml","title":"A real shop"},\
      "worlds":{"shop":"real"},"sides":{"shop":"client"}}
      {"n":1,"us":0,"kind":"request","source":"shop","connection":1,"from":"client",\
      "value":{"headers":{"host":"127.0.0.1:1"},"method":"GET","path":"/cart"}}
      {"n":2,"us":5,"kind":"response","source":"shop","connection":1,"from":"server","cause":1,\
      "value":{"body":\(body),"headers":{"content-type":"application/json"},"status":200}}
      {"n":3,"us":6,"kind":"verdict","value":{"outcome":"failed"}}

      """
    try expectHidden(
      "replay t.trace.jsonl", ["s.scenario.yaml": scenario, "t.trace.jsonl": trace], code: 1,
      shown: "‹access_token#1")
  }

  @Test func `sweep hides the credentials of programs, also beside the good run`() throws {
    let scenario = """
      scenario: A program shows its token
      endpoints: { api: { http: [{ post: /orders, respond: { json: {} } }] } }
      programs:
        p:
          run: [sh, -c, "curl -sf -X POST $URL/orders || echo access_token=$ZK; echo token=$ZK"]
          env: { URL: "${api.url}" }
      sweep: { same: [p], settle: 100ms }
      steps:
        - expect: { p.exit: { code: 0 } }
        - check: count(p.errors) == 0 && count(p) == 1

      """
    try expectHidden(
      "sweep s.scenario.yaml -v", ["s.scenario.yaml": scenario], code: 1, shown: "differs first")
  }
}
