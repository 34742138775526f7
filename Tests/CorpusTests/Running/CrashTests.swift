import Glibc
import ScenarioRuns
import TestKit
import Testing
import Values

/// Commands whose process crashes: a signal from outside ends it as a mistake inside would.
@Suite struct CrashTests {
  private static let api = "endpoints: { api: { http: [{ get: /, respond: { json: 1 } }] } }\n"

  private static func scenario(_ title: String, waiting time: String) -> String {
    "scenario: \(title)\n\(api)steps:\n  - wait: \(time)\n"
      + "  - request: { endpoint: api, get: /, expect: { json: 1 } }\n"
  }

  /// A command in a folder of its own.
  private final class Crashing {
    let folder: TemporaryFolder
    let command: SpawnedCommand

    init(_ files: [String: String], _ line: String, before: String = "") throws {
      folder = try TemporaryFolder()
      for (name, text) in files { #expect(folder.write(name, text)) }
      let program = "'\(SpawnedCommand.built("rehearse"))'"
      let text = line.replacing("rehearse", with: program)
      command = try #require(
        SpawnedCommand(
          ["-c", "cd '\(folder.path)' && \(before) \(text)"], program: "bash", patience: 60_000_000)
      )
    }

    /// The process that runs scenarios.
    func worker() -> pid_t? {
      let path = "/proc/\(command.id)/task/\(command.id)/children"
      guard let file = fopen(path, "r") else { return nil }
      defer { fclose(file) }
      var line = [CChar](repeating: 0, count: 100)
      guard fgets(&line, 100, file) != nil else { return nil }
      let digits = line.prefix { $0 != 0 && $0 != 32 }.map { UInt8(bitPattern: $0) }
      return pid_t(String(decoding: digits, as: UTF8.self))
    }

    /// Crashes the process that runs scenarios.
    func crash(_ signal: Int32 = SIGSEGV) throws {
      let end = wallClock() + 10_000_000
      while worker() == nil, wallClock() < end { usleep(1_000) }
      // Nothing can be seen of a scenario that has just begun.
      usleep(200_000)
      kill(try #require(worker()), signal)
    }

    /// Crashes the process that runs scenarios while it reads a pipe that nobody writes to.
    func crashWhileReading(_ pipe: String) throws {
      let end = wallClock() + 30_000_000
      var descriptor: Int32 = -1
      // Opening it fails as long as nobody reads.
      while descriptor < 0, wallClock() < end {
        usleep(1_000)
        descriptor = open(folder.path + "/" + pipe, O_WRONLY | O_NONBLOCK)
      }
      defer { close(descriptor) }
      kill(try #require(worker()), SIGSEGV)
      // The pipe stays open until the process has ended, so that it does not go on reading.
      usleep(100_000)
    }

    func report(_ name: String) -> String {
      guard case .success(let bytes) = readFile(folder.path + "/" + name) else { return "" }
      return String(decoding: bytes, as: UTF8.self)
    }

    /// The outcomes by title, from the JSON report.
    var outcomes: [String: String] {
      guard case .success(let json) = parseJSON(Array(report("json").utf8)),
        case .list(let scenarios)? = json["scenarios"]
      else { return [:] }
      let pairs = scenarios.map { ($0["title"]?.plainText ?? "", $0["outcome"]?.plainText ?? "") }
      return Dictionary(pairs) { $1 }
    }
  }

  private static let suite = [
    "1.scenario.yaml": scenario("First", waiting: "1ms"),
    "2.scenario.yaml": scenario("Endless", waiting: "100s"),
    "3.scenario.yaml": scenario("Third", waiting: "1ms"),
    "4.scenario.yaml": "scenario: Virtual\nsteps: [{ check: 1 == 1 }]\n---\n"
      + "scenario: Failing\nsteps: [{ check: 1 == 2 }]\n",
  ]
  private static let formats = [
    "json", "junit", "tap", "html", "github", "ctrf", "codequality", "human",
  ]

  @Test(arguments: [SIGSEGV, SIGILL, SIGBUS, SIGFPE, SIGABRT, SIGTRAP, SIGKILL])
  func `a crash is an error of its scenario in each report, and the others run`(
    _ signal: Int32
  ) throws {
    let reports = Self.formats.map { "--format \($0)=\($0)" }.joined(separator: " ")
    let run = try Crashing(
      Self.suite, "rehearse run . --against sockets --jobs 1 --format ndjson \(reports)",
      before: "exec")
    #expect(run.command.says("\"title\":\"First\""))
    try run.crash(signal)
    #expect(run.command.exitCode() == 3)
    #expect(
      run.outcomes == [
        "First": "passed", "Endless": "could-not-run", "Third": "passed", "Virtual": "passed",
        "Failing": "failed",
      ])
    for format in Self.formats where format != "html" {
      #expect(run.report(format).contains("the program crashed with SIG"), "\(format)")
      #expect(run.report(format).contains("2.scenario.yaml:1  Endless"), "\(format)")
    }
    #expect(run.report("html").hasSuffix("</html>\n"))
    // What was shown before the crash is not shown again.
    let said = run.command.said
    for title in ["First", "Endless", "Third", "Virtual", "Failing"] {
      #expect(said.ranges(of: "\"title\":\"\(title)\"").count == 1, "\(title)")
    }
    #expect(said.ranges(of: "\"event\":\"began\"").count == 1)
  }

  @Test func `results for people are shown once, and in their order`() throws {
    let run = try Crashing(
      Self.suite, "rehearse run . --against sockets --jobs 1 --verbose", before: "exec")
    #expect(run.command.says("First"))
    try run.crash()
    #expect(run.command.exitCode() == 3)
    let titles = ["First", "FAIL ./2", "Third", "Virtual", "FAIL ./4"]
    let places = titles.map { run.command.said.ranges(of: $0).first?.lowerBound }
    #expect(!places.contains(nil), "\(run.command.said)")
    #expect(places.compactMap(\.self) == places.compactMap(\.self).sorted())
    #expect(run.command.said.ranges(of: "First").count == 1)
    #expect(run.command.said.contains("3 passed, 1 failed, 1 could not run"))
  }

  @Test(arguments: [0, 1, 2, 3])
  func `a crash at any moment costs one scenario at most`(_ part: Int) throws {
    var files: [String: String] = [:]
    for number in 1...8 {
      files["\(number).scenario.yaml"] = Self.scenario("Number \(number)", waiting: "100ms")
    }
    let run = try Crashing(
      files, "rehearse run . --against sockets --jobs 2 --format json=json", before: "exec")
    usleep(useconds_t(part * 60_000))
    try run.crash(part % 2 == 0 ? SIGSEGV : SIGKILL)
    #expect(run.command.exitCode() == 3)
    let outcomes = run.outcomes
    #expect(outcomes.values.count { $0 == "passed" } >= 7, "\(outcomes)")
    // A file that was being loaded has no titles yet: the report names the file.
    let crash = "the program crashed with SIG\(part % 2 == 0 ? "SEGV" : "KILL") in it"
    #expect(outcomes.count == 8 || run.report("json").contains(crash), "\(outcomes)")
  }

  @Test func `after three crashes the rest is not run`() throws {
    var files = Self.suite
    for number in 5...9 {
      files["\(number).scenario.yaml"] = Self.scenario("Number \(number)", waiting: "100s")
    }
    let run = try Crashing(
      files, "rehearse run . --against sockets --jobs 1 --format json=json --format junit",
      before: "exec")
    for _ in 0..<3 { try run.crash() }
    #expect(run.command.exitCode() == 3)
    let outcomes = run.outcomes
    #expect(outcomes["First"] == "passed")
    #expect(outcomes.values.count { $0 == "could-not-run" } == 3, "\(outcomes)")
    #expect(outcomes["Number 9"] == "skipped")
    #expect(run.command.said.contains("the program crashed three times"))
  }

  @Test func `what was read from standard input is there after a crash`() throws {
    let text = Self.suite["1.scenario.yaml"]! + "---\n" + Self.suite["2.scenario.yaml"]!
    let run = try Crashing(
      ["all": text], "rehearse run - --against sockets --jobs 1 --format json=json < all",
      before: "exec")
    try run.crash()
    #expect(run.command.exitCode() == 3)
    #expect(run.outcomes == ["First": "passed", "Endless": "could-not-run"])
  }

  @Test func `a sweep names the course in which it crashed`() throws {
    let files = [
      "1.scenario.yaml": Self.scenario("Swept", waiting: "500ms"),
      "2.scenario.yaml": Self.scenario("Virtual", waiting: "1ms"),
    ]
    let sweep = try Crashing(
      files, "rehearse sweep . --against sockets --jobs 1 --format json=json --format human",
      before: "exec")
    #expect(sweep.command.says("2 courses of 2 scenarios in real time"))
    try sweep.crash()
    #expect(sweep.command.exitCode() == 3)
    #expect(sweep.outcomes == ["Swept": "could-not-run", "Virtual": "passed"])
    #expect(sweep.command.said.contains("= during  offline at"), "\(sweep.command.said)")
  }

  @Test(arguments: ["replay", "judge 1.scenario.yaml"])
  func `a recording that crashes the program costs only itself`(_ verb: String) throws {
    let files = [
      "1.scenario.yaml": "scenario: First\ngraph: { n: 0 }\nsteps: [{ set: { n: 1 } }]\n"
    ]
    let run = try Crashing(
      files, "rehearse \(verb) pipe t/1.first.trace.jsonl --jobs 1 --format json=json",
      before: "mkfifo pipe && '\(SpawnedCommand.built("rehearse"))' run . --record=t && exec")
    #expect(run.command.says("1 passed"))
    try run.crashWhileReading("pipe")
    #expect(run.command.exitCode() == 3)
    #expect(run.outcomes == ["First": "passed"], "\(run.command.said)")
    #expect(run.report("json").contains("the program crashed with SIGSEGV in pipe"))
  }

  @Test func `a server ends, and names the request that it was answering`() throws {
    let files = [
      "1.scenario.yaml": """
      scenario: Slow
      endpoints: { api: { http: [{ get: /slow, respond: { after: 100s, json: 1 } }] } }

      """
    ]
    let server = try Crashing(
      files, "rehearse serve 1.scenario.yaml --ports-file ports", before: "exec")
    #expect(server.command.says("Ctrl-C ends"))
    let client = SpawnedCommand(
      ["-c", "curl -s $(grep -o 'http://[0-9.:]*' '\(server.folder.path)/ports')/slow?token=abc"],
      program: "bash")
    #expect(server.command.says("GET /slow"))
    try server.crash()
    #expect(server.command.exitCode() == 3)
    #expect(
      server.command.said.contains(
        "error[crashed]: the program crashed with SIGSEGV in 1.scenario.yaml:1  Slow: GET /slow\n"),
      "\(server.command.said)")
    client?.interrupt(by: SIGKILL)
  }

  @Test func `a parent that is killed takes its worker along`() throws {
    let run = try Crashing(Self.suite, "rehearse run . --against sockets --jobs 1", before: "exec")
    usleep(300_000)
    let worker = try #require(run.worker())
    run.command.interrupt(by: SIGKILL)
    #expect(run.command.exitCode() == nil)
    let end = wallClock() + 5_000_000
    while kill(worker, 0) == 0, wallClock() < end { usleep(1_000) }
    #expect(kill(worker, 0) != 0)
  }

  @Test(arguments: [(SIGINT, 130), (SIGTERM, 143), (SIGHUP, 129)] as [(Int32, Int32)])
  func `a signal reaches the scenarios once, also if a terminal sends it to all`(
    _ signal: Int32, _ code: Int32
  ) throws {
    let text =
      Self.scenario("Endless", waiting: "100s") + "finally: [{ wait: 300ms }, { log: 1 }]\n"
    let run = try Crashing(
      ["1.scenario.yaml": text], "rehearse run . --against sockets --log log", before: "exec")
    usleep(400_000)
    let worker = try #require(run.worker())
    kill(worker, signal)
    run.command.interrupt(by: signal)
    #expect(run.command.exitCode() == code)
    #expect(run.command.said.contains("1 failed"), "\(run.command.said)")
    #expect(run.report("log").contains("\"kind\":\"log\""), "the end of `finally`")
  }
}
