import TestKit
import Testing

/// Credentials that nobody has declared, in what commands other than `run` show.
@Suite struct CredentialsOfCommandsTests {
  private static let token = "Zk3q-771bXy90-aWm"
  private static let formats =
    "--format human --format json=r.json --format junit=r.xml --format html=r.html"

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
      + "\(command) \(Self.formats)"
    let spawned = try #require(SpawnedCommand(["-c", text], program: "bash"))
    #expect(spawned.exitCode() == code, "\(spawned.said)")
    #expect(spawned.said.contains(shown), "\(spawned.said)")
    #expect(!spawned.said.contains(Self.token), "\(spawned.said)")
    for report in ["r.json", "r.xml", "r.html"] {
      let written = try #require(fileText(folder.file(report)))
      #expect(!written.contains(Self.token), "\(report): \(written)")
    }
  }

  private static let trace = """
    {"trace":1,"by":"shop 1"}
    {"n":1,"us":0,"source":"signedIn","value":{"access_token":"\(token)","n":2}}
    {"n":2,"us":5,"source":"noted","value":"used \(token)"}
    {"n":3,"us":6,"kind":"verdict"}

    """

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
