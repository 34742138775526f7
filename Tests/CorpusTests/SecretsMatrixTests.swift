import ScenarioRuns
import TestKit
import Testing
import Values

/// Every way in which a value becomes a secret, and every place where a run shows values.
@Suite struct SecretsMatrixTests {
  struct Way: CustomTestStringConvertible, Sendable {
    let name: String
    /// The expression that reads the value.
    var reads = "s"
    /// What makes the value a secret before the steps.
    var declaration = "vars: {}"
    /// The step that captures it.
    var capture = "check: true"
    /// The texts that nothing may show.
    let secrets: [String]

    var testDescription: String { name }
  }

  static let ways: [Way] = [
    Way(
      name: "a variable", declaration: "vars: { s: { value: var-Zk-771, secret: true } }",
      secrets: ["var-Zk-771"]),
    Way(
      name: "signs", declaration: #"vars: { s: { value: 'Zk7/q"9ü<v\w', secret: true } }"#,
      secrets: [#"Zk7/q"9ü<v\w"#]),
    Way(
      name: "the environment",
      declaration: "vars: { s: { value: '${env.REHEARSE_ZK}', secret: true } }",
      secrets: ["env-Zk-771"]),
    Way(
      name: "a column",
      declaration: "cases: { secret: [s], rows: [{ id: a, s: col-Zk-1 }, { id: b, s: col-Zk-2 }] }",
      secrets: ["col-Zk-1", "col-Zk-2"]),
    Way(
      name: "a variable of a column", reads: "t",
      declaration: """
        cases: [{ id: a, s: part-Zk-1 }]
        vars: { t: { value: "${'a' + s + 'b'}", secret: true } }
        """, secrets: ["apart-Zk-1b"]),
    Way(
      name: "the clock",
      declaration: #"vars: { s: { value: "${'Zk.' + string(now())}", secret: true } }"#,
      secrets: ["Zk.2000-01-01T00:00:00Z"]),
    Way(
      name: "a value computed from one",
      declaration: "vars: { a: { value: base-Zk-1, secret: true }, s: \"${a + '-more'}\" }",
      secrets: ["base-Zk-1"]),
    Way(
      name: "a computed map", reads: "m.k",
      declaration: "vars: { m: { value: \"${ {'k': 'made-' + 'Zk1'} }\", secret: true } }",
      secrets: ["made-Zk1"]),
    Way(
      name: "parts of a value", reads: "m.deep[0].k",
      declaration:
        "vars: { m: { value: { user: user-Zk, deep: [{ k: deep-Zk }] }, secret: true } }",
      secrets: ["user-Zk", "deep-Zk"]),
    Way(
      name: "bytes", declaration: #"vars: { s: { value: '${b"bytes-Zk"}', secret: true } }"#,
      secrets: ["bytes-Zk"]),
    Way(
      name: "bytes that are no text",
      declaration: #"vars: { s: { value: '${b"\xff\xfe\x01Zk"}', secret: true } }"#,
      secrets: ["//4BWms=", "ff fe 01 5a 6b", "fffe015a6b"]),
    Way(
      name: "a duration",
      declaration: "vars: { s: { value: \"${duration('98765s')}\", secret: true } }",
      secrets: ["98765s", "27h26m5s"]),
    Way(
      name: "a timestamp",
      declaration: "vars: { s: { value: \"${timestamp('1975-03-04T05:06:07Z')}\", secret: true } }",
      secrets: ["1975-03-04"]),
    Way(
      name: "a number", declaration: "vars: { s: { value: 48151623, secret: true } }",
      secrets: ["48151623"]),
    Way(
      name: "lines", declaration: #"vars: { s: { value: "one-Zk-a\ntwo-Zk-b", secret: true } }"#,
      secrets: ["one-Zk-a", "two-Zk-b"]),
    Way(
      name: "a captured part of an answer",
      capture: login("json: { token: { $as: s, $secret: true } }"), secrets: ["tok/Zk-1"]),
    Way(
      name: "a captured number", capture: login("json: { pin: { $as: s, $secret: true } }"),
      secrets: ["90471177"]),
    Way(
      name: "a captured header", capture: login("headers: { X-Token: { $as: s, $secret: true } }"),
      secrets: ["hdr-Zk-1"]),
    Way(
      name: "a captured cookie", capture: login("cookies: { sid: { $as: s, $secret: true } }"),
      secrets: ["cookie-Zk-1"]),
    Way(
      name: "a captured state",
      capture: "expect: { held: { a: { $as: s, $secret: true } } }", secrets: ["held-Zk-1"]),
  ]

  private static func login(_ expected: String) -> String {
    "request: { endpoint: api, post: /login, expect: { \(expected) } }"
  }

  private static func scenario(_ way: Way, _ last: String) -> String {
    """
    scenario: A way of a secret
    \(way.declaration)
    endpoints:
      api:
        http:
          - post: /login
            respond:
              headers: { X-Token: hdr-Zk-1, Set-Cookie: sid=cookie-Zk-1 }
              json: { token: tok/Zk-1, pin: 90471177 }
          - post: /echo
            respond: { json: { body: "${request.json}", query: "${request.query}" } }
    graph: { held: none, kept: none, keyed: { stored: {} } }
    streams: { out: { subject: "" } }
    steps:
      - ignore: [keyed, api, out]
      - set: { held: { a: held-Zk-1 } }
      - \(way.capture)
      - ignore: held
      - set: { kept: "${\(way.reads)}" }
      - expect: { kept: { $any: true } }
      - set: { keyed: { "k ${string(kept)}": 1 } }
      - send: { out: ["${kept}", "say ${string(kept)}"] }
      - request:
          endpoint: api
          post: /echo
          query: { q: "${string(kept)}" }
          headers: { X-Key: '${string(kept).replace("\\n", " ")}' }
          auth: { basic: { user: ann, password: "${string(kept)}" } }
          json: ["${kept}", "say ${string(kept)}"]
          expect: { status: 200 }
      - \(last)

    """
  }

  private static let endings = [
    "snapshot: { name: all, of: '[kept, keyed, held]' }", "check: kept == [1] || keyed == {}",
    "request: { endpoint: api, post: '/${string(kept)}', json: '${kept}' }",
    "expect: { kept: 1 }", "check: int(string(kept) + 'x') == 1",
  ]

  @Test(arguments: ways)
  func `a secret is in nothing that a run shows or writes`(way: Way) throws {
    for ending in Self.endings {
      let folder = try TemporaryFolder()
      let isWritten = folder.write("w.scenario.yaml", Self.scenario(way, ending))
      try #require(isWritten)
      let run = "run w.scenario.yaml --update"
      let files = "--format human --format json=r.json --format junit=r.xml"
      try say("validate w.scenario.yaml --format json", way, in: folder)
      try say("\(run) -v \(files) --log l.jsonl --record", way, in: folder)
      let formats = "--format human --format json=j.json"
      try say("judge w.scenario.yaml traces -v \(formats)", way, in: folder)
      let written = filePaths(below: folder.path).filter { !$0.hasSuffix("w.scenario.yaml") }
      #expect(written.count > 3)
      for path in written {
        expectNoSecret(of: way, in: fileText(path) ?? "", path)
        expectNoSecret(of: way, in: path, "a file's name")
      }
    }
  }

  private func say(_ line: String, _ way: Way, in folder: TemporaryFolder) throws {
    let text =
      "cd '\(folder.path)' && REHEARSE_ZK=env-Zk-771 exec '\(SpawnedCommand.built("rehearse"))' "
      + line
    let command = try #require(SpawnedCommand(["-c", text], program: "bash"))
    let code = command.exitCode()
    #expect(code == 0 || code == 1)
    expectNoSecret(of: way, in: command.said, line)
  }

  private func expectNoSecret(of way: Way, in text: String, _ place: String) {
    for secret in way.secrets {
      let bytes = Array(secret.utf8)
      let escaped = String(Value.string(secret).json().dropFirst().dropLast())
      let code = Base64.encode(Array("ann:".utf8) + bytes)
      for form in [secret, escaped, code] {
        #expect(!text.contains(form), "\(place) shows \(form)")
      }
    }
  }
}
