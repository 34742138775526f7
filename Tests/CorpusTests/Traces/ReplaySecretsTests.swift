import ScenarioRuns
import TestKit
import Testing

/// Replays without the secrets of the recorded run, whatever their types.
@Suite struct ReplaySecretsTests {
  @Test func `errors of the scenario of a trace hide its secrets`() throws {
    let folder = try TemporaryFolder()
    let scenario = """
      scenario: A
      vars: { token: { value: hunter2hunter2, secret: true, more: 1 } }
      """
    let isWritten =
      folder.write("a.scenario.yaml", scenario)
      && folder.write(
        "a.trace.jsonl", "{\"trace\":1,\"scenario\":{\"path\":\"a.scenario.yaml\"}}\n")
    try #require(isWritten)
    let command = try #require(SpawnedCommand(["replay", folder.path]))
    #expect(command.exitCode() == 2)
    #expect(command.said.contains("value: ***"), "\(command.said)")
    #expect(!command.said.contains("hunter2"), "\(command.said)")
  }

  private static let scenario = """
    scenario: Secrets of all types
    vars:
      token: { value: "${env.TOKEN}", secret: true }
      pin: { value: "${int(env.PIN)}", secret: true }
      rate: { value: "${double(env.RATE)}", secret: true }
      creds: { value: { user: annabel, level: 31337 }, secret: true }
      codes: { value: [alpha99, 5551212], secret: true }
    endpoints:
      api:
        http:
          - post: /login
            respond: { json: { pin: "${pin}", user: "${creds.user}", zero: 0 } }
          - { get: "/pin/{pin}", respond: { json: { status: 200, zero: 0 } } }
    steps:
      - request:
          endpoint: api
          post: /login
          headers: { X-Pin: "${string(pin)}", Authorization: "Bearer ${token}" }
          json:
            { pin: "${pin}", more: "${pin + 1 > 0}", rate: "${rate}", all: "${creds}" }
          expect: { json: { pin: { $as: got }, user: "${creds.user}", zero: 0 } }
      - request: { endpoint: api, get: "/pin/${got}", expect: { json: { status: 200, zero: 0 } } }
      - check: creds.level > 0 && size(codes) == 2 && rate >= 0.0

    """
  private static let environment = ["TOKEN=s3cr3t-token", "PIN=987654", "RATE=27.18281"]

  @Test func `a trace is replayed without its secrets, whatever their types`() throws {
    let folder = try TemporaryFolder()
    #expect(folder.write("a.yaml", Self.scenario))
    let run = ["run", folder.file("a.yaml"), "--record=" + folder.file("traces")]
    let recording = try #require(
      SpawnedCommand(
        Self.environment + [SpawnedCommand.built("rehearse")] + run, program: "/usr/bin/env"))
    #expect(recording.exitCode() == 0, "\(recording.said)")
    let trace = try #require(folder.text("traces/a.secrets-of-all-types.trace.jsonl"))
    let texts = ["s3cr3t", "987654", "27.18", "annabel", "5551212", "31337"]
    for text in texts { #expect(!trace.contains(text), "\(text) is in \(trace)") }
    let replayed = try #require(
      SpawnedCommand(["replay", folder.file("traces/a.secrets-of-all-types.trace.jsonl")]))
    #expect(replayed.exitCode() == 0, "\(replayed.said)\n\(trace)")
  }
}

/// What is known of a secret where only a trace is read: its name.
@Suite struct UnsetSecretsTests {
  private static let scenario = """
    scenario: A login
    vars: { token: { value: "${env.TOKEN_OF_NOBODY}", secret: true } }
    endpoints:
      api: { http: [{ post: /login, respond: { json: { user: "ann-${token}" } } }] }
    steps:
      - request:
          endpoint: api
          post: /login
          json: { token: "${token}" }
          expect: { json: { user: "ann-${token}" } }

    """

  @Test func `what reads a trace needs no secret of the environment`() throws {
    let folder = try TemporaryFolder()
    #expect(folder.write("a.yaml", Self.scenario))
    let trace = folder.file("traces/a.a-login.trace.jsonl")
    let set = ["TOKEN_OF_NOBODY=s3cr3t-token", SpawnedCommand.built("rehearse")]
    let run = ["run", folder.file("a.yaml"), "--record=" + folder.file("traces")]
    let recording = try #require(SpawnedCommand(set + run, program: "/usr/bin/env"))
    #expect(recording.exitCode() == 0, "\(recording.said)")
    let commands = [
      ["judge", folder.file("a.yaml"), trace], ["replay", trace],
      ["run", folder.file("a.yaml"), "--against", "trace:" + trace],
    ]
    for words in commands {
      let command = try #require(SpawnedCommand(words))
      #expect(command.exitCode() == 0, "\(words): \(command.said)")
    }
    let other = try #require(SpawnedCommand(["run", folder.file("a.yaml")]))
    #expect(other.exitCode() == 2 && other.said.contains("error[unset-environment]"))
  }

  @Test func `an update keeps the lengths of what it accepts, and leaves out those it cannot know`()
    throws
  {
    let folder = try TemporaryFolder()
    let steps = """
        - request: { endpoint: api, get: /a, query: { k: "${token}" }, expect: { status: 200 } }

      """
    let text = Self.scenario.replacing("env.TOKEN_OF_NOBODY", with: "'a-token-of-' + 'nobody'")
      .replacing("{ http: [", with: "{ http: [{ get: /a, respond: { text: \"${token}\" } }, ")
    #expect(folder.write("a.yaml", text + steps))
    let run = ["run", folder.file("a.yaml"), "--record=" + folder.file("traces")]
    try #require(try #require(SpawnedCommand(run)).exitCode() == 0)
    let path = "traces/a.a-login.trace.jsonl"
    let old = try #require(folder.text(path)).split(separator: "\n")
    #expect(
      folder.write("a.yaml", text.replacing("{ token: \"", with: "{ z: 1, token: \"") + steps))
    let update = ["replay", folder.file(path), "--update=force"]
    let updated = try #require(SpawnedCommand(update))
    #expect(updated.exitCode() == 0, "\(updated.said)")
    let new = try #require(folder.text(path)).split(separator: "\n")
    let changed = zip(old, new).filter { $0 != $1 }.map(\.1)
    // The header; the step, its request, what it read and its assertion; and the verdict.
    #expect(changed.count == 6, "\(changed.joined(separator: "\n"))")
    #expect(changed[2].contains("\"z\":1") && !changed[2].contains("content-length"))
  }
}

/// What the number of jobs changes in reports about traces: nothing.
@Suite struct TraceJobsTests {
  @Test func `a replay and a judgement have the same JSON with any number of jobs`() throws {
    let (carts, replays) = (try TemporaryFolder(), try TemporaryFolder())
    let cart = try #require(fileText("scenarios/traces/cart.trace.jsonl"))
    let facts = try #require(
      fileText("scenarios/traces/cat-facts.cat-facts-fail-once-then-load.trace.jsonl"))
    for number in 0..<12 {
      // Some of the traces fail, and one cannot be read.
      let digit = number % 3 == 1 ? "7" : ""
      let lines = number == 7 ? "{" : cart.replacing("\"value\":1", with: "\"value\":1" + digit)
      #expect(carts.write("\(number).trace.jsonl", lines))
      let answer = number % 4 == 2 ? "503" : "500"
      let changed = facts.replacing("\"status\":503", with: "\"status\":" + answer)
      #expect(replays.write("\(number).trace.jsonl", changed))
    }
    let cartScenario = packageRoot + "/scenarios/traces/cart.scenario.yaml"
    let factScenario = packageRoot + "/scenarios/reactors/cat-facts.scenario.yaml"
    for words in [
      ["judge", cartScenario, carts.file("")],
      ["replay", replays.file(""), "--scenario", factScenario],
    ] {
      let reports = try ["1", "4"].map { jobs in
        let command = try #require(SpawnedCommand(words + ["--format", "json", "--jobs", jobs]))
        #expect(command.exitCode() != 0)
        return command.said
      }
      #expect(reports[0] == reports[1])
      #expect(reports[0].contains("\"failed\""), "\(reports[0])")
    }
  }

  /// A trace that leaves its recording at once need not be played to its end.
  @Test func `a replay of a long trace ends soon after the first divergence`() throws {
    let folder = try TemporaryFolder()
    let scenario = """
      scenario: Long
      graph: { count: { stored: 0 } }
      vars: { first: 1 }
      steps:
        - set: { count: "${first}" }
        - repeat: 6000
          steps: [{ set: { count: "${count + 1}" } }, { wait: 1ms }]

      """
    #expect(folder.write("a.yaml", scenario))
    let recording = try #require(
      SpawnedCommand(
        ["run", folder.file("a.yaml"), "--record=" + folder.file("traces")], patience: 60_000_000))
    _ = recording.exitCode()
    let trace = folder.file("traces/a.long.trace.jsonl")
    let changed = try #require(
      SpawnedCommand(["replay", trace, "--var", "first=2"], patience: 60_000_000))
    #expect(changed.exitCode() == 1, "\(changed.said)")
    #expect(changed.said.contains("the replay ended at 5s"), "\(changed.said)")
  }
}
