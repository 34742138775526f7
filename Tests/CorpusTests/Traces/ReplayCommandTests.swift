import Glibc
import ScenarioRuns
import TestKit
import Testing
import Traces
import Values

/// `rehearse replay` as a shell runs it, and what it says of a trace that was altered.
@Suite struct ReplayCommandTests {
  private static let scenario = "scenarios/reactors/cat-facts.scenario.yaml"
  private static let trace =
    "scenarios/traces/cat-facts.cat-facts-fail-once-then-load.trace.jsonl"

  /// A change of the trace: the line with a number, and what stands in its place.
  struct Alteration: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var lines: [Int: String]
    var replaced: (old: String, new: String)?

    init(_ name: String, _ lines: [Int: String], _ replaced: (String, String)? = nil) {
      testDescription = name
      self.lines = lines
      self.replaced = replaced
    }
  }

  private static let alterations = [
    Alteration(
      "another value", [:], ("Unavailable\",\"status\":503", "Unavailable\",\"status\":504")),
    Alteration(
      "an input that came earlier", [:],
      ("\"us\":400000,\"kind\":\"response\"", "\"us\":300000,\"kind\":\"response\"")),
    Alteration("an event that was not recorded", [18: ""]),
    Alteration(
      "an event that was recorded alone",
      [18: "{\"us\":400000,\"source\":\"catFacts.hidePrivate\",\"value\":false}\n{line}"]),
    Alteration("two events in another order", [2: "{line 7}", 7: "{line 2}"]),
    Alteration("another path", [:], ("\"path\":\"/fact\"", "\"path\":\"/facts\"")),
    Alteration("a request without its answer", [11: "", 14: ""]),
    Alteration("an input that nothing takes", [18: "{line 6}\n{line}"]),
    Alteration("a request that was not recorded", [11: ""]),
    Alteration("an answer that was not recorded", [14: ""]),
  ]

  @Test func `each divergence is named in one screen`() throws {
    var made = ""
    for alteration in Self.alterations {
      let (code, said) = try replay(altered(alteration))
      #expect(code == 1, "\(alteration.testDescription): \(said)")
      made += "=== \(alteration.testDescription)\n\(said)\n"
    }
    let path = "scenarios/traces/divergences.expected"
    #expect(goldenText(path, made: made) == made, "run the tests once with UPDATE_EXPECTED=1")
  }

  @Test func `a variable of the command line is sent again as it was written`() throws {
    let folder = try TemporaryFolder()
    let scenario = """
      scenario: A form
      vars: { zip: 1, on: false }
      cases: [{ id: a, part: 1 }]
      endpoints: { api: { http: [{ post: /, respond: { text: ok } }] } }
      steps:
        - request:
            endpoint: api
            post: /
            form: { zip: "${zip}", on: "${on}", part: "${part}", sum: "${zip + 1}" }

      """
    #expect(folder.write("a.scenario.yaml", scenario))
    let run = try #require(
      SpawnedCommand([
        "run", folder.file("a.scenario.yaml"), "--var", "zip=00501", "--var", "on=True", "--var",
        "part=0x1F", "--record=" + folder.file("t"),
      ]))
    #expect(run.exitCode() == 0, "\(run.said)")
    let trace = try #require(filePaths(below: folder.file("t")).first)
    #expect(fileText(trace)?.contains("zip=00501&on=True&part=0x1F&sum=502") == true)
    let replay = try #require(SpawnedCommand(["replay", trace]))
    #expect(replay.exitCode() == 0, "\(replay.said)")
  }

  @Test(arguments: ["", "  - network: { latency: 100ms }\n"])
  func `a request that no mock matched ends the replay as it ended the run`(
    network: String
  ) throws {
    let folder = try TemporaryFolder()
    let scenario = """
      scenario: A request that no mock answers
      endpoints: { api: { http: [{ get: /a, respond: { json: 1 } }] } }
      providers: { b: { endpoint: api, get: /b } }
      reactors: { r: { state: { b: null }, actions: { go: { steps: [{ load: { b: b } }] } } } }
      steps:
      \(network)  - send: r.go
        - wait: 3s
      """
    try #require(folder.write("a.scenario.yaml", scenario))
    for words in [
      ["run", folder.file("a.scenario.yaml"), "--record=" + folder.file("traces")],
      ["replay", folder.file("traces")],
    ] {
      let command = try #require(SpawnedCommand(words))
      #expect(command.exitCode() == 1, "\(command.said)")
      #expect(command.said.contains("error[unmatched-request]"), "\(command.said)")
      #expect(command.said.contains("the request is for /b, the route /a"), "\(command.said)")
    }
    let command = try #require(SpawnedCommand(["replay", folder.file("traces")]))
    #expect(command.exitCode() == 1)
    #expect(command.said.contains("closest  ../a.scenario.yaml:2:28"), "\(command.said)")
  }

  @Test func `independent events that changed places are a note, and no failure`() throws {
    let (code, said) = try replay(
      altered(Alteration("order", [10: "{line 11}", 11: "{line 10}"])), ["-v"])
    #expect(code == 0, "\(said)")
    #expect(said.contains("warning[replay-order]: only independent events changed places"))
  }

  @Test func `a trace that was cut passes only if that is allowed`() throws {
    let text = try #require(fileText(Self.trace))
    let cut = String(text.prefix(text.utf8.count - 300))
    let refused = try replay(cut)
    #expect(refused.code == 1)
    #expect(refused.said.contains("error[trace-cut]"), "\(refused.said)")
    #expect(try replay(cut, ["--allow-cut"]).code == 0)
    #expect(try replay(cut, ["--update=force"]).said.contains("update-of-cut-trace"))
  }

  @Test func `a trace of a run that was interrupted is a cut one`() throws {
    let text = try #require(fileText(Self.trace))
    let lines =
      text.split(separator: "\n").prefix(12) + [
        #"{"us":0,"kind":"failure","value":{"id":"interrupted"}}"#,
        #"{"us":0,"kind":"verdict","value":{"outcome":"failed"}}"#,
      ]
    let interrupted = lines.map { $0 + "\n" }.joined().replacing(#/"n":[0-9]+,/#, with: "")
    let refused = try replay(interrupted)
    #expect(refused.code == 1 && refused.said.contains("error[trace-cut]"), "\(refused.said)")
    #expect(try replay(interrupted, ["--allow-cut"]).code == 0)
    #expect(try replay(interrupted, ["--update=force"]).said.contains("update-of-cut-trace"))
  }

  @Test func `what a replay says to write works where the scenario is, and an update says no`()
    throws
  {
    let folder = try TemporaryFolder()
    let scenario = "scenario: A\ngraph: { a: 0 }\nsteps: [{ set: { a: 1 } }, { check: a == 1 }]\n"
    #expect(folder.write("a.scenario.yaml", scenario))
    let record = try #require(SpawnedCommand(["run", folder.file("a.scenario.yaml"), "--record"]))
    #expect(record.exitCode() == 0)
    #expect(folder.write("b.scenario.yaml", scenario.replacing("a: 1", with: "a: 2")))
    let moved = ["replay", folder.file("traces"), "--scenario", folder.file("b.scenario.yaml")]
    let replayed = try #require(SpawnedCommand(moved))
    #expect(replayed.exitCode() == 1)
    let accept = "--scenario \(folder.file("b.scenario.yaml")) --update\n"
    #expect(replayed.said.contains(accept), "\(replayed.said)")
    let updated = try #require(SpawnedCommand(moved + ["--update=force"]))
    #expect(updated.exitCode() == 1)
    #expect(updated.said.contains("the trace was not updated"), "\(updated.said)")

    #expect(
      folder.write("b.scenario.yaml", "scenario: B\ngraph: { a: 0 }\nsteps: [{ wait: 1s }]\n"))
    let other = try #require(SpawnedCommand(moved))
    #expect(other.exitCode() == 2)
    #expect(other.said.contains("b.scenario.yaml` has no scenario `A`"), "\(other.said)")
  }

  @Test func `an input whose value cannot be read is an error at its line`() throws {
    let text = try #require(fileText(Self.trace))
    let body = "\"body\":{\"$body\":\"\(String(repeating: "0", count: 64))\",\"bytes\":9}"
    let broken = text.replacing(
      "\"body\":{\"fact\":\"Cats sleep for 70% of their lives\",\"length\":34}", with: body)
    #expect(broken != text)
    let replayed = try replay(broken)
    #expect(replayed.code == 2)
    #expect(replayed.said.contains("error[unreadable-trace-body]"), "\(replayed.said)")
    #expect(replayed.said.contains(".bodies/0000000"), "\(replayed.said)")
  }

  @Test func `an update accepts what is different, and keeps the inputs`() throws {
    let folder = try TemporaryFolder()
    let text = try #require(fileText(Self.trace))
    let isWritten = folder.write("a.trace.jsonl", altered(Self.alterations[0]))
    try #require(isWritten)
    let path = folder.file("a.trace.jsonl")
    let scenario = ["--scenario", packageRoot + "/" + Self.scenario]
    let update = try #require(SpawnedCommand(["replay", path, "--update=force"] + scenario))
    #expect(update.exitCode() == 0, "\(update.said)")
    let again = try #require(SpawnedCommand(["replay", path] + scenario))
    #expect(again.exitCode() == 0, "\(again.said)")
    let kinds = { (text: String) in
      ReadTrace(Array(text.utf8)).runs.flatMap(\.entries).filter { $0.line.from == .server }
        .map(\.line.value)
    }
    guard case .success(let bytes) = readFile(path) else { return }
    #expect(kinds(String(decoding: bytes, as: UTF8.self)) == kinds(text))
  }

  @Test(arguments: [
    (["--until", "11"], Int32(0), "catFacts.fact  \"loading\""),
    (["--until", "99"], 2, "error[no-such-event]"), (["--tag", "none"], 4, "nothing-selected"),
    (["--format", "json"], 0, "\"passed\":1"),
    (["--format", "junit"], 0, "<testcase"),
    (["--scenario", "none.yaml"], 2, "error[trace-without-scenario]"),
    (["-v"], 0, "Cat facts fail once, then load"),
  ])
  func `options choose what is replayed and shown`(
    words: [String], code: Int32, said: String
  ) throws {
    let text = try #require(fileText(Self.trace))
    let replayed = try replay(text, words, withScenario: !words.contains("--scenario"))
    #expect(replayed.code == code, "\(replayed.said)")
    #expect(replayed.said.contains(said), "\(replayed.said)")
  }

  @Test func `the traces of a folder are replayed, and those of other programs left out`() throws {
    let command = try #require(
      SpawnedCommand(["replay", packageRoot + "/scenarios/traces", "--jobs", "2"]))
    #expect(command.exitCode() == 0, "\(command.said)")
  }

  private func altered(_ alteration: Alteration) -> String {
    let lines = (fileText(Self.trace) ?? "").split(separator: "\n").map(String.init)
    var text = ""
    for (number, line) in lines.enumerated() {
      guard var new = alteration.lines[number] else {
        text += line + "\n"
        continue
      }
      new = new.replacing("{line}", with: line)
      for other in lines.indices { new = new.replacing("{line \(other)}", with: lines[other]) }
      if !new.isEmpty { text += new + "\n" }
    }
    if let (old, new) = alteration.replaced { text = text.replacing(old, with: new) }
    // The numbers of the events are those of the lines.
    return text.replacing(#/"n":[0-9]+,/#, with: "")
  }

  private func replay(
    _ text: String, _ words: [String] = [], withScenario: Bool = true
  ) throws -> (code: Int32?, said: String) {
    let folder = try TemporaryFolder()
    let isWritten = folder.write("a.trace.jsonl", text)
    try #require(isWritten)
    let scenario = ["--scenario", packageRoot + "/" + Self.scenario]
    let arguments = ["replay", folder.file("a.trace.jsonl")] + words
    let command = try #require(SpawnedCommand(arguments + (withScenario ? scenario : [])))
    let code = command.exitCode()
    let said = command.said.replacing(folder.file(""), with: "")
      .replacing(packageRoot + "/", with: "")
    return (code, said)
  }
}
