import Glibc
import TestKit
import Testing

/// `rehearse serve` with several files, as a shell runs it.
@Suite(.serialized) struct ServeSeveralTests {
  private static func scenario(_ title: String, _ answer: String, steps: String = "") -> String {
    """
    scenario: \(title)
    timeout: 10s
    endpoints:
      api: { http: [{ get: /, respond: { json: \(answer) } }] }
    \(steps)

    """
  }

  private static let steps = "steps: [{ expect: { api: { get: / } } }]"

  /// The command in a folder of its own, with these files.
  private final class Server {
    let folder: TemporaryFolder
    let command: SpawnedCommand

    init(_ files: [String: String], _ line: String, ports: String = "ports.json") throws {
      folder = try TemporaryFolder()
      mkdir(folder.file("more"), 0o755)
      for (name, text) in files { #expect(folder.write(name, text)) }
      let program = SpawnedCommand.built("rehearse")
      let whole = "cd '\(folder.path)' && exec '\(program)' serve \(line) --ports-file \(ports)"
      command = try #require(SpawnedCommand(["-c", whole], program: "bash"))
    }

    /// Returns the port of an endpoint, once the file of ports is there.
    func port(of endpoint: String) -> UInt16? {
      for _ in 0..<5_000 where folder.text("ports.json") == nil { usleep(1_000) }
      let ports = (folder.text("ports.json") ?? "").split(separator: "\"\(endpoint)\": {")
      let place = ports.dropFirst().first?.split(separator: "127.0.0.1:").dropFirst().first
      return place.flatMap { UInt16($0.prefix(while: \.isNumber)) }
    }

    /// Returns the body that an endpoint answers with.
    func answer(of endpoint: String) -> String {
      let client = port(of: endpoint).flatMap { PlainClient(port: $0) }
      return client?.get("/").split(separator: "\r\n\r\n").last.map { String($0) } ?? ""
    }

    /// Returns whether an endpoint soon answers so.
    func answers(_ expected: String, at endpoint: String) -> Bool {
      for _ in 0..<500 {
        if answer(of: endpoint) == expected { return true }
        usleep(10_000)
      }
      return false
    }
  }

  @Test func `endpoints of the same name in two files are served until the steps of both are done`()
    throws
  {
    let server = try Server(
      [
        "a.scenario.yaml": Self.scenario("Shop", "[1]", steps: Self.steps),
        "b.scenario.yaml": Self.scenario("Payments", "[2]", steps: Self.steps),
        "more/c.scenario.yaml": Self.scenario("Helper", "[3]"),
      ], "a.scenario.yaml b.scenario.yaml more")
    #expect(server.answer(of: "Helper::api") == "[3]")
    #expect(server.answer(of: "Shop::api") == "[1]")
    #expect(server.answer(of: "Payments::api") == "[2]")
    #expect(server.command.exitCode() == 0, "\(server.command.said)")
    let said = server.command.said
    let begins = ["Shop", "Payments", "Helper"].compactMap { title in
      said.firstRange(of: "serving  \(title)\n\(title)::api  http://127.0.0.1:")?.lowerBound
    }
    #expect(begins.count == 3 && begins == begins.sorted(), "\(said)")
    #expect(said.contains("\nuntil their steps are done; Ctrl-C ends before\n"), "\(said)")
    for title in ["Shop", "Payments", "Helper"] {
      #expect(said.contains(" \(title)::api → GET / (connection 1)\n"), "\(said)")
      #expect(said.contains("\npassed  \(title)  "), "\(said)")
    }
  }

  @Test func `an edit of one file leaves the others as they are, and Ctrl-C ends all`() throws {
    let server = try Server(
      [
        "a.scenario.yaml": Self.scenario("Shop", "[1]"),
        "b.scenario.yaml": Self.scenario("Payments", "[2]"),
      ], "*.scenario.yaml")
    let client = PlainClient(port: try #require(server.port(of: "Payments::api")))
    let request = "GET / HTTP/1.1\r\nHost: here\r\n\r\n"
    client?.send(request)
    #expect(client?.read(until: "[2]").contains("[2]") == true)
    #expect(server.folder.write("a.scenario.yaml", Self.scenario("Shop", "[7]")))
    #expect(
      server.command.says("`a.scenario.yaml` has changed, and is served again"),
      "\(server.command.said)")
    #expect(server.answers("[7]", at: "Shop::api"))
    // A new version would have closed the connection.
    client?.send(request)
    #expect(client?.read(until: "[2]").contains("[2]") == true)
    server.command.interrupt(by: SIGINT)
    #expect(server.command.exitCode() == 0, "\(server.command.said)")
    #expect(server.command.said.ranges(of: "serving  Payments\n").count == 1)
    #expect(server.command.said.ranges(of: "serving  Shop\n").count == 2)
  }

  @Test func `the worst verdict of all is the exit code`() throws {
    let server = try Server(
      [
        "a.scenario.yaml": Self.scenario("Shop", "[1]", steps: Self.steps),
        "b.scenario.yaml": Self.scenario(
          "Payments", "[2]", steps: "steps: [{ expect: { api: { get: /other } } }]"),
      ], "a.scenario.yaml b.scenario.yaml")
    #expect(server.answer(of: "Payments::api") == "[2]")
    #expect(server.answer(of: "Shop::api") == "[1]")
    #expect(server.command.exitCode() == 1, "\(server.command.said)")
    #expect(server.command.said.contains("\npassed  Shop  "))
    #expect(server.command.said.contains("\nFAILED  Payments  "))
  }

  @Test(arguments: [
    ("a.scenario.yaml wrong.yaml worse.yaml", ["wrong.yaml:1", "worse.yaml:1"]),
    ("a.scenario.yaml b.scenario.yaml --port 8080", ["there are 2 endpoints"]),
    ("a.scenario.yaml b.scenario.yaml --port api=8080", ["--port Shop::api=PORT"]),
    ("a.scenario.yaml b.scenario.yaml --log log", ["error[log-of-several]"]),
    (
      "a.scenario.yaml b.scenario.yaml --host 192.0.2.1",
      ["error[port-not-available]", "a.scenario.yaml:1"]
    ),
  ])
  func `if one file cannot be served, none is`(line: String, words: [String]) throws {
    let server = try Server(
      [
        "a.scenario.yaml": Self.scenario("Shop", "[1]"),
        "b.scenario.yaml": Self.scenario("Payments", "[2]"),
        "wrong.yaml": "scenari: Wrong\n", "worse.yaml": "scenari: Worse\n",
      ], line)
    #expect(server.command.exitCode() == 2, "\(server.command.said)")
    for word in words { #expect(server.command.said.contains(word), "\(server.command.said)") }
    #expect(!server.command.said.contains("serving"), "\(server.command.said)")
    #expect(server.folder.text("ports.json") == nil)
  }

  /// Returns how often the threads that serve have gone to sleep so far: those of the process that
  /// works for this one, without its first two.
  private func sleeps(of process: pid_t) throws -> Int {
    let others = "for t in $(ls | sort -n | tail -n +3); do cat $t/status; done"
    let children = "/proc/\(process)/task/\(process)/children"
    let line = "read -r worker <\(children); cd /proc/$worker/task && \(others)"
    let command = try #require(SpawnedCommand(["-c", line], program: "bash"))
    #expect(command.exitCode() == 0, "\(command.said)")
    let counts = command.said.split(separator: "\n").filter { $0.hasPrefix("voluntary_ctxt") }
    #expect(counts.count == 2, "\(command.said)")
    return counts.compactMap { $0.split(separator: "\t").last.flatMap { Int($0) } }.reduce(0, +)
  }

  @Test func `scenarios to which nothing happens sleep until something does`() throws {
    let server = try Server(
      [
        "a.scenario.yaml": Self.scenario("Shop", "[1]"),
        "b.scenario.yaml": Self.scenario("Payments", "[2]"),
      ], "a.scenario.yaml b.scenario.yaml")
    #expect(server.answer(of: "Shop::api") == "[1]")
    #expect(server.answer(of: "Payments::api") == "[2]")
    // The first look at the files, and the ends of the connections, wake them.
    usleep(1_500_000)
    let before = try sleeps(of: server.command.id)
    usleep(1_000_000)
    #expect(try sleeps(of: server.command.id) - before <= 2)
    server.command.interrupt(by: SIGINT)
    #expect(server.command.exitCode() == 0, "\(server.command.said)")
  }

  @Test func `a scenario of a folder that has no endpoints is left out, with a warning`() throws {
    let server = try Server(
      [
        "a.scenario.yaml": Self.scenario("Shop", "[1]"),
        "b.scenario.yaml": "scenario: Sums\nsteps: [{ check: 1 + 1 == 2 }]\n",
      ], ".")
    #expect(server.answer(of: "api") == "[1]")
    server.command.interrupt(by: SIGINT)
    #expect(server.command.exitCode() == 0, "\(server.command.said)")
    for word in ["warning[nothing-to-serve]: `Sums` has no endpoints", "the others are served"] {
      #expect(server.command.said.contains(word), "\(server.command.said)")
    }
  }

  @Test(arguments: ["a.scenario.yaml b.scenario.yaml", "more", "b.scenario.yaml"])
  func `a scenario without endpoints is refused if it is named or the only one`(
    line: String
  ) throws {
    let sums = "scenario: Sums\nsteps: [{ check: 1 + 1 == 2 }]\n"
    let server = try Server(
      [
        "a.scenario.yaml": Self.scenario("Shop", "[1]"), "b.scenario.yaml": sums,
        "more/c.scenario.yaml": sums,
      ], line)
    #expect(server.command.exitCode() == 2, "\(server.command.said)")
    #expect(
      server.command.said.contains("error[nothing-to-serve]: `Sums` has no endpoints"),
      "\(server.command.said)")
  }

  @Test func `if the file of ports cannot be written, all end with 3`() throws {
    let server = try Server(
      [
        "a.scenario.yaml": Self.scenario("Shop", "[1]", steps: Self.steps),
        "b.scenario.yaml": Self.scenario("Payments", "[2]"),
      ], "a.scenario.yaml b.scenario.yaml", ports: "missing/ports.json")
    #expect(server.command.exitCode() == 3, "\(server.command.said)")
    #expect(server.command.said.contains("error[unwritable-file]"), "\(server.command.said)")
  }

  @Test(arguments: [("token", Int32(0)), ("tokens", 1)])
  func `a set-up runs once for all files below it, and its failure is reported once`(
    captured: String, code: Int32
  ) throws {
    let setup = """
      endpoints: { auth: { http: [{ post: /, respond: { json: { token: 7 } } }] } }
      setup:
        - request: { endpoint: auth, post: /, expect: { json: { \(captured): { $as: token } } } }

      """
    let server = try Server(
      [
        "rehearse.yaml": setup,
        "a.scenario.yaml": Self.scenario("Shop", "'${token}'", steps: Self.steps),
        "b.scenario.yaml": Self.scenario("Payments", "'${token}'", steps: Self.steps),
      ], "a.scenario.yaml b.scenario.yaml")
    if code == 0 {
      #expect(server.answer(of: "Shop::api") == "7")
      #expect(server.answer(of: "Payments::api") == "7")
    }
    #expect(server.command.exitCode() == code, "\(server.command.said)")
    let failures = server.command.said.ranges(of: "error[unexpected-answer]").count
    #expect(failures == Int(code), "\(server.command.said)")
  }

  @Test func `each scenario has a trace of its own`() throws {
    let server = try Server(
      [
        "a.scenario.yaml": Self.scenario("Shop", "[1]", steps: "steps: [{ wait: 1ms }]"),
        "more/a.scenario.yaml": Self.scenario("Shop", "[2]", steps: "steps: [{ wait: 1ms }]"),
      ], "a.scenario.yaml more --record=traces")
    #expect(server.command.exitCode() == 0, "\(server.command.said)")
    #expect(server.folder.text("traces/a.shop.trace.jsonl")?.contains("\"verdict\"") == true)
    #expect(server.folder.text("traces/a-2.shop.trace.jsonl")?.contains("\"verdict\"") == true)
    #expect(server.command.said.contains("\nmore/a.scenario.yaml:1::api  http://"))
  }
}
