import Diagnostics
import Explanations
import Glibc
import ScenarioRuns
import TestKit
import Testing

/// What `rehearse.yaml` gives to commands and scenarios, as a shell runs them.
@Suite struct ConfigurationTests {
  private static let login = """
    endpoints:
      api:
        http:
          - { post: /login, respond: { json: { token: abc123456, user: 7 } } }
          - { get: /me, respond: { json: "${request.headers.authorization}" } }
    setup:
      - request:
          endpoint: api
          post: /login
          expect: { json: { token: { $as: token, $secret: true }, user: { $as: user } } }

    """
  private static let uses = """
    scenario: The token is sent
    steps:
      - request:
          endpoint: api
          get: /me
          headers: { Authorization: "Bearer ${token}" }
          expect: { json: "Bearer ${token}" }
      - check: user + 1 == 8

    """

  private func run(
    _ options: String, in folder: TemporaryFolder
  ) throws -> (said: String, code: Int32?) {
    let line = "cd '\(folder.path)' && '\(SpawnedCommand.built("rehearse"))' \(options)"
    let command = try #require(SpawnedCommand(["-c", line], program: "bash"))
    let code = command.exitCode()
    return (command.said, code)
  }

  private func suite(_ files: [String: String]) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    for (name, text) in files {
      let parent = folder.file(name).split(separator: "/").dropLast().joined(separator: "/")
      #expect(system("mkdir -p '/\(parent)'") == 0)
      #expect(folder.write(name, text))
    }
    return folder
  }

  @Test func `the nearest file wins, a scenario over files, the command line over all`() throws {
    let folder = try suite([
      "rehearse.yaml": "paths: [in]\nvars: { a: 1, b: 1, c: 1, d: 1 }\n",
      "in/rehearse.yaml": "vars: { b: 2, c: 2, d: 2 }\n",
      "in/a.scenario.yaml": """
      scenario: A
      vars: { c: 3, d: 3 }
      steps: [{ check: a == 1 && b == 2 && c == 3 && d == 4 }]

      """,
    ])
    let ran = try run("run --var d=4", in: folder)
    #expect(ran.said.contains("1 passed") && ran.code == 0, "\(ran.said)")
  }

  private static let environments = [
    "rehearse.yaml": """
    vars: { user: ann, token: { value: s3cr3t-of-ann, secret: true } }
    endpoints: { api: { http: [{ get: /me, respond: { json: "${user}" } }] } }
    environments:
      staging:
        vars: { user: bob, token: t0ken-of-bob }
        endpoints: { api: { url: "http://127.0.0.1:1" } }
      local: { vars: { user: eve }, tags: [nothing] }

    """,
    "a.scenario.yaml": """
    scenario: Who is it
    steps:
      - { request: { endpoint: api, get: /me, expect: { json: bob } } }
      - check: token == user

    """,
  ]

  @Test func `an environment takes precedence over its file, and the command repeats it`() throws {
    let folder = try suite(Self.environments)
    let staging = try run("run . --env staging", in: folder)
    // The mock of the file stays, and a variable that is secret there is secret here.
    #expect(staging.said.contains("check: token == user") && staging.code == 1, "\(staging.said)")
    #expect(staging.said.contains("--env staging") && !staging.said.contains("t0ken-of-bob"))
    #expect(try run("run . --env local", in: folder).said.contains("no scenario"))
    let shown = try run("config --env staging", in: folder).said
    #expect(shown.contains("rehearse.yaml:5") && !shown.contains("t0ken-of-bob"), "\(shown)")
    for verb in ["run", "serve", "config", "sweep"] {
      let ran = try run("\(verb) . --env stagging", in: folder)
      #expect(ran.said.contains("unknown-environment") && ran.code == 2, "\(verb): \(ran.said)")
      #expect(ran.said.contains("did you mean `--env staging`?"), "\(verb): \(ran.said)")
    }
    #expect(try run("run . --env h=a", in: folder).said.contains("is set by `--var h=a`"))
  }

  @Test(arguments: [("vars: { a: \"${nobody}\" }", "nobody"), ("endpoint: {}", "endpoints")])
  func `a mistake in an environment is found without choosing it`(
    environment: String, word: String
  ) throws {
    let folder = try suite(["rehearse.yaml": "environments: { b: { \(environment) } }\n"])
    let ran = try run("validate .", in: folder)
    #expect(ran.said.contains("`\(word)`") && ran.code == 2, "\(ran.said)")
  }

  @Test func `paths, tags, limits and reports hold unless the command line has its own`() throws {
    let folder = try suite([
      "rehearse.yaml": """
      paths: [a.scenario.yaml]
      tags: ["!slow"]
      limits: { retries: 2, jobs: 1 }
      reports: { json: build/deep/out.json }

      """,
      "a.scenario.yaml": """
      scenario: Fails
      steps: [{ check: 1 == 2 }]
      ---
      scenario: Slow
      tags: [slow]
      steps: [{ check: 1 == 1 }]

      """,
    ])
    let configured = try run("run", in: folder)
    #expect(configured.said.contains("0 passed, 1 failed") && configured.code == 1)
    #expect(configured.said.contains("failed 3 times alike"))
    #expect(folder.text("build/deep/out.json") != nil)
    let given = try run("run --tag slow --retries 0 --format json=other.json", in: folder)
    #expect(given.said.contains("1 passed") && given.code == 0)
    #expect(folder.text("other.json") != nil)
    #expect(
      try run("list", in: folder).said
        == "a.scenario.yaml:1  Fails\n1 left out by rehearse.yaml\n")
  }

  @Test func `a path that does not exist has the place that names it`() throws {
    let folder = try suite(["rehearse.yaml": "timeout: 1s\npaths: [tests/scenarioz]\n"])
    let ran = try run("run", in: folder)
    #expect(ran.said.contains("there is no file or folder `tests/scenarioz`") && ran.code == 2)
    #expect(ran.said.contains("`rehearse.yaml:2` names it under `paths`"), "\(ran.said)")
  }

  @Test func `a mistake is reported once, with its place and the nearest name`() throws {
    let folder = try suite([
      "rehearse.yaml": "vars: { a: 1 }\nendpoint: {}\n",
      "in/rehearse.yaml": "setup: [{ check: nothing == 1 }]\n",
      "in/a.scenario.yaml": "scenario: A\nsteps: [{ check: a == 1 }]\n",
      "in/b.scenario.yaml": "scenario: B\nsteps: [{ check: a == 1 }]\n",
    ])
    for verb in ["run", "validate", "list", "serve", "config"] {
      let ran = try run("\(verb) in", in: folder)
      #expect(ran.code == 2, "\(verb)")
      #expect(ran.said.occurrences(of: "error[") == 1, "\(verb): \(ran.said)")
      #expect(ran.said.contains(" --> rehearse.yaml:2:1\n") && ran.said.contains("`endpoints`"))
    }
  }

  @Test func `the search ends at the repository, or at the folder of the command`() throws {
    let folder = try suite([
      "rehearse.yaml": "vars: { a: 1 }\n",
      "repository/.git/HEAD": "",
      "repository/in/a.scenario.yaml": "scenario: A\nsteps: [{ check: a == 1 }]\n",
      "plain/b.scenario.yaml": "scenario: B\nsteps: [{ check: a == 1 }]\n",
    ])
    #expect(try run("run repository/in", in: folder).code == 2)
    #expect(try run("run plain", in: folder).code == 0)
    #expect(try run("run '\(folder.path)/plain'", in: folder).code == 0)
    #expect(
      try run("validate; cd plain; \(SpawnedCommand.built("rehearse")) run .", in: folder).code == 2
    )
  }

  @Test func `a set-up obeys the options of the run`() throws {
    let folder = try suite([
      "rehearse.yaml": """
      endpoints: { api: { http: [{ get: /, respond: { text: "a\\nb\\nc\\nd" } }] } }
      setup: [{ request: { endpoint: api, get: /, expect: { status: 201 } } }]

      """,
      "a.scenario.yaml": "scenario: A\nsteps: [{ wait: 1s }]\n",
    ])
    #expect(!(try run("run .", in: folder).said.contains("more lines")))
    #expect(try run("run . --answer-lines 1", in: folder).said.contains("… 3 more lines"))
  }

  @Test func `a set-up runs once, and what it captures has a name in the scenarios below`() throws {
    let folder = try suite([
      "in/rehearse.yaml": Self.login, "in/a.scenario.yaml": Self.uses,
      "in/b.scenario.yaml": Self.uses, "c.scenario.yaml": "scenario: C\nsteps: [{ wait: 1s }]\n",
    ])
    #expect(try run("validate in", in: folder).said == "2 valid scenarios in 2 files\n")
    let ran = try run("run . -v", in: folder)
    #expect(ran.code == 0 && ran.said.contains("4 passed"), "\(ran.said)")
    #expect(ran.said.occurrences(of: "in/rehearse.yaml:6  set-up") == 1)
    #expect(!ran.said.contains("abc123456"))
    #expect(try run("run c.scenario.yaml -v", in: folder).said.occurrences(of: "set-up") == 0)
    let wrong = Self.uses.replacingFirst("user + 1", with: "usr + 1")
    #expect(folder.write("in/b.scenario.yaml", wrong))
    #expect(try run("validate in", in: folder).said.contains("did you mean `user`?"))
  }

  @Test func `a set-up inside sees what the one around it captures`() throws {
    let folder = try suite([
      "rehearse.yaml": Self.login,
      "in/rehearse.yaml": """
      setup:
        - request: { endpoint: api, get: /me, expect: { json: { $as: whole } } }
        - check: token == 'abc123456'

      """,
      "in/a.scenario.yaml": "scenario: A\nsteps: [{ check: whole == '' && user == 7 }]\n",
    ])
    let ran = try run("run in -v", in: folder)
    #expect(ran.code == 1 && ran.said.contains("in/rehearse.yaml:1  set-up"), "\(ran.said)")
    #expect(
      ran.said.contains("skip in/a.scenario.yaml:1  A: the set-up of `in/rehearse.yaml` has failed")
    )
  }

  @Test func `a set-up that fails fails the run, and its scenarios say why they did not run`()
    throws
  {
    let wrong = Self.login.replacingFirst("expect: { json", with: "expect: { status: 500, json")
    let folder = try suite([
      "in/rehearse.yaml": wrong, "in/a.scenario.yaml": Self.uses,
      "b.scenario.yaml": "scenario: B\nsteps: [{ wait: 1s }]\n",
    ])
    let ran = try run("run . -v --format json=out.json", in: folder)
    #expect(ran.code == 1)
    #expect(ran.said.contains("1 passed, 1 failed, 1 skipped"), "\(ran.said)")
    #expect(ran.said.contains("the set-up of `in/rehearse.yaml` has failed"))
    #expect(try run("run . --failed", in: folder).said.contains("1 passed, 1 failed, 1 skipped"))
    #expect(try run("run in --fail-fast", in: folder).said.contains("1 file was not read"))
  }

  @Test func `a set-up that does not capture a name fails`() throws {
    let page = try #require(
      diagnosticPages(on: .configurations).first { $0.id == "setup-without-capture" })
    let folder = try suite([
      "rehearse.yaml": page.wrong + "\n",
      "a.scenario.yaml": "scenario: A\nsteps: [{ check: me == 7 }]\n",
    ])
    let ran = try run("run .", in: folder)
    #expect(ran.code == 1 && ran.said.contains("error[setup-without-capture]"), "\(ran.said)")
    #expect(folder.write("rehearse.yaml", page.right + "\n"))
    #expect(try run("run .", in: folder).code == 0)
  }

  @Test func `the right example of a page is a configuration, the wrong one is refused`() throws {
    for page in diagnosticPages(on: .configurations) {
      let right = loadScenarios(SourceFile(path: "rehearse.yaml", text: page.right))
      #expect(right.diagnostics == [], "\(page.id)")
      let wrong = loadScenarios(SourceFile(path: "rehearse.yaml", text: page.wrong))
      #expect(wrong.diagnostics.allSatisfy { $0.id == page.id })
    }
  }

  @Test(arguments: ["", "# later\n"])
  func `an empty file gives nothing`(text: String) {
    #expect(loadScenarios(SourceFile(path: "rehearse.yaml", text: text)).diagnostics == [])
  }

  @Test func `the examples of the page about suites are right and pass`() throws {
    var files: [String: String] = [:]
    for block in (fileText("docs/suites.md") ?? "").split(separator: "\n\n```yaml\n").dropFirst() {
      files["\(files.count)"] = String(block.split(separator: "\n```")[0]) + "\n"
    }
    let page = (fileText("docs/suites.md") ?? "").split(separator: "\n")
    let names = page.filter { $0.hasPrefix("`") && $0.hasSuffix("`:") }.map {
      String($0.dropFirst().dropLast(2))
    }
    #expect(names.count == 6 && files.count == 6)
    let named = names.enumerated().map { ($0.element, files["\($0.offset)"] ?? "") }
    let folder = try suite(Dictionary(uniqueKeysWithValues: named))
    #expect(system("mkdir '\(folder.path)/build'") == 0)
    let ran = try run("run . -v", in: folder)
    #expect(ran.code == 0 && ran.said.contains("4 passed"), "\(ran.said)")
    #expect(try run("validate", in: folder).said == "1 valid scenario in 1 file\n")
  }

  @Test func `log and reports with set-ups are the same with any number of jobs`() throws {
    var files = [
      "rehearse.yaml": Self.login, "in/rehearse.yaml": "setup: [{ check: user == 7 }]\n",
    ]
    for number in 1...9 {
      files["in/\(number).scenario.yaml"] = Self.uses
      files["\(number).scenario.yaml"] = Self.uses
    }
    let folder = try suite(files)
    let options = "--no-wall-times -v --format json=r"
    for jobs in [1, 4] {
      #expect(
        try run("run . --jobs \(jobs) --log l\(jobs) \(options)\(jobs)", in: folder).code == 0)
    }
    #expect(folder.text("l1") != nil && folder.text("l1") == folder.text("l4"))
    #expect(folder.text("r1") == folder.text("r4"))
  }

  @Test func `traces of a set-up and of its scenarios are replayed without running it`() throws {
    let folder = try suite(["rehearse.yaml": Self.login, "a.scenario.yaml": Self.uses])
    #expect(try run("run . --record", in: folder).code == 0)
    let traces = ["a.the-token-is-sent", "rehearse.set-up"].map { "traces/\($0).trace.jsonl" }
    for trace in traces {
      #expect(folder.text(trace)?.contains("abc123456") == false)
      let replayed = try run("replay \(trace)", in: folder)
      #expect(replayed.code == 0, "\(replayed.said)")
    }
  }

  @Test func `default endpoints and variables that a scenario does not name are not there`() throws
  {
    let folder = try suite([
      "rehearse.yaml": """
      vars: { unset: "${env.NOT_SET_ANYWHERE}", base: "${unset}/x" }
      endpoints: { api: { url: "${base}" }, other: { http: [{ get: /, respond: {} }] } }

      """,
      "a.scenario.yaml": """
      scenario: A
      graph: { other: 1 }
      steps: [{ check: other == 1 }]

      """,
    ])
    #expect(try run("run . --strict", in: folder).code == 0)
    let naming = "scenario: B\nsteps: [{ request: { endpoint: api, get: / } }]\n"
    #expect(folder.write("b.scenario.yaml", naming))
    let ran = try run("run b.scenario.yaml", in: folder)
    #expect(ran.code == 2 && ran.said.contains("no variable `NOT_SET_ANYWHERE`"), "\(ran.said)")
  }

  @Test(arguments: [false, true])
  func `parts of a suite each run the set-up, and their merged report has it once`(
    fails: Bool
  ) throws {
    let wrong = Self.login.replacingFirst("expect: { json", with: "expect: { status: 500, json")
    var files = ["rehearse.yaml": fails ? wrong : Self.login]
    for number in 1...9 { files["\(number).scenario.yaml"] = Self.uses }
    let folder = try suite(files)
    for part in 1...2 {
      let ran = try run("run . --shard \(part)/2 --format ndjson=\(part).ndjson -v", in: folder)
      #expect(ran.said.occurrences(of: "rehearse.yaml:6  set-up") == 1, "\(ran.said)")
    }
    let merged = try run("report merge 1.ndjson 2.ndjson", in: folder)
    let counts = fails ? "0 passed, 1 failed, 9 skipped" : "10 passed"
    #expect(merged.said.contains(counts) && merged.code == (fails ? 1 : 0), "\(merged.said)")
  }

  @Test func `config shows each value with its place, and no secret`() throws {
    let folder = try suite([
      "rehearse.yaml": """
      limits: { jobs: 3 }
      vars:
        key: { value: hidden-value, secret: true }
        url: http://user:hidden-value@host

      """,
      "in/rehearse.yaml": "timeout: 1s\nlimits: { jobs: 9 }\n",
    ])
    let shown = try run("config in --retries 4 --var key=other-value", in: folder).said
    let lines = shown.split(separator: "\n").map { $0.split(separator: " ").joined(separator: " ") }
    #expect(lines.contains("limits.jobs rehearse.yaml:1 3"), "\(shown)")
    #expect(lines.contains("limits.retries --retries 4"))
    #expect(lines.contains("timeout in/rehearse.yaml:1 1s"))
    #expect(lines.contains("seed default 1"))
    #expect(lines.contains("vars.key --var ***"))
    #expect(!shown.contains("hidden-value") && !shown.contains("other-value"))
    let json = try run("config --format json", in: folder).said
    #expect(json.contains("\"path\": \"rehearse.yaml\"") && !json.contains("hidden-value"))
    #expect(try run("config none", in: folder).code == 2)
  }

  @Test func `what a set-up has reached is covered, and what it leaves is for the scenarios`()
    throws
  {
    let folder = try suite(["rehearse.yaml": Self.login, "a.scenario.yaml": Self.uses])
    let ran = try run("run . -v --coverage", in: folder).said
    #expect(ran.contains("coverage: 2 of 2 routes") && !ran.contains("never exercised"), "\(ran)")
  }

  @Test func `a scenario is served after its set-up`() throws {
    let folder = try suite(["rehearse.yaml": Self.login, "a.scenario.yaml": Self.uses])
    let served = try run("serve a.scenario.yaml", in: folder)
    #expect(served.code == 0 && served.said.contains("\npassed  The token is sent"))
  }
}

extension String {
  fileprivate func occurrences(of text: String) -> Int { ranges(of: text).count }
}
