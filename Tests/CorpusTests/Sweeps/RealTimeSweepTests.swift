import Diagnostics
import Events
import Glibc
import ScenarioEngine
import ScenarioPlan
import ScenarioRuns
import TestKit
import Testing
import Values
import Verdicts
import World

/// Sweeps of what needs real time: programs, real servers, and clients from outside.
@Suite struct RealTimeSweepTests {
  /// Clients in Python with one classic fault each: the file, the rule, and a course that shows it.
  private static let wrongClients: [(file: String, id: DiagnosticID, course: String)] = [
    ("resume", "check-failed", "cut after event 1 of server, connection 1"),
    ("buffer", "check-failed", "cut after event 1 of server, connection 1"),
    ("banner", "check-failed", "refuse connection 1 of server"),
    ("orders", "check-failed", "lose answer 1 of server, connection 1"),
    ("jobs", "check-failed", "lose request 1 of server, connection 2"),
    ("search", "check-failed", "delay answer 1 of server, connection 1, by 500ms"),
    ("rooms", "eventually-failed", "cut after message 1 of server, connection 1"),
    ("pieces", "check-failed", "rewrite server as data-lines"),
    ("half", "check-failed", "end in body of answer 1 of server, connection 1"),
    // In virtual time the pause is longer.
    ("wait", "early-reconnection", "status 429 for request 1 of server, connection 1, retry after"),
    ("page", "program-failed", "status 500 for answer 1 of server, connection 1"),
    ("silence", "eventually-failed", "stall after event 1 of server, connection 1"),
    ("slow", "check-failed", "slow answer 1 of server, connection 1"),
  ]

  private static func has(_ program: String) -> Bool {
    SpawnedCommand(["--version"], program: program)?.exitCode() == 0
  }

  @Test(
    .enabled(if: has("python3"), "python3 is not installed"),
    arguments: wrongClients.filter { ["resume", "orders", "search"].contains($0.file) })
  func `a program with a classic fault is found, and its right twin holds`(
    file: String, id: DiagnosticID, course: String
  ) throws {
    let loaded = Corpus.load("scenarios/sweep/programs/\(file).scenario.yaml")
    let plan = try #require(loaded.plans.first)
    let right = sweep(plan, row: 0, loaded.sources)
    #expect(right.good.outcome == .passed)
    // On a busy machine a program may be late once; what fails each time is the program's fault.
    let late = right.flaky.count + right.missed.count
    #expect(right.groups.isEmpty && right.held > 0 && right.held + late == right.places)
    let wrong = sweep(plan, row: 1, loaded.sources)
    #expect(Set(wrong.groups.map(\.diagnostic.id)) == [id])
    #expect(wrong.groups.flatMap(\.courses).map(\.name).contains(course))
    #expect(wrong.unclear.isEmpty)
    let runs = wrong.groups.first?.diagnostic.notes.first { $0.name == "runs" }?.text ?? ""
    // A client that comes too soon does the same as without the disturbance.
    let isAlike = id == "early-reconnection"
    #expect(isAlike || runs.hasPrefix("without") && runs.contains("<- differs first"), "\(runs)")
  }

  @Test(
    .enabled(if: has("python3"), "python3 is not installed"),
    arguments: [("", "2s"), ("\ntime: virtual\n", "28800s")])
  func `a program that goes on after a sleep is not blamed`(time: String, length: String) throws {
    let path = "scenarios/sweep/programs/resume.scenario.yaml"
    let text = try #require(fileText(path)) + time
    let loaded = loadScenarios(
      SourceFile(path: path, text: text), configuration: Corpus.configuration(of: path))
    let plan = try #require(loaded.plans.first).changed {
      $0.sweep.disturbed = ["server": [.suspend]]
    }
    let listed = sweep(plan, row: 0, loaded.sources) { $0.scope.listsOnly = true }.listed
    let names = listed.map(\.name)
    #expect(names.contains("suspend after event 1 of server, connection 1, for \(length)"))
    let right = sweep(plan, row: 0, loaded.sources)
    #expect(right.groups.isEmpty && right.unclear.isEmpty && right.held > 0)
  }

  @Test(
    .enabled(if: has("python3"), "python3 is not installed"),
    arguments: wrongClients)
  func `in virtual time a sweep finds the same, and is the same with any number of jobs`(
    file: String, id: DiagnosticID, course: String
  ) throws {
    let path = "scenarios/sweep/programs/\(file).scenario.yaml"
    let text = try #require(fileText(path))
    let isVirtual = text.contains("\ntime: virtual\n")
    let loaded = loadScenarios(
      SourceFile(path: path, text: isVirtual ? text : text + "\ntime: virtual\n"),
      configuration: Corpus.configuration(of: path))
    let plan = try #require(loaded.plans.first)
    #expect(plan.hasVirtualPrograms)
    let right = sweep(plan, row: 0, loaded.sources)
    #expect(right.groups.isEmpty && right.held == right.places && right.doubts.isEmpty)
    let wrong = [1, 4].map { jobs in sweep(plan, row: 1, loaded.sources) { $0.jobs = jobs } }
    #expect(wrong[0].groups.map(\.diagnostic) == wrong[1].groups.map(\.diagnostic))
    #expect(Set(wrong[0].groups.map(\.diagnostic.id)) == [id] && wrong[0].doubts.isEmpty)
    #expect(wrong.allSatisfy { $0.flaky.isEmpty && $0.missed.isEmpty && $0.unclear.isEmpty })
    let names = wrong[0].groups.flatMap(\.courses).map(\.name)
    let late = "delay answer 1 of server, connection 1, by 101ms"
    #expect(names.contains { $0.hasPrefix(file == "search" ? late : course) })
  }

  @Test func `beside programs in virtual time, orphans of others are left to the system`() throws {
    let file = loadScenarios(
      SourceFile(
        path: "orphans.scenario.yaml",
        text: """
          scenario: A program in virtual time
          time: virtual
          programs: { p: { run: [sh, -c, "sleep 1; echo done"] } }
          steps: [{ expect: { p: done } }]

          """))
    let plan = try #require(file.plans.first)
    let run = runScenario(plan, inputs: RunInputs(seed: 1), sources: file.sources)
    #expect(run.verdict.outcome == .passed, "\(run.verdict.failures)")
    let shell = try #require(
      SpawnedCommand(["-c", "sleep 2 >/dev/null 2>&1 & echo $!"], program: "bash"))
    #expect(shell.exitCode() == 0)
    let orphan = shell.said.prefix { $0.isNumber }
    let status = try #require(fileText("/proc/\(orphan)/stat"))
    #expect(status.split(separator: " ")[3] != "\(getpid())")
  }

  private func sweep(
    _ plan: ScenarioPlan, row: Int? = nil, _ sources: SourceMap, in kind: WorldKind = .mock,
    _ change: (inout SweepOptions) -> Void = { _ in }
  ) -> SweepResult {
    var options = SweepOptions()
    options.jobs = 4
    options.world = kind
    change(&options)
    return sweepScenario(
      SharedPlan(plan), inputs: RunInputs(seed: 1, row: row.map { plan.rows[$0] }),
      sources: sources, options: options)
  }

  /// Programs that no sweep wants: each course ends, and leaves no process.
  private func program(
    _ script: String, _ rest: String, settle: String = "100ms"
  ) throws -> (ScenarioPlan, SourceMap) {
    let text = """
      scenario: A program
      timeout: 1s
      endpoints: { api: { http: [{ get: /a, respond: { text: hello } }] } }
      programs:
        p:
          run: [sh, -c, \(Value.string(script).json())]
          env: { URL: "${api.url}" }
          stop: { timeout: 200ms }
      sweep: { settle: \(settle), disturb: { api: [refuse, lostAnswer] } }
      steps: [\(rest)]

      """
    let file = loadScenarios(SourceFile(path: "program.scenario.yaml", text: text))
    return (try #require(file.plans.first, "\(file.diagnostics)"), file.sources)
  }

  @Test(.enabled(if: has("curl"), "curl is not installed"))
  func `a program that crashes in a course fails it, and its processes are ended`() throws {
    let script = "sleep 61 & curl -sf $URL/a >/dev/null || exit 3; echo got; sleep 62"
    let (plan, sources) = try program(script, "{ expect: { p: got } }")
    let result = sweep(plan, sources)
    #expect(result.good.outcome == .passed, "\(result.good.failures)")
    #expect(result.places == 2)
    #expect(result.groups.map(\.diagnostic.id) == ["program-failed"])
    #expect(result.warnings.map(\.id) == ["sweep-demands-nothing"])
    #expect(result.rules.first { $0.rule == "program-failed" }?.broken == result.failed)
    #expect(result.rules.first { $0.rule == "check-failed" }?.broken == 0)
  }

  @Test func `a program that never connects has no course, and one that hangs fails`() throws {
    let (silent, sources) = try program("echo got; sleep 63", "{ expect: { p: got } }")
    #expect(sweep(silent, sources).places == 0)
    let (hanging, others) = try program("sleep 64", "{ expect: { p: got } }")
    let result = sweep(hanging, others)
    #expect(result.good.failures.map(\.id) == ["not-in-time"])
    #expect(result.places == 0)
  }

  @Test(.enabled(if: has("curl"), "curl is not installed"))
  func `a sweep in real time says how long it will be, and a list of courses runs none`() throws {
    let (plan, sources) = try program("curl -s $URL/a; echo; sleep 65", "{ expect: { p: hello } }")
    let prepared = PreparedSweep(
      SharedPlan(plan), inputs: RunInputs(seed: 1), sources: sources, options: SweepOptions())
    #expect(prepared.count > 0)
    // It settles for 100ms, and its limit is 1s.
    #expect(prepared.lengths.holding >= 100_000)
    #expect(prepared.lengths.failing >= prepared.lengths.holding + 1_000_000)
    let listed = sweep(plan, sources) { $0.scope.listsOnly = true }
    #expect(listed.places == 0)
    #expect(listed.listed.map(\.name).contains("lose answer 1 of api, connection 1"))
  }

  @Test func `the length of a sweep is that of its turns`() {
    var forecast = SweepForecast(jobs: 4)
    forecast.add(9, .init(holding: 1_000_000, failing: 2_000_000))
    #expect(forecast.courses == 9 && forecast.length == 2_250_000)
    #expect(forecast.lengthOfFailures == 13_500_000)
    forecast.add(1, .init(holding: .max, failing: .max))
    #expect(forecast.length > 0 && forecast.lengthOfFailures > 0)
  }

  /// A program that ends by itself, and hangs if its answer is lost.
  private static let hanging = "curl -sf $URL/a >/dev/null || sleep 65; echo got"

  @Test(.enabled(if: has("curl"), "curl is not installed"), arguments: ["1ms", "300ms"])
  func `a program that ends without the disturbance and hangs with it fails`(settle: String) throws
  {
    let (plan, sources) = try program(Self.hanging, "{ expect: { p: got } }", settle: settle)
    let result = sweep(plan, sources)
    #expect(result.good.outcome == .passed, "\(result.good.failures)")
    #expect(result.places == 2 && result.failed == 2)
    #expect(result.groups.map(\.diagnostic.id) == ["swept-left-running"])
    #expect(result.rules.first { $0.rule == "swept-left-running" }?.broken == 2)
  }

  @Test(.enabled(if: has("curl"), "curl is not installed"))
  func `a program that ends late holds, and one that never ends is no hang`() throws {
    let slow = "curl -sf $URL/a >/dev/null || sleep 0.7; echo got"
    let (plan, sources) = try program(slow, "{ expect: { p: got } }", settle: "1ms")
    let result = sweep(plan, sources)
    #expect(result.failed == 0 && result.notJudged == result.places, "\(result.groups)")
    let (endless, others) = try program(
      "curl -s $URL/a; echo; sleep 66", "{ expect: { p: hello } }", settle: "1ms")
    #expect(sweep(endless, others).groups.isEmpty)
  }

  @Test(.enabled(if: has("curl"), "curl is not installed"))
  func `another end of a program fails a course, although a step expects the end`() throws {
    let script = "curl -sf $URL/a >/dev/null || exit 3; echo got"
    let (plan, sources) = try program(script, "{ expect: { p.exit: { code: 0 } } }, { ignore: p }")
    let result = sweep(plan, sources)
    #expect(result.good.outcome == .passed, "\(result.good.failures)")
    #expect(result.groups.map(\.diagnostic.id) == ["program-failed"])
  }

  @Test func `lines of errors in a row are one event beside the good run, the last`() throws {
    let script = """
      curl -sf $URL/a >/dev/null || { echo one >&2; echo two >&2; echo 'three: lost' >&2; exit 3; }
      echo got
      """
    let (plan, sources) = try program(script, "{ expect: { p: got } }")
    let runs = sweep(plan, sources).groups.first?.diagnostic.notes.first { $0.name == "runs" }
    #expect(runs?.text.contains("three: lost") == true)
    #expect(runs?.text.contains("one") == false, "\(runs?.text ?? "")")
  }
}

// Real servers, and clients from outside.
extension RealTimeSweepTests {
  private static let upstream = """
    scenario: The real server
    endpoints:
      api:
        resumable: true
        sse:
          - accept: { path: /prices }
            script:
              - event: { id: "1", data: { price: 10 } }
              - event: { id: "2", data: { price: 20 } }
              - wait: forever
    steps: [{ wait: 60s }]

    """

  private func client(_ port: Int, clears: Bool) throws -> (ScenarioPlan, SourceMap) {
    let total = clears ? "0" : "\"${total}\""
    let text = """
      scenario: A client of a real server
      timeout: 5s
      endpoints: { api: { url: "http://127.0.0.1:\(port)" } }
      connections:
        feed:
          sse: { endpoint: api, path: /prices }
          retry: { maxAttempts: 9, initialDelay: 20ms }
      reactors:
        cart:
          state: { total: 0 }
          actions:
            add: { params: [data], steps: [{ set: { total: "${total + data.price}" } }] }
            clear:
              - if: kind(feed.state) == 'disconnected'
                then: [{ set: { total: \(total) } }]
          follows: { feed: add, feed.state: clear }
      sweep: { settle: 200ms, disturb: { api: [cut] } }
      steps:
        - connect: feed
        - expect: { feed: [{ id: "1" }, { id: "2" }] }
        - check: cart.total == 30

      """
    let file = loadScenarios(SourceFile(path: "client.scenario.yaml", text: text))
    return (try #require(file.plans.first, "\(file.diagnostics)"), file.sources)
  }

  @Test func `a real server is swept, event by event, if the command line allows it`() throws {
    let server = try #require(RehearsedServer(RealTimeSweepTests.upstream))
    defer { server.stop() }
    let real = WorldKind.real(RealWorldSettings())
    let (right, sources) = try client(server.port, clears: false)
    let twin = sweep(right, sources, in: real)
    #expect(twin.good.outcome == .passed, "\(twin.good.failures)")
    #expect(twin.places >= 6 && twin.held == twin.places, "\(twin.groups)")
    let (wrong, others) = try client(server.port, clears: true)
    let found = sweep(wrong, others, in: real)
    #expect(Set(found.groups.map(\.diagnostic.id)) == ["check-failed"])
    let courses = found.groups.flatMap { $0.courses.map(\.name) }
    #expect(courses.contains("cut after event 1 of api, connection 1"))
  }

  @Test func `a scenario that chooses real servers itself is not swept`() throws {
    let text = "scenario: A\nendpoints: { a: { url: 'http://a' } }\nagainst: real\nsteps: []\n"
    let plan = try #require(loadScenarios(SourceFile(path: "a.yaml", text: text)).plans.first)
    #expect(plan.reasonNotToSweep()?.contains("--against real") == true)
    #expect(plan.reasonNotToSweep(in: .real(RealWorldSettings())) == nil)
  }

  /// Serves a client that asks twice, each time on a connection of its own. Without disturbances,
  /// the courses of what it does are found.
  private func served(_ names: String...) throws -> Served {
    let text = "scenario: S\nendpoints: { api: { http: [{ get: /a, respond: { text: hi } }] } }\n"
    return try Served(text, disturb: names) { ports in
      (0..<2).map { _ in
        let client = PlainClient(port: ports["api"] ?? 0)
        client?.send("GET /a HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
        return client?.read(until: "\u{0}") ?? ""
      }
    }
  }

  @Test func `a client from outside meets the course that serving was given`() throws {
    let good = try served()
    #expect(good.answers.map { $0.hasSuffix("hi") } == [true, true])
    #expect(good.courses.contains("lose answer 1 of api, connection 1"))
    let disturbed = try served("lose answer 1 of api, connection 1")
    #expect(disturbed.answers.map { $0.hasSuffix("hi") } == [false, true])
    #expect(disturbed.verdict?.outcome == .passed)
  }

  @Test func `serving fails if no client came to the place of its disturbance`() throws {
    let served = try served("cut after event 3 of api, connection 1")
    #expect(served.answers.map { $0.hasSuffix("hi") } == [true, true])
    #expect(served.verdict?.failures.map(\.id) == ["no-place-of-disturbance"])
    #expect(served.verdict?.outcome == .failed)
  }
}
