import Diagnostics
import ScenarioEngine
import ScenarioRuns
import TestKit
import Testing
import Verdicts

/// Programs that do what no scenario wants. Each run comes to its end by itself, and says what was
/// wrong.
@Suite struct HostileProgramTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var name: String
    var run: String
    /// Further keys of the program.
    var keys = "stop: { timeout: 200ms }"
    var steps: String
    /// The failure; nil if the scenario passes.
    var failure: String?
    /// A text that the report holds.
    var text = ""
    var testDescription: String { name }

    var scenario: String {
      """
      scenario: A program
      timeout: 1m  # a busy machine starts programs late
      programs: { p: { run: \(run), \(keys) } }
      steps: \(steps)

      """
    }
  }

  static let cases = [
    Case(
      name: "not installed", run: "[no-such-program-anywhere]", steps: "[{ wait: 1ms }]",
      failure: "program-not-started", text: "no folder of `PATH`"),
    Case(
      name: "mistyped", run: "[slep, '1']", steps: "[{ wait: 1ms }]",
      failure: "program-not-started", text: "did you mean `sleep`?"),
    Case(
      name: "a folder", run: "[/tmp]", steps: "[{ wait: 1ms }]",
      failure: "program-not-started", text: "`/tmp` is a folder"),
    Case(
      name: "not executable", run: "[/etc/passwd]", steps: "[{ wait: 1ms }]",
      failure: "program-not-started", text: "chmod +x"),
    Case(
      name: "no such folder", run: "[cat]", keys: "folder: /no/such/folder",
      steps: "[{ wait: 1ms }]", failure: "program-not-started", text: "there is no folder"),
    Case(
      name: "crashes at once", run: "[sh, -c, 'echo oh no >&2; exit 7']",
      keys: "ready: { line: up }", steps: "[{ wait: 1ms }]", failure: "program-not-ready",
      text: "oh no"),
    Case(
      name: "never ready", run: "[sleep, '1000']", keys: "ready: { line: up, timeout: 100ms }",
      steps: "[{ wait: 1ms }]", failure: "program-not-ready", text: "within 100ms"),
    Case(
      name: "hangs", run: "[sleep, '1000']", steps: "[{ expect: { p: one }, within: 100ms }]",
      failure: "not-in-time", text: "within 100ms"),
    Case(
      name: "ends while it is awaited", run: "[sh, -c, 'echo one; echo why >&2; exit 4']",
      steps: "[{ expect: { p: [one, two] } }]", failure: "nothing-left",
      text: "exited with code 4"),
    Case(
      name: "fails and nobody asks", run: "[sh, -c, 'echo one; exit 4']",
      steps: "[{ expect: { p: one } }, { wait: 300ms }]", failure: "program-failed",
      text: "expect: { p.exit: 4 }"),
    Case(
      name: "fails after its last line", run: "[sh, -c, 'echo one; exec sh -c \"exit 4\"']",
      steps: "[{ expect: { p: one } }]", failure: "program-failed", text: "exited with code 4"),
    Case(
      name: "fails and leaves a process that holds the pipe",
      run: "[sh, -c, 'sleep 1000 & echo one; exit 4']", steps: "[{ expect: { p: one } }]",
      failure: "program-failed", text: "exited with code 4"),
    Case(
      name: "is used after its end", run: "['true']",
      steps: "[{ wait: 300ms }, { send: { p: hello } }]", failure: "program-ended",
      text: "exited with code 0 before this step used it"),
    Case(
      name: "closes its input", run: "[sh, -c, 'exec <&-; echo closed; sleep 1000']",
      steps: "[{ expect: { p: closed } }, { send: { p: hello } }]", failure: "program-input",
      text: "has closed its standard input"),
    Case(
      name: "writes a line of 100 MB", run: "[head, -c, '100000000', /dev/zero]",
      steps: "[{ expect: { p.exit: 0 }, within: 20s }]", failure: "program-line-too-long",
      text: "bytes-in-program-line"),
    Case(
      // Lines of a kilobyte fill the pipe as soon as short ones, with a hundredth of the events.
      name: "writes without end", run: "[sh, -c, 'yes $(seq 300); sleep 1000']",
      steps: "[{ expect: { p: { $startsWith: '1 2 ' } } }, { ignore: [p] }, { wait: 50ms }]"),
    Case(
      name: "ignores SIGTERM",
      run: "[sh, -c, 'trap \"\" TERM; echo up; while true; do sleep 0.1; done']",
      keys: "ready: { line: up }, stop: { timeout: 100ms }",
      steps: "[{ terminate: p }, { expect: { p.exit: KILL } }]"),
    Case(
      name: "waits for input and misses the signal",
      run: "[sh, -c, 'trap \"\" TERM; echo up; cat; exit 3']",
      keys: "ready: { line: up }, stop: { timeout: 2s }",
      steps: "[{ terminate: p }, { expect: { p.exit: 3 } }]"),
    Case(
      name: "leaves a process that holds the pipe", run: "[sh, -c, 'sleep 1000 & echo one']",
      steps: "[{ expect: { p: one, p.exit: 0 } }]"),
    Case(
      name: "writes invalid UTF-8", run: "[printf, 'a\\377b\\n']",
      steps: "[{ expect: { p: '${b\"a\\xffb\"}' } }]"),
    Case(
      name: "ends in the middle of a line", run: "[printf, 'one\\ntwo']",
      steps: "[{ expect: { p: [one, two], p.exit: { code: 0 } } }]"),
  ]

  @Test(arguments: cases)
  func `a program comes to its end, with a reason that a newcomer understands`(example: Case) {
    let (verdict, shown) = run(example.scenario)
    #expect(verdict?.failures.first?.id.rawValue == example.failure, "\(shown)")
    #expect(shown.contains(example.text), "\(shown)")
  }

  @Test func `nobody knows when a program writes, so no help names a time`() {
    let (_, shown) = run(
      """
      scenario: A program that writes nothing
      timeout: 200ms
      programs: { p: { run: [sleep, '1000'] } }
      steps: [{ expect: { p: one } }]

      """)
    #expect(shown.contains("the scenario's `timeout`; write `within: 400ms`"), "\(shown)")
  }

  @Test func `secrets are masked in what a program prints, and in its arguments`() {
    let (_, shown) = run(
      """
      scenario: A secret
      vars: { token: { value: hunter2-secret, secret: true } }
      programs:
        p:
          run: [sh, -c, "echo got $TOKEN $1; echo hunter2-secret >&2; sleep 1000", sh, "${token}"]
          env: { TOKEN: "${token}" }
      steps: [{ expect: { p: nothing } }]

      """)
    #expect(shown.contains("got *** ***"))
    #expect(!shown.contains("hunter2"))
  }

  @Test func `a scenario without a program that it requires is skipped with the reason`() {
    let (verdict, _) = run(
      """
      scenario: A client
      requires: [no-such-program-anywhere]
      programs: { p: { run: [no-such-program-anywhere] } }
      steps: [{ terminate: p }]

      """)
    let reason = "`no-such-program-anywhere` is not installed, which it `requires`"
    #expect(verdict?.outcome == .skipped(reason: reason))
  }

  /// A server that ends when its last client has left, and at no signal.
  private static let patientServer = """
    import signal, socket, sys, time
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    listener = socket.create_server(("127.0.0.1", int(sys.argv[1])))
    listener.accept()[0].close()
    client = listener.accept()[0]
    client.recv(65536)
    client.sendall(b"HTTP/1.1 200 OK\\r\\nContent-Type: text/event-stream\\r\\n\\r\\n")
    try:
        while True: client.sendall(b"data: x\\n\\n"); time.sleep(0.005)
    except OSError: pass
    """

  @Test func `the run leaves its servers before it ends them, and nothing comes after the steps`()
    throws
  {
    let folder = try TemporaryFolder()
    try #require(folder.write("server.py", Self.patientServer))
    let text = """
      scenario: A server with a client
      timeout: 1m
      requires: [python3]
      endpoints: { api: { url: "http://127.0.0.1:${server.port}" } }
      programs:
        server:
          run: [python3, server.py, "${server.port}"]
          folder: "\(folder.path)"
          ready: { port: "${server.port}" }
          stop: { timeout: 1m }
      connections: { c: { sse: { endpoint: api, path: / } } }
      steps: [{ ignore: [c] }, { connect: c }, { wait: 50ms }]
      """
    let file = loadScenarios(SourceFile(path: "p.scenario.yaml", text: text))
    let plan = try #require(file.plans.first)
    let run = runScenario(plan, inputs: RunInputs(seed: 1), sources: file.sources, in: .mock)
    #expect(render(run.verdict.failures, in: file.sources) == "")
    let last = run.log.events.drop { if case .run(.stepsEnded) = $0.kind { false } else { true } }
    #expect(!last.contains { if case .source = $0.kind { true } else { false } })
    let duration = (last.last?.time ?? 0) - (last.first?.time ?? 0)
    #expect(duration < 30_000_000)
  }

  private func run(_ text: String) -> (Verdict?, shown: String) {
    let file = loadScenarios(SourceFile(path: "p.scenario.yaml", bytes: Array(text.utf8)))
    guard let plan = file.plans.first else {
      return (nil, render(file.diagnostics, in: file.sources))
    }
    let verdict = runScenario(plan, inputs: RunInputs(seed: 1), sources: file.sources).verdict
    return (verdict, render(verdict.failures, in: file.sources))
  }
}
