import Glibc
import TestKit
import Testing

/// `rehearse serve` as a shell runs it, and a client on a plain socket.
@Suite(.serialized) struct ServeCommandTests {
  private static let scenario = """
    scenario: Tasks are asked for, and told of
    timeout: 10s
    endpoints:
      api:
        http: [{ get: /tasks, respond: { json: [1, 2] } }]
      live:
        websocket:
          - accept: { path: /room }
            script: [{ receive: hello }, { send: welcome }, { wait: forever }]
    steps:
      - expect: { api: { get: /tasks } }
      - expect: { live: [{ get: /room }, { message: hello }] }

    """

  @Test func `the conversation that was expected ends it with 0`() throws {
    let served = try Server()
    #expect(PlainClient(port: served.api)?.get("/tasks").hasSuffix("\r\n\r\n[1,2]") == true)
    // A client that leaves is an event, which nothing expects here.
    let room = PlainClient(port: served.live)
    var heard = enter(room, saying: "hello")
    #expect(served.command.exitCode() == 0)
    heard += room?.read(until: "\u{0}") ?? ""
    // Behind it a goodbye of 1001, whose first byte is 3.
    #expect(heard.split(separator: "welcome").last?.contains("\u{3}") == true)
    let said = served.command.said
    #expect(said.contains("api → GET /tasks (connection 1)\n"))
    #expect(said.contains("live ← message \"welcome\" (connection 1)\n"))
    #expect(said.contains("\npassed  Tasks are asked for, and told of  "))
  }

  @Test func `the ports are those that were printed, those of the file, and those asked for`()
    throws
  {
    let served = try Server(["--port", "api=\(try #require(freePort()))"])
    #expect(served.command.said.contains("api   http://127.0.0.1:\(served.api)\n"))
    #expect(served.command.said.contains("  ws://127.0.0.1:\(served.live)\n"))
    let asked = served.arguments.last?.split(separator: "=").last.flatMap { UInt16($0) }
    #expect(served.api == asked)
    #expect(PlainClient(port: served.api) != nil && PlainClient(port: served.live) != nil)
  }

  @Test(arguments: ["/task", "room"])
  func `another conversation ends it with 1, and says what was wrong`(what: String) throws {
    let served = try Server()
    if what == "room" {
      #expect(PlainClient(port: served.api)?.get("/tasks").hasPrefix("HTTP/1.1 200 ") == true)
      _ = enter(PlainClient(port: served.live), saying: "good day")
      #expect(served.command.exitCode() == 1)
      #expect(served.command.said.contains("error[other-message]: "))
    } else {
      _ = PlainClient(port: served.api)?.get(what)
      #expect(served.command.exitCode() == 1)
      #expect(served.command.said.contains("error[unmatched-request]: "))
    }
    #expect(served.command.said.contains("shop.yaml:"))
    #expect(served.command.said.contains("\nFAILED  Tasks are asked for"))
  }

  @Test(arguments: [SIGINT, SIGTERM])
  func `a signal before the steps are done gives a whole report and its own code`(signal: Int32)
    throws
  {
    let served = try Server()
    #expect(PlainClient(port: served.api)?.get("/tasks").hasPrefix("HTTP/1.1 200 ") == true)
    #expect(served.command.says("api ← 200"))
    served.command.interrupt(by: signal)
    #expect(served.command.exitCode() == 128 + signal)
    #expect(served.command.said.contains("error[interrupted]: "))
    #expect(served.command.said.contains("\nFAILED  Tasks are asked for"))
    #expect(served.log.contains("\"outcome\":\"failed\""))
  }

  @Test(arguments: [(SIGINT, "/tasks", Int32(0)), (SIGTERM, "/task", 1)])
  func `who serves until a signal is judged by what came`(
    signal: Int32, path: String, code: Int32
  ) throws {
    let served = try Server(["--forever"])
    // What no client sent is missed as well.
    #expect(enter(PlainClient(port: served.live), saying: "hello").contains("welcome"))
    _ = PlainClient(port: served.api)?.get(path)
    #expect(served.command.says("api ←"))
    served.command.interrupt(by: signal)
    #expect(served.command.exitCode() == code)
    #expect(served.command.said.contains(code == 0 ? "\npassed  Tasks" : "\nFAILED  Tasks"))
  }

  @Test(arguments: [
    ("shop.yaml:2", Int32(0)), ("shop.yaml::Good", 0), ("shop.yaml:7", 2), ("shop.yaml", 2),
  ])
  func `a scenario that is named is served beside broken ones`(
    selector: String, code: Int32
  ) throws {
    let folder = try TemporaryFolder()
    let isWritten = folder.write(
      "shop.yaml",
      """
      scenario: Good
      endpoints: { api: { http: [{ get: /, respond: { status: 200 } }] } }
      steps: [{ wait: 1ms }]
      ---
      scenario: Broken
      endpoints: { api: { http: [{ get: /, respond: { status: 200 } }] } }
      steps: [{ check: nothing == 1 }]

      """)
    try #require(isWritten)
    let command = try #require(SpawnedCommand(["serve", folder.file(selector)]))
    #expect(command.exitCode() == code)
    #expect(command.said.contains("error[unknown-name]") == (code != 0))
  }

  @Test(arguments: [(["--record"], Int32(2), "error[record-on-a-server]"), ([], 0, "passed")])
  func `on a build server a trace is recorded into a given folder alone`(
    options: [String], code: Int32, said: String
  ) throws {
    let folder = try TemporaryFolder()
    let isWritten = folder.write(
      "shop.yaml",
      """
      scenario: Good
      endpoints: { api: { http: [{ get: /, respond: { status: 200 } }] } }
      steps: [{ wait: 1ms }]

      """)
    try #require(isWritten)
    let given = options.isEmpty ? ["--record=" + folder.file("traces")] : options
    let line = ["CI=1", SpawnedCommand.built("rehearse"), "serve", folder.file("shop.yaml")]
    let command = try #require(SpawnedCommand(line + given, program: "/usr/bin/env"))
    #expect(command.exitCode() == code)
    #expect(command.said.contains(said), "\(command.said)")
    #expect((folder.text("traces/shop.good.trace.jsonl") != nil) == (code == 0))
  }

  /// The answer of the room.
  private func enter(_ client: PlainClient?, saying message: String) -> String {
    client?.send(PlainClient.webSocketOpening)
    _ = client?.read(until: "\r\n\r\n")
    client?.send(bytes: PlainClient.message(message))
    return client?.read(until: "welcome") ?? ""
  }

  /// Returns a port that no process listens on.
  private func freePort() -> UInt16? {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(descriptor) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    inet_pton(AF_INET, "127.0.0.1", &address.sin_addr)
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isKnown = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, length) == 0 && getsockname(descriptor, $0, &length) == 0
      }
    }
    return isKnown ? UInt16(bigEndian: address.sin_port) : nil
  }

  /// The running command, in a folder of its own.
  private final class Server {
    let command: SpawnedCommand
    let arguments: [String]
    private let folder: TemporaryFolder
    private(set) var api: UInt16 = 0
    private(set) var live: UInt16 = 0

    init(_ more: [String] = []) throws {
      folder = try TemporaryFolder()
      let isWritten = folder.write("shop.yaml", ServeCommandTests.scenario)
      try #require(isWritten)
      arguments =
        [
          "serve", folder.file("shop.yaml"), "--ports-file", folder.file("ports.json"),
          "--log", folder.file("log"),
        ] + more
      command = try #require(SpawnedCommand(arguments))
      try #require(command.says("ws://127.0.0.1:"), "\(command.said)")
      try #require(command.says("\n"))
      api = try #require(port(after: "\"http://127.0.0.1:", place: 0))
      live = try #require(port(after: "\"http://127.0.0.1:", place: 1))
    }

    var log: String { text(of: "log") }

    /// Returns a port from the file of ports, which is written soon after the line for people.
    private func port(after words: String, place: Int) -> UInt16? {
      for _ in 0..<1_000 where !text(of: "ports.json").hasSuffix("}\n") { usleep(1_000) }
      let parts = text(of: "ports.json").split(separator: words).dropFirst()
      guard parts.count > place else { return nil }
      return UInt16(parts.dropFirst(place).first?.prefix { $0.isNumber } ?? "")
    }

    private func text(of name: String) -> String { folder.text(name) ?? "" }
  }
}
