import Protocols
import TestKit
import Testing
import Values

/// Credentials that nobody has declared, from outside of the scenario, and all that a run shows.
@Suite struct UndeclaredCredentialsTests {
  struct Kind: CustomTestStringConvertible, Sendable {
    let name: String
    var headers: HTTPHeaders = [:]
    var body = "{}"
    /// What a request has of the environment, where the credential comes from there.
    var sends = ""
    /// The texts that nothing may show.
    let secrets: [String]
    /// The name that stands in their place.
    let shown: String

    var testDescription: String { name }

    /// A value under a key of JSON.
    static func key(_ key: String) -> Kind {
      Kind(
        name: "JSON: \(key)", body: "{ \"\(key)\": \"\(token)\", \"n\": 1 }", secrets: [token],
        shown: "‹\(key.lowercased())#1, 17 characters›")
    }

    /// A text of a known shape.
    static func shape(_ text: String) -> Kind {
      Kind(
        name: "a shape: \(text)", body: "{ \"note\": \"see \(text), and use it\" }",
        secrets: [text], shown: "‹token#1, \(text.count) characters›")
    }

    static func sent(_ name: String, _ sends: String, _ shown: String) -> Kind {
      Kind(name: name, sends: sends, secrets: [token, encoded], shown: shown)
    }
  }

  static let token = "Zk3q-771bXy90-aWm"
  private static let encoded = Base64.encode("ann:\(token)".utf8)

  static let kinds: [Kind] =
    [
      "access_token", "refreshToken", "id_token", "client_secret", "apiKey", "password",
      "sessionId", "csrf", "device_code", "credentials", "signature", "private_key",
    ].map(Kind.key)
    + [
      "ghp_Zk3q771bXy90aWm1", "glpat-Zk3q771bXy90aWm", "sk-Zk3q771bXy90aWm1", "AKIAZK3Q771BXY90",
      "xoxb-Zk3q771bXy90-1", "whsec_Zk3q771bXy90aW", "npm_Zk3q771bXy90aWm1",
    ].map(Kind.shape)
    + [
      Kind(
        name: "a JWT in a text", body: "{ \"note\": \"is eyJhbGciOi.eyJzdWIiOjF9.Zk3q77\" }",
        secrets: ["eyJzdWIiOjF9", "Zk3q77"], shown: "‹jwt#1, 30 characters›"),
      Kind(
        name: "a cookie", headers: ["Set-Cookie": "sid=\(token); Path=/"], secrets: [token],
        shown: "‹set-cookie#1, 17 characters›"),
      Kind(
        name: "a header", headers: ["X-Auth-Token": token], secrets: [token],
        shown: "‹x-auth-token#1, 17 characters›"),
      Kind(
        name: "a query of a redirect that is not followed",
        headers: ["Link": "<https://shop.example/a?access_token=\(token)>"], secrets: [token],
        shown: "‹access_token#1, 17 characters›"),
      Kind(
        name: "the password of a URL", body: "{ \"at\": \"https://ann:\(token)@shop.example/\" }",
        secrets: [token], shown: "‹password#1, 17 characters›"),
      Kind(
        name: "a form in a text", body: "user=ann&access_token=\(token)&n=1", secrets: [token],
        shown: "‹access_token#1, 17 characters›"),
      Kind(
        name: "a private key",
        body: "-----BEGIN PRIVATE KEY-----\n\(token)\n-----END PRIVATE KEY-----",
        secrets: [token], shown: "‹private_key#1, 17 characters›"),
      Kind(
        name: "XML", body: "<a><password>\(token)</password></a>", secrets: [token],
        shown: "‹password#1, 17 characters›"),
      .sent(
        "a bearer of the environment", "auth: { bearer: '${env.ZK}' }",
        "‹authorization#1, 17 characters›"),
      .sent(
        "a password of the environment", "auth: { basic: { user: ann, password: '${env.ZK}' } }",
        "‹authorization#1, 28 characters›"),
      .sent(
        "a key of the environment", "headers: { X-Api-Key: '${env.ZK}' }",
        "‹x-api-key#1, 17 characters›"),
      .sent(
        "a query of the environment", "query: { token: '${env.ZK}' }",
        "‹token#1, 17 characters›"),
      .sent(
        "a form of the environment", "form: { password: '${env.ZK}' }",
        "‹password#1, 17 characters›"),
    ]

  /// What a step expects of the answer, and the steps behind it.
  private static let endings = [
    ("status: 500", ""),
    ("text: { $as: whole }", "\n  - set: { kept: '${whole}' }\n  - expect: { kept: 1 }"),
    ("text: { $as: whole }", "\n  - log: '${whole}'\n  - check: size(whole) == -1"),
  ]

  private func scenario(_ kind: Kind, _ ending: (String, String), port: UInt16) -> String {
    let sends = kind.sends.isEmpty ? "" : kind.sends + ", "
    return """
      scenario: The credentials of others
      against: real
      endpoints: { api: { url: "http://127.0.0.1:\(port)" } }
      graph: { kept: none }
      steps:
        - ignore: kept
        - request: { endpoint: api, post: /ask, \(sends)expect: { \(ending.0) } }\(ending.1)

      """
  }

  @Test(arguments: kinds)
  func `a credential of others is in nothing that a run shows or writes`(kind: Kind) throws {
    let server = try #require(
      RealServer { _ in
        .response(HTTPResponse(status: 200, headers: kind.headers, body: Array(kind.body.utf8)))
      })
    defer { server.stop() }
    for (number, ending) in Self.endings.enumerated() {
      let folder = try TemporaryFolder()
      let text = scenario(kind, ending, port: server.port)
      let isWritten = folder.write("w.scenario.yaml", text)
      try #require(isWritten)
      let command = try say(
        "run w.scenario.yaml -v --format human --format json=r.json --format junit=r.xml "
          + "--format html=r.html --format tap=r.tap --format ndjson=r.ndjson "
          + "--format ctrf=r.ctrf.json --format github=r.txt --html-events all --log l.jsonl "
          + "--record", in: folder)
      #expect(command.code == 1, "\(command.said)")
      if number == 0 { #expect(command.said.contains(kind.shown), "\(command.said)") }
      let written = filePaths(below: folder.path).filter { !$0.hasSuffix("w.scenario.yaml") }
      #expect(written.count == 9)
      for (place, text) in [("the console", command.said)]
        + written.map({ ($0, fileText($0) ?? "") })
      {
        for secret in kind.secrets { #expect(!text.contains(secret), "\(place) shows \(secret)") }
      }
    }
  }

  private func say(
    _ line: String, in folder: TemporaryFolder, _ environment: String = ""
  ) throws -> (said: String, code: Int32?) {
    let text =
      "cd '\(folder.path)' && ZK=\(Self.token) \(environment) exec "
      + "'\(SpawnedCommand.built("rehearse"))' " + line
    let command = try #require(SpawnedCommand(["-c", text], program: "bash"))
    let code = command.exitCode()
    return (command.said, code)
  }

  /// Runs a scenario, and returns what the console says.
  private func page(
    _ scenario: String, _ options: String = "", environment: String = ""
  ) throws -> String {
    let folder = try TemporaryFolder()
    let isWritten = folder.write("w.scenario.yaml", "scenario: S\n" + scenario)
    try #require(isWritten)
    return try say("run w.scenario.yaml \(options)", in: folder, environment).said
  }

  @Test func `a program's credentials are hidden`() throws {
    let text = """
      programs: { tool: { run: [sh, -c, "echo access_token=$ZK; echo https://a:$ZK@h.a"] } }
      steps:
        - expect: { tool: [{ $regex: "access_token=.*" }, nothing] }
      """
    let page = try page(text)
    #expect(page.contains("‹"), "\(page)")
    #expect(!page.contains(Self.token), "\(page)")
  }

  @Test func `what the scenario has itself is shown`() throws {
    let server = try #require(
      RealServer { request in
        let headers = request.http.headers.lines.map { "\($0.name): \($0.value)" }
        let body = Value.list(headers.map { .string($0) }).json()
        return .response(HTTPResponse(status: 200, body: Array(body.utf8)))
      })
    defer { server.stop() }
    let page = try page(
      """
      vars: { open: "${env.ZK}" }
      cases: [{ id: a, cell: cell-token-77-abc }]
      endpoints: { api: { url: "http://127.0.0.1:\(server.port)" } }
      steps:
        - request:
            endpoint: api
            get: /
            headers:
              Authorization: Bearer literal-token-77
              X-Token: "${open}"
              X-Api-Key: "${cell}"
            expect: { status: 500 }
        - request:
            endpoint: api
            get: /
            auth: { basic: { user: ann, password: literal-password } }
            expect: { status: 500 }
      """, "--against real")
    for text in ["literal-token-77", Self.token, "cell-token-77-abc"] {
      #expect(page.contains(text), "\(page)")
    }
    #expect(!page.contains("‹"), "\(page)")
  }

  @Test func `what a mock of the scenario issues is shown`() throws {
    let page = try page(
      """
      endpoints:
        api:
          http:
            - post: /login
              respond: { json: { token: "${'made-by-the-mock-' + request.json.user}" } }
            - { get: /cart, respond: { json: {} } }
      steps:
        - request:
            endpoint: api
            post: /login
            json: { user: ann }
            expect: { json: { token: { $as: t } } }
        - request: { endpoint: api, get: /cart, auth: { bearer: "${t}" }, expect: { status: 500 } }
      """)
    #expect(page.contains("Authorization: Bearer made-by-the-mock-ann"), "\(page)")
  }

  @Test func `the command has variables of the shell`() throws {
    let server = try #require(RealServer())
    defer { server.stop() }
    let page = try page(
      """
      endpoints: { api: { url: "http://127.0.0.1:\(server.port)" } }
      steps:
        - request:
            endpoint: api
            post: "/a?token=${env.ZK}"
            headers: { Authorization: "Bearer ${env.ZK}x", X-Note: "it's", X-Token: "${env.ZK}" }
            expect: { status: 500 }
      """, "--against real")
    let command = page.split(separator: "\n").first { $0.contains("= curl") } ?? ""
    #expect(command.contains("/a?token=$TOKEN\""), "\(page)")
    #expect(command.contains("-H \"Authorization: Bearer $AUTHORIZATION\""), "\(page)")
    #expect(command.contains("-H 'X-Note: it'\\''s' -H \"X-Token: $TOKEN\""), "\(page)")
  }

  @Test func `hidden texts that differ are said to, and where`() throws {
    let server = try #require(
      RealServer { request in
        let body = "{ \"token\": \"same-begin-Zk-\(request.http.target.dropFirst())-77\" }"
        return .response(HTTPResponse(status: 200, body: Array(body.utf8)))
      })
    defer { server.stop() }
    let steps = """
      endpoints: { api: { url: "http://127.0.0.1:\(server.port)" } }
      steps:
        - request: { endpoint: api, get: /1, expect: { json: { token: { $as: t } } } }
        - request: { endpoint: api, get: /2, expect: { json: { token: LAST } } }
      """
    let compared = try page(steps.replacing("LAST", with: "\"${t}\""), "--against real")
    #expect(
      compared.contains("hidden    .json.token: the texts differ from character 15 on"),
      "\(compared)")
    #expect(compared.contains("‹token#2, 18 characters›"), "\(compared)")
    let checked = try page(
      steps.replacing("LAST", with: "{ $as: u }") + "\n  - check: t == u", "--against real")
    #expect(checked.contains("`t` and `u` differ from character 15 on"), "\(checked)")
  }

  @Test func `two declared secrets that differ are said to, and where`() throws {
    let page = try page(
      """
      vars: { a: { value: one-Zk-1, secret: true }, b: { value: one-Zk-2, secret: true } }
      graph: { held: "" }
      steps:
        - set: { held: "${a}" }
        - expect: { held: "${b}" }
      """)
    #expect(page.contains("the texts differ from character 8 on"), "\(page)")
    #expect(!page.contains("one-Zk"), "\(page)")
  }

  @Test(arguments: [
    ("CI=true", "", "CI is set"), ("CI=", "", "standard output is no terminal"),
    ("CI=", "--format json", "json"),
  ])
  func `credentials are shown on a terminal only`(
    environment: String, option: String, reason: String
  ) throws {
    let page = try page(
      "steps: [{ check: true }]", "--show-credentials \(option)", environment: environment)
    #expect(page.contains(reason), "\(page)")
    #expect(!page.contains("1 passed"))
  }

  @Test func `on a terminal credentials are shown on demand`() throws {
    let server = try #require(RealServer())
    defer { server.stop() }
    let folder = try TemporaryFolder()
    let text = """
      scenario: S
      endpoints: { api: { url: "http://127.0.0.1:\(server.port)" } }
      steps:
        - request: { endpoint: api, get: /, auth: { bearer: "${env.ZK}" }, expect: { status: 500 } }
      """
    let isWritten = folder.write("w.scenario.yaml", text)
    try #require(isWritten)
    let run =
      "'\(SpawnedCommand.built("rehearse"))' run w.scenario.yaml --against real --record=t "
      + "--show-credentials"
    let line = "cd '\(folder.path)' && CI= ZK=\(Self.token) script -qec \"\(run)\" /dev/null"
    let command = try #require(SpawnedCommand(["-c", line], program: "bash"))
    _ = command.exitCode()
    #expect(command.said.contains("Bearer \(Self.token)"), "\(command.said)")
    let traces = filePaths(below: folder.path).filter { $0.hasSuffix(".jsonl") }
    #expect(traces.count == 1)
    #expect(fileText(traces.first ?? "")?.contains(Self.token) == false)
  }
}
