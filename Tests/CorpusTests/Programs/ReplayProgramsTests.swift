import ScenarioRuns
import TestKit
import Testing

/// Runs with programs, recorded by the command and replayed without the programs.
@Suite struct ReplayProgramsTests {
  private static let programFiles = Corpus.passing.filter { $0.hasPrefix("scenarios/programs/") }

  @Test(arguments: programFiles)
  func `what real programs did is replayed without them, and without a divergence`(
    path: String
  ) throws {
    let recording = try Recording(of: path)
    let replayed = try recording.replay()
    #expect(replayed.code == 0, "\(replayed.said)\n\(recording.said)")
    #expect(!recording.wasRun || replayed.said.contains("passed"), "\(replayed.said)")
  }

  @Test(arguments: [
    (
      "shell", "{ counter: two }", "{ counter: tow }",
      [
        "our side wrote something else to `counter` than in the trace",
        "recorded  event ", "stdin \"two\"", "stdin \"tow\"", "class     wrote something else",
      ]
    ),
    (
      "shell", "  - send: { counter: two }\n", "",
      ["a line to `counter` was not written", "recorded  event "]
    ),
    (
      "shell", "  - send: { counter: fail }\n", "",
      ["a line to `counter` was not written", "class     missing"]
    ),
    (
      "08-program", "ask: Say hello", "ask: Say more",
      ["differs   ask: recorded \"Say hello\", now \"Say more\""]
    ),
    (
      "08-program", "  - terminate: client\n", "  - wait: 1ms\n",
      ["`client` was sent no signal", "class     missing"]
    ),
    (
      "08-program", "delta: lo", "delta: low",
      ["`llm` has another value than in the trace", "now       at "]
    ),
    ("server", "name: Ann } }", "name: Bob } }", ["`users` has another value than in the trace"]),
    (
      "server", "get: /todos\n", "get: /other\n",
      ["the trace has no answer of `todos` to `GET /other`"]
    ),
    ("python-client", "- network: offline", "- wait: 1ms", ["class     "]),
  ])
  func `a scenario that does something else to a program diverges by name`(
    name: String, old: String, new: String, said: [String]
  ) throws {
    let recording = try Recording(of: "scenarios/programs/\(name).scenario.yaml")
    try recording.change(old, to: new)
    let replayed = try recording.replay()
    #expect(!recording.wasRun || replayed.code == 1, "\(replayed.said)")
    for text in said where recording.wasRun {
      #expect(replayed.said.contains(text), "\(replayed.said)")
    }
  }

  @Test(arguments: HostileProgramTests.cases)
  func `a program that comes to a bad end comes to the same end in a replay`(
    example: HostileProgramTests.Case
  ) throws {
    let recording = try Recording(example.scenario)
    let replayed = try recording.replay()
    #expect(!replayed.said.contains("DIVERGED"), "\(replayed.said)\n\(recording.trace)")
    #expect(replayed.code == (example.failure == nil ? 0 : 1), "\(replayed.said)")
    if let failure = example.failure {
      #expect(replayed.said.contains("error[\(failure)]"), "\(replayed.said)\n\(recording.trace)")
    }
  }

  @Test(arguments: ProgramLineTests.conditions)
  func `what the network did to a program is not done twice in a replay`(
    condition: String, line: String
  ) throws {
    let recording = try Recording(ProgramLineTests.scenario(condition, line))
    let replayed = try recording.replay()
    #expect(replayed.code == 0, "\(replayed.said)\n\(recording.trace)")
  }

  private static let mixed = """
    scenario: Clients of both sides
    vars: { token: { value: s3cr3t-value, secret: true } }
    endpoints:
      api:
        state: { calls: 0 }
        http:
          - { get: /fast, respond: { text: fast } }
          - { get: /slow, respond: { text: slow, after: 80ms } }
      room:
        websocket:
          - accept: { path: /room }
            script: [{ receive: hello }, { send: welcome }, { wait: forever }]
    connections: { chat: { websocket: { endpoint: room, path: /room } } }
    programs:
      p:
        run:
          - bash
          - -c
          - |
            while read -r path; do
              exec 3<>/dev/tcp/127.0.0.1/$PORT
              printf 'GET %s HTTP/1.1\\r\\nHost: api\\r\\nConnection: close\\r\\n\\r\\n' "$path" >&3
              echo "{\\"source\\": \\"answer\\", \\"value\\": \\"$(tail -n 1 <&3)\\"}"
              exec 3<&-
            done
            printf 'bye\\r\\r\\n\\377\\n' >&2
        env: { PORT: "${api.url.split(':')[2]}" }
        sources: { answer: {} }
    steps:
      - connect: chat
      - request: { endpoint: api, get: /slow, expect: { text: slow } }
      - send: { p: /slow }
      - expect: [{ api: { get: /slow } }, { p.answer: slow }]
      - send: { chat: hello }
      - expect: [{ room: { get: /room } }, { room: { message: hello } }, { chat: welcome }]
      - network: { latency: 30ms }
      - send: { p: /fast }
      - expect: [{ api: { get: /fast } }, { p.answer: fast }]
      - request: { endpoint: api, get: /fast, expect: { text: fast } }
      - send: { p: "/fast?${token}&${p.port}&${api.webSocket}" }
      - expect: [{ api: { get: /fast } }, { p.answer: fast }]
    finally:
      - terminate: p
      - expect: { p.exit: TERM }

    """

  @Test func `own clients beside a program, secrets, ports and addresses are replayed`() throws {
    let recording = try Recording(Self.mixed)
    #expect(recording.said.contains("1 passed"), "\(recording.said)")
    #expect(recording.trace.contains("\"own\":true"))
    #expect(!recording.trace.contains("s3cr3t"))
    let replayed = try recording.replay()
    #expect(replayed.code == 0, "\(replayed.said)\n\(recording.trace)")
  }

  @Test func `a trace that was cut while a program ran is replayed up to its end`() throws {
    let recording = try Recording(of: "scenarios/programs/shell.scenario.yaml")
    try recording.cut(before: "\"value\":\"fail\"")
    #expect(try recording.replay().said.contains("error[trace-cut]"))
    let allowed = try recording.replay(["--allow-cut"])
    #expect(allowed.code == 0, "\(allowed.said)")
  }

  @Test func `an updated trace keeps what the program did, and is replayed`() throws {
    let recording = try Recording(of: "scenarios/programs/shell.scenario.yaml")
    try recording.change("{ counter: two }", to: "{ counter: tow }")
    let updated = try recording.replay(["--update=force"])
    #expect(updated.code == 0, "\(updated.said)")
    #expect(recording.trace.contains("\"value\":\"tow\""))
    let replayed = try recording.replay()
    #expect(replayed.code == 0, "\(replayed.said)\n\(recording.trace)")
  }

  @Test func `a line that has a file of its own is replayed, and missed without it`() throws {
    let recording = try Recording(
      """
      scenario: A long line
      programs: { p: { run: [sh, -c, "head -c 70000 /dev/zero | tr '\\\\0' x; echo"] } }
      steps: [{ expect: { p: { $regex: "^x+$" } } }]

      """)
    #expect(try recording.replay().code == 0, "\(recording.said)")
    try recording.changeTrace("\"$body\":\"", to: "\"$body\":\"0")
    let replayed = try recording.replay()
    #expect(replayed.code == 2, "\(replayed.said)")
  }

  @Test func `the end of a program that was never ready is that of the recording`() throws {
    let recording = try Recording(
      """
      scenario: A program that cannot begin
      programs: { p: { run: [sh, -c, "exit 7"], ready: { line: up } } }
      steps: [{ wait: 1ms }]

      """)
    let replayed = try recording.replay()
    #expect(replayed.said.contains("`p` exited with code 7 before"), "\(replayed.said)")
  }

  @Test func `a report line that the scenario gives to another source is a divergence`() throws {
    let recording = try Recording(
      """
      scenario: A report
      programs:
        p: { run: [echo, '{"source": "count", "value": 1}'], sources: { count: {} } }
      steps: [{ eventually: "p.count == 1" }, { wait: 100ms }]

      """)
    #expect(try recording.replay().code == 0, "\(recording.said)")
    try recording.change("sources: { count: {} }", to: "sources: { counts: { initial: 1 } }")
    try recording.change("p.count == 1", to: "p.counts == 1")
    let replayed = try recording.replay()
    #expect(replayed.code == 1, "\(replayed.said)")
    #expect(replayed.said.contains("replay-diverged"), "\(replayed.said)")
  }

  @Test func `a trace of an older version does not say what programs did`() throws {
    let recording = try Recording(of: "scenarios/programs/shell.scenario.yaml")
    try recording.changeTrace("\"programs\":[\"counter\"],", to: "")
    let replayed = try recording.replay()
    #expect(replayed.code == 2, "\(replayed.said)")
    #expect(replayed.said.contains("error[replay-of-programs]"), "\(replayed.said)")
  }
}

/// A scenario with programs that the command has recorded, with its files in a folder of its own.
private final class Recording {
  private let folder: TemporaryFolder
  /// What the command wrote while it recorded.
  let said: String

  /// Copies a scenario of the corpus with the programs beside it, and records it.
  convenience init(of path: String) throws {
    let text = try #require(fileText(path))
    try self.init(text, beside: filePaths(below: "scenarios/programs"))
  }

  init(_ scenario: String, beside programs: [String] = []) throws {
    folder = try TemporaryFolder()
    for program in programs {
      let name = program.split(separator: "/").last.map(String.init) ?? program
      #expect(folder.write(name, fileText(program) ?? ""))
    }
    #expect(folder.write("recorded.scenario.yaml", scenario))
    let command = try #require(
      SpawnedCommand(
        [
          "run", folder.file("recorded.scenario.yaml"), "--record=" + folder.file("traces"),
        ], patience: 60_000_000))
    _ = command.exitCode()
    said = command.said
  }

  /// False if the machine lacks what the scenario requires.
  var wasRun: Bool { !traces.isEmpty }

  /// The text of all traces.
  var trace: String { traces.compactMap(fileText).joined() }

  private var traces: [String] {
    filePaths(below: folder.file("traces")).filter { $0.hasSuffix(".trace.jsonl") }
  }

  func change(_ old: String, to new: String) throws {
    let text = try #require(folder.text("recorded.scenario.yaml"))
    #expect(text.contains(old))
    #expect(folder.write("recorded.scenario.yaml", text.replacing(old, with: new)))
  }

  func changeTrace(_ old: String, to new: String) throws {
    let path = try #require(traces.first)
    let text = try #require(fileText(path))
    #expect(text.contains(old))
    #expect(writeFile(path, text.replacing(old, with: new)) == nil)
  }

  /// Leaves out the line that contains a text, and all behind it.
  func cut(before text: String) throws {
    let path = try #require(traces.first)
    let lines = try #require(fileText(path)).split(separator: "\n").prefix { !$0.contains(text) }
    #expect(writeFile(path, lines.joined(separator: "\n") + "\n") == nil)
  }

  /// Replays the traces where no program of the scenario would be found.
  func replay(_ options: [String] = []) throws -> (code: Int32?, said: String) {
    let replay = ["replay", folder.file("traces"), "-v"] + options
    let arguments = ["PATH=/nowhere", SpawnedCommand.built("rehearse")] + replay
    let command = try #require(
      SpawnedCommand(arguments, program: "/usr/bin/env", patience: 60_000_000))
    let code = command.exitCode()
    return (code, command.said)
  }
}
