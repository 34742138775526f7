import Glibc
import TestKit
import Testing

/// Scenarios whose programs have virtual time.
@Suite struct VirtualScenarioTests {
  private static let folder = "scenarios/programs/virtual"

  /// Returns a folder with copies of a scenario, each in a folder of its own with its programs.
  private func folder(of name: String, copies: Int) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    let source = "\(packageRoot)/\(Self.folder)"
    for copy in 1...copies {
      let made = system(
        "mkdir '\(folder.path)/\(copy)' && cp '\(source)'/*.py '\(source)'/*.mjs "
          + "'\(source)/\(name).scenario.yaml' '\(folder.path)/\(copy)'")
      try #require(made == 0)
    }
    return folder
  }

  private func traces(in folder: TemporaryFolder, copies: Int) -> Set<String?> {
    Set(
      (1...copies).map { copy in
        let pattern = "\(folder.path)/\(copy)/traces/*.trace.jsonl"
        return TimedCommand("sed 's/\"path\":\"[^\"]*\"//' \(pattern)")?.said
      })
  }

  @Test(
    .enabled(if: isInstalled("python3") && isInstalled("node")),
    arguments: [("back-off", 20, 4), ("two-clients", 6, 3), ("pieces", 6, 1)])
  func `many runs at once have one trace`(name: String, copies: Int, jobs: Int) throws {
    let folder = try folder(of: name, copies: copies)
    let run = try #require(
      TimedCommand("\"$R\" run . --record --jobs \(jobs)", in: folder, patience: 120_000_000))
    #expect(run.code == 0, "\(run.said)")
    let traces = traces(in: folder, copies: copies)
    #expect(traces.count == 1 && traces.first??.contains("\"time\":\"virtual\"") == true)
  }

  @Test(.enabled(if: isInstalled("python3")))
  func `a machine under load changes nothing`() throws {
    let folder = try folder(of: "back-off", copies: 6)
    let load = "for n in 1 2 3 4; do (while :; do :; done) & done; trap 'kill $(jobs -p)' EXIT; "
    let run = try #require(
      TimedCommand(
        "\(load) \"$R\" run 1 2 3 --record; kill $(jobs -p); \"$R\" run 4 5 6 --record", in: folder,
        patience: 120_000_000))
    #expect(run.code == 0, "\(run.said)")
    let traces = traces(in: folder, copies: 6)
    #expect(traces.count == 1 && traces.first??.contains("\"time\":\"virtual\"") == true)
  }

  @Test(.enabled(if: isInstalled("python3")))
  func `what was recorded is replayed and judged without tolerance`() throws {
    let folder = try folder(of: "back-off", copies: 1)
    let run = try #require(
      TimedCommand(
        """
        cd 1 && "$R" run . --record && "$R" replay traces && "$R" judge *.scenario.yaml traces \
        && sed -i 's/"us":1050000/"us":1050001/' traces/* && ! "$R" judge *.scenario.yaml traces
        """, in: folder))
    #expect(run.code == 0 && run.said.contains("too late"), "\(run.said)")
  }

  @Test(
    .enabled(if: isInstalled("python3")),
    arguments: [
      ("back-off", "back-off]", "back-off-without-end]", "again_in: 64", "error[unexpected-event]"),
      (
        "time-out", "ask]", "ask-for-ever]", "receives from 127.0.0.1 port 61001",
        "error[nothing-left]"
      ),
    ])
  func `the wrong twin of a client fails for its fault`(
    name: String, right: String, wrong: String, detail: String, id: String
  ) throws {
    let folder = try folder(of: name, copies: 1)
    let run = try #require(
      TimedCommand(
        """
        cd 1 && sed -i 's/\(right)/\(wrong)/; s/20001ms/1h/' *.yaml \
        && sed -i 's/respond: { text: here, after: "${delay}" }/respond: stall/' *.yaml \
        && "$R" run .
        """, in: folder))
    #expect(run.code == 1 && run.said.contains(id), "\(run.said)")
    #expect(run.said.contains(detail), "\(run.said)")
  }
}

/// What a run of programs in virtual time refuses, doubts, and compares.
@Suite struct VirtualWorldTests {
  private func run(
    _ scenario: String, _ script: String, patience: Int = 60_000_000
  ) throws -> TimedCommand {
    let folder = try TemporaryFolder()
    #expect(folder.write("a.scenario.yaml", "scenario: a\ntime: virtual\n\(scenario)\n"))
    return try #require(TimedCommand(script, in: folder, patience: patience))
  }

  private static let sleeper = """
    timeout: 2h
    programs: { client: { run: [sh, -c, "sleep 3600; echo woke"] } }
    steps: [{ expect: [{ client: woke, after: 1h }] }]
    """

  @Test func `where tracing is forbidden, the scenario could not run, and says why`() throws {
    let run = try run(Self.sleeper, "\"$M\" without-trace \"$R\" run .")
    #expect(run.code == 3, "\(run.said)")
    #expect(run.said.contains("error[no-virtual-time]: ptrace is not permitted here\n"))
    #expect(run.said.contains("a.scenario.yaml:2:7") && run.said.contains("--real-time"))
  }

  @Test func `by the machine's clock it runs there, and says that nothing was compared`() throws {
    let scenario = "programs: { client: { run: [echo, hi] } }\nsteps: [{ expect: { client: hi } }]"
    let run = try run(scenario, "\"$M\" without-trace \"$R\" run . --real-time")
    #expect(run.code == 0 && run.said.contains("warning[no-virtual-time]"), "\(run.said)")
  }

  @Test func `a real server beside it is refused, and a program as a server is not`() throws {
    let real = try run(
      """
      endpoints: { api: { url: "http://127.0.0.1:9", http: [{ get: /, respond: {} }] } }
      programs: { client: { run: [echo, hi] } }
      steps: [{ expect: { client: hi } }]
      """, "\"$R\" run . --against real")
    #expect(real.code == 2, "\(real.said)")
    #expect(real.said.contains("error[virtual-time-beside-server]"), "\(real.said)")
  }

  @Test func `runs by both clocks that are alike have no warning`() throws {
    let scenario = """
      programs: { client: { run: [sh, -c, "echo one; sleep 0.1; echo two"] } }
      steps: [{ expect: { client: [one, two], client.exit: 0 } }]
      """
    let run = try run(scenario, "\"$R\" run . --real-time")
    #expect(run.code == 0 && !run.said.contains("warning"), "\(run.said)")
  }

  @Test func `what the machine's clock changes is a warning with both events`() throws {
    let loop = "i=0; while [ $i -lt 3000000 ]; do i=$((i+1)); done; echo done"
    let scenario = """
      timeout: 1m
      programs: { client: { run: [timeout, "0.2", sh, -c, "\(loop)"] } }
      steps: [{ eventually: client.exit != null }, { ignore: [client, client.exit] }]
      """
    let run = try run(scenario, "\"$R\" run . --real-time")
    #expect(run.code == 0 && run.said.contains("warning[clocks-differ]"), "\(run.said)")
    #expect(run.said.contains("= virtual  a line\n"), "\(run.said)")
    #expect(run.said.contains("= machine  nothing more\n"), "\(run.said)")
  }

  @Test func `doubts are warnings of the scenario, and can fail the run`() throws {
    let scenario = """
      programs:
        client:
          run:
            - bash
            - -c
            - for n in 1 2; do (exec 3<> /dev/tcp/192.0.2.1/80) 2> /dev/null; done; echo away
      steps: [{ expect: { client: away, client.exit: 0 } }]
      """
    let run = try run(scenario, "\"$R\" run . --format json; \"$R\" run . --fail-on doubts")
    #expect(run.code == 1 && run.said.contains("the run fails by `--fail-on doubts`: 1 doubt\n"))
    #expect(run.said.contains("\"id\":\"doubt-leaves\""), "\(run.said)")
    #expect(run.said.contains("\"times\""), "\(run.said)")
  }

  @Test(arguments: [("$$", 1), ("7", 0)])
  func `with --twice a run that differs from a second one fails, with the first line`(
    said: String, code: Int32
  ) throws {
    let scenario = """
      programs: { client: { run: [sh, -c, "sleep 60; echo \(said)"] } }
      timeout: 2m
      steps: [{ eventually: client.exit != null }, { ignore: [client, client.exit] }]
      """
    let run = try run(scenario, "\"$R\" run . --twice")
    #expect(run.code == code, "\(run.said)")
    #expect(run.said.contains("error[not-repeatable]") == (code == 1), "\(run.said)")
    #expect(run.said.contains("1m  client") == (code == 1), "\(run.said)")
  }

  @Test func `a program that computes can be interrupted`() throws {
    let scenario = """
      programs: { client: { run: [sh, -c, "echo begun; while :; do :; done"] } }
      steps: [{ expect: { client: [begun, never] } }]
      """
    let run = try run(
      scenario,
      """
      "$R" run . & sleep 2; began=$(date +%s); kill -INT $!; wait $!; code=$?
      test $(( $(date +%s) - began )) -lt 8 && exit $code
      """)
    #expect(run.code == 130, "\(run.said)")
  }

  @Test(arguments: 0..<6)
  func `a run that is killed at any moment leaves no process`(moment: Int) throws {
    let mark = "31\(getpid() % 10_000)\(moment)"
    let run = try run(
      """
      timeout: 100h
      programs:
        one:
          run:
            - sh
            - -c
            - "while :; do sleep \(mark); done & setsid sleep \(mark) & sh -c 'kill -STOP $$'"
        two: { run: [sh, -c, "while :; do :; done"] }
      steps: [{ expect: { one: never } }]
      """,
      """
      "$R" run . > /dev/null & sleep 0.\(moment * 13 % 10)\(moment); kill -KILL $!; wait $!
      for n in $(seq 100); do pgrep -xf "sleep \(mark)" > /dev/null || exit 7; sleep 0.1; done
      """)
    #expect(run.code == 7, "\(run.said)")
  }
}
