import CWarden
import Diagnostics
import Glibc
import TestKit
import Testing

@testable import VirtualPrograms

@Suite struct TimeCommandTests {
  @Test(arguments: [
    ("sleep 1000", 0), ("sh -c 'exit 7'", 7), ("-- sh -c 'kill -9 $$'", 137), ("nosuch", 127),
    ("/etc/passwd", 126), ("-q -- true", 0), ("sh -c 'exec sleep 3'", 0),
  ])
  func `the exit code is that of the command`(words: String, code: Int32) throws {
    #expect(try #require(TimedCommand("\"$R\" time \(words)")).code == code)
  }

  @Test func `the calendar begins where it is said`() throws {
    let run = try #require(
      TimedCommand(
        """
        "$R" time -q --clock 2026-03-01T09:00:00Z -- sh -c 'sleep 60; date -u +%H:%M:%S%t%F'
        """))
    #expect(run.said == "09:01:00\t2026-03-01\n")
  }

  @Test func `random numbers are those of the seed`() throws {
    let line = "python3 -c 'import random, uuid; print(random.random(), uuid.uuid4())'"
    guard isInstalled("python3") else { return }
    let said = try ["", "", "--seed 8"].map {
      try #require(TimedCommand("\"$R\" time -q \($0) -- \(line)")).said
    }
    #expect(said[0] == said[1] && said[0] != said[2] && said[0].count > 20)
  }

  @Test func `doubts can fail a command, and are lines of its log`() throws {
    let folder = try TemporaryFolder()
    let run = try #require(
      TimedCommand(
        "\"$R\" time --fail-on doubts --log log.json -- \"$M\" other-machine", in: folder))
    #expect(run.code == 1)
    #expect(run.said.contains("the run fails by `--fail-on doubts`: 1 doubt\n"))
    let log = try #require(folder.text("log.json"))
    #expect(
      log == """
        {"at":0.0,"event":"doubt","kind":"leaves","detail":"192.0.2.1 port 80"}
        {"at":0.0,"event":"exit","program":1,"code":0}

        """, "\(log)")
    let quiet = try #require(TimedCommand("\"$R\" time --fail-on doubts -q -- \"$M\" poll"))
    #expect(quiet.code == 0)
  }

  /// A client that sends its request after a pause that it computes.
  private static func client(pause: String) -> String {
    """
    python3 -c 'import os, random, socket, time
    server = socket.create_server(("127.0.0.1", 0))
    line = socket.create_connection(server.getsockname())
    time.sleep(\(pause)); line.send(b"x" * 10)'
    """
  }

  @Test func `two runs that send the same at the same time are equal`() throws {
    guard isInstalled("python3") else { return }
    let run = try #require(
      TimedCommand("\"$R\" time -q --twice -- \(Self.client(pause: "random.random()"))"))
    #expect(run.code == 0 && run.said == "", "\(run.said)")
  }

  @Test func `two runs that differ fail, with the first line that does`() throws {
    guard isInstalled("python3") else { return }
    let run = try #require(
      TimedCommand(
        "\"$R\" time -q --twice -- \(Self.client(pause: "1 + os.getpid() % 1000"))"))
    #expect(run.code == 1)
    #expect(run.said.contains("error[not-repeatable]"), "\(run.said)")
    #expect(run.said.contains("s  sends 10 bytes"), "\(run.said)")
  }

  @Test func `a server that the command did not start is doubted, and its own is not`() throws {
    let silent = try #require(SilentServer())
    let connect = "exec 3<> /dev/tcp/127.0.0.1/\(silent.port)"
    let run = try #require(TimedCommand("\"$R\" time -q -- bash -c '\(connect)'"))
    #expect(run.code == 0)
    #expect(run.said.contains("warning[doubt-foreign]"))
    #expect(run.said.contains("127.0.0.1 port \(silent.port)"))
  }

  @Test func `where tracing is forbidden, the reason is said`() throws {
    let run = try #require(TimedCommand("\"$M\" without-trace \"$R\" time -- sleep 1"))
    #expect(run.code == 3)
    #expect(run.said.hasPrefix("error[no-virtual-time]: ptrace is not permitted here\n"))
    #expect(run.said.contains("docker run --cap-add SYS_PTRACE"))
  }

  @Test func `inside of itself it says who traces`() throws {
    let run = try #require(TimedCommand("\"$R\" time -q -- \"$R\" time -- sleep 1"))
    #expect(run.code == 3)
    #expect(run.said.contains("this process is traced already"))
  }

  @Test(arguments: WardenObstacle.allCases)
  func `each obstacle has a sentence`(_ obstacle: WardenObstacle) {
    let diagnostic = obstacle.diagnostic()
    #expect(!diagnostic.message.isEmpty && diagnostic.help?.isEmpty == false)
  }

  @Test(arguments: Doubt.Kind.allCases)
  func `each doubt is a warning with its id, and counts`(_ kind: Doubt.Kind) {
    let diagnostic = Doubt(kind: kind, detail: "a thing").diagnostic(times: 3)
    #expect(diagnostic.id.rawValue == "doubt-\(kind.rawValue)")
    #expect(diagnostic.severity == .warning && diagnostic.message.contains("a thing"))
    #expect(diagnostic.notes == [.init("times", "3")])
  }
}

/// A scenario that is served beside a command.
@Suite struct ServedBesideTests {
  private static let scenario = """
    scenario: A feed that breaks
    timeout: 1h
    endpoints:
      price_feed:
        http:
          - get: /prices
            turns: [{ respond: drop }, { respond: { text: "42", after: 1s } }]
    steps:
      - expect: { price_feed: [{ get: /prices }, { get: /prices }] }

    """

  private func run(_ script: String) throws -> TimedCommand {
    let folder = try TemporaryFolder()
    #expect(folder.write("feed.scenario.yaml", Self.scenario))
    return try #require(
      TimedCommand("\"$R\" time --serve feed.scenario.yaml \(script)", in: folder))
  }

  @Test func `a command and its mock have one clock`() throws {
    let run = try run(
      """
      -- sh -c 'until curl -s "$PRICE_FEED_URL/prices"; do sleep 600; done; test "$PRICE_FEED_PORT"'
      """)
    #expect(run.code == 0, "\(run.said)")
    #expect(run.said.contains("42"))
    #expect(run.said.contains("passed  A feed that breaks  1 assertion met"), "\(run.said)")
  }

  @Test func `a scenario that does not hold fails the command`() throws {
    let run = try run("-- sh -c 'curl -s \"$PRICE_FEED_URL/prices\"; true'")
    #expect(run.code == 1 && run.said.contains("error[not-in-time]"), "\(run.said)")
  }

  @Test func `the code of a command that fails stays`() throws {
    #expect(try run("-- sh -c 'exit 9'").code == 9)
  }

  @Test func `a scenario that is wrong is not served`() throws {
    let run = try #require(TimedCommand("\"$R\" time --serve missing.yaml -- true"))
    #expect(run.code == 2 && run.said.contains("error[served-not-ready]"), "\(run.said)")
  }

  @Test func `the port may be chosen`() throws {
    let run = try #require(TimedCommand("\"$R\" time --port 8080 -- true"))
    #expect(run.code == 2 && run.said.contains("only the endpoints of `--serve` have ports"))
  }
}
