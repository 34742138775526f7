import Diagnostics
import Glibc
import ScenarioEngine
import ScenarioRuns
import TestKit
import Testing
import Traces
import Values

/// What `rehearse serve` recorded of clients that use none of our code, replayed.
@Suite struct ReplayServedTests {
  /// A client: the bytes it sends, each after it read some text, and how it ends.
  struct Client: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var endpoint = "api"
    var sends: [(bytes: [UInt8], answer: String)] = []
    var vanishes = false
  }

  private static func client(
    _ name: String, _ requests: [(String, String)], vanishes: Bool = false
  ) -> Client {
    Client(
      testDescription: name,
      sends: requests.map { (Array(($0 + "\r\nHost: here\r\n\r\n").utf8), $1) },
      vanishes: vanishes)
  }

  private static func talker(
    _ name: String, _ frames: [([UInt8], String)], vanishes: Bool = false
  ) -> Client {
    Client(
      testDescription: name, endpoint: "room",
      sends: [(Array(PlainClient.webSocketOpening.utf8), "\r\n\r\n")] + frames,
      vanishes: vanishes)
  }

  private static func pipelined(_ count: Int) -> [UInt8] {
    Array(String(repeating: "GET /soon HTTP/1.1\r\nHost: here\r\n\r\n", count: count).utf8)
  }

  private static let hello = PlainClient.message("hello")
  private static let ping: [UInt8] = [0x89, 0x81, 0, 0, 0, 0, 0x70]

  static let clients = [
    client("asks twice", [("GET /tasks HTTP/1.1", "[1,2]"), ("GET /tasks?x=1 HTTP/1.1", "[1,2]")]),
    client("asks without a body", [("HEAD /tasks HTTP/1.1", "\r\n\r\n")]),
    client("asks for a stream to its end", [("GET /news HTTP/1.1", "two")]),
    client("leaves in the middle of a stream", [("GET /news HTTP/1.1", "one")]),
    client("breaks in the middle of a stream", [("GET /news HTTP/1.1", "one")], vanishes: true),
    client("reads lines", [("GET /lines HTTP/1.1", "{\"n\":2}")]),
    client("breaks while an answer is made", [("GET /late HTTP/1.1", "")], vanishes: true),
    client("asks for what the mock does not have", [("GET /none HTTP/1.1", "404")]),
    Client(
      testDescription: "does not wait for answers",
      sends: [(pipelined(4) + Array("GET /tasks HTTP/1.1\r\nHost: here\r\n\r\n".utf8), "[1,2]")]),
    Client(
      testDescription: "speaks HTTP 1.0",
      sends: [(Array("GET /tasks HTTP/1.0\r\n\r\n".utf8), "[1,2]")]),
    Client(
      testDescription: "sends pieces of a body",
      sends: [
        (
          Array(
            ("POST /orders HTTP/1.1\r\nHost: here\r\nTransfer-Encoding: chunked\r\n\r\n"
              + "3\r\nabc\r\n1\r\nd\r\n0\r\n\r\n").utf8), "1"
        )
      ]),
    Client(
      testDescription: "breaks the rules of HTTP",
      sends: [(Array("NONSENSE\r\n\r\n".utf8), "\r\n\r\n")]),
    talker("says hello and goodbye", [(hello, "welcome"), (PlainClient.farewell, "\u{3}")]),
    talker("pings, and says all at once", [(hello + ping + PlainClient.message("hi"), "done")]),
    talker("leaves a room without a word", [(hello, "welcome")]),
    talker("breaks in a room", [(hello, "welcome")], vanishes: true),
    talker("says something else", [(PlainClient.message("what"), "\u{3}")]),
    talker("breaks the rules of WebSockets", [([0xFF, 0xFF], "\u{3}")]),
    talker(
      "breaks the rules in the middle of a message",
      [([0x01, 0x81, 0, 0, 0, 0, 0x61] + ping + [0x83, 0x81, 1, 2, 3, 4, 0x61], "\u{3}")]),
    Client(
      testDescription: "asks, and then breaks the rules of HTTP",
      sends: [
        (Array("GET /tasks HTTP/1.1\r\nHost: here\r\n\r\nNO SENSE\r\n\r\n".utf8), "[1,2]"),
        ([], "\r\n\r\n"),
      ]),
    Client(
      testDescription: "leaves in the middle of a request",
      sends: [
        (Array("POST /orders HTTP/1.1\r\nHost: here\r\nContent-Length: 9\r\n\r\nab".utf8), "")
      ]),
    Client(
      testDescription: "breaks in the middle of a head",
      sends: [(Array("GET /tasks HTTP/1.1\r\nHo".utf8), "")], vanishes: true),
  ]

  private static let scenario = """
    scenario: A shop and a room
    endpoints:
      api:
        state: { orders: 0 }
        http:
          - { get: /tasks, respond: { json: [1, 2] } }
          - { get: /late, respond: { text: late, after: 50ms } }
          - { get: /soon, respond: { text: soon, after: 1ms } }
          - post: /orders
            script: [{ set: { orders: "${orders + 1}" } }, { respond: { json: "${orders}" } }]
        sse: [{ accept: { path: /news }, script: [{ event: one }, { wait: 60ms }, { event: two }] }]
        ndjson:
          - accept: { path: /lines }
            script: [{ event: { data: { n: 1 } } }, { event: { data: { n: 2 } } }]
      room:
        websocket:
          - accept: { path: /room }
            script: [{ receive: hello }, { send: welcome }, { receive: hi }, { send: done }]

    """

  @Test(arguments: clients)
  func `what clients of other programs did is replayed without a divergence`(
    client: Client
  ) throws {
    let recording = try Recording(Self.scenario, ["--forever"])
    recording.play(client)
    recording.play(client)
    #expect(recording.stop(by: SIGINT) != nil)
    let replayed = try recording.replay()
    // A run that failed fails again; it is not another run.
    #expect(!replayed.said.contains("DIVERGED"), "\(replayed.said)\n\(recording.trace)")
    #expect(!replayed.said.contains("bytes-not-recorded"), "\(replayed.said)\n\(recording.trace)")
    // Each breach of the rules has its bytes.
    let breaches = recording.trace.split(separator: "\n").filter {
      $0.contains("\"kind\":\"problem\"") && $0.contains("\"from\":\"client\"")
    }
    let bytes = recording.trace.split(separator: "\n").filter {
      $0.contains("\"kind\":\"bytes\"") && $0.contains("\"from\":\"client\"")
    }
    #expect(breaches.count <= bytes.count, "\(recording.trace)")
    let pings = client.sends.filter { $0.bytes.contains(Self.ping) }.count * 2
    let recorded = recording.trace.split(separator: "\n").filter {
      $0.contains("\"kind\":\"ping\"")
    }
    #expect(recorded.count == pings, "\(recording.trace)")
  }

  @Test func `the part of a head that was too slow is recorded and replayed`() throws {
    let text = """
      scenario: A shop
      endpoints: { api: { http: [{ get: /tasks, respond: { json: [1] } }] } }

      """
    let served = try Served(text, requestHeadTimeout: 30_000, isRecorded: true) { ports in
      let slow = PlainClient(port: ports["api"] ?? 0)
      slow?.send("GET /tasks HT")
      return [slow?.read(until: "\u{0}") ?? ""]
    }
    let trace = String(decoding: served.trace, as: UTF8.self)
    #expect(trace.contains(Base64.encode(Array("GET /tasks HT".utf8))), "\(trace)")
    let file = loadScenarios(SourceFile(path: "shop.yaml", text: text))
    let replayed = replay(
      try #require(file.plans.first), by: try #require(ReadTrace(served.trace).onlyRun),
      inputs: RunInputs(seed: 1), sources: file.sources)
    #expect(replayed.comparison.visits.brokenAt.isEmpty)
    #expect(replayed.comparison.divergences.isEmpty, "\(replayed.comparison.divergences)\n\(trace)")
  }

  /// As a version before pings were recorded wrote it.
  @Test func `a trace without pings is replayed by its pongs`() throws {
    let recording = try Recording(Self.scenario, ["--forever"])
    recording.play(try #require(Self.clients.first { $0.testDescription.hasPrefix("pings") }))
    #expect(recording.stop(by: SIGINT) != nil)
    let lines = recording.trace.split(separator: "\n", omittingEmptySubsequences: false)
    try recording.setTrace(
      lines.filter { !$0.contains("\"kind\":\"ping\"") }.joined(separator: "\n"))
    let replayed = try recording.replay()
    #expect(!replayed.said.contains("DIVERGED"), "\(replayed.said)\n\(recording.trace)")
  }

  @Test func `a ping of a server is recorded and replayed, with the pong that answers it`() throws {
    let folder = try TemporaryFolder()
    let isWritten = folder.write(
      "a.yaml",
      """
      scenario: A ping
      endpoints:
        chat:
          websocket:
            - accept: {}
              script: [{ bytes: { hex: 89 01 61 } }, { wait: 1s }, { send: hi }, { wait: forever }]
      connections: { room: { websocket: { endpoint: chat, path: / } } }
      steps: [{ ignore: [chat, room.state] }, { connect: room }, { expect: { room: hi } }]

      """)
    try #require(isWritten)
    let run = try #require(
      SpawnedCommand(["run", folder.file("a.yaml"), "--record=" + folder.file("traces")]))
    #expect(run.exitCode() == 0, "\(run.said)")
    let trace = try #require(folder.text("traces/a.a-ping.trace.jsonl"))
    for line in [
      #""kind":"ping","source":"chat","#,
      #""value":{"$bytes":"YQ=="},"connection":1,"from":"server""#,
      #""kind":"pong","source":"chat","#,
      #""value":{"$bytes":"YQ=="},"connection":1,"from":"client""#,
    ] {
      #expect(trace.contains(line), "\(trace)")
    }
    let path = folder.file("traces/a.a-ping.trace.jsonl")
    for words in [["replay", path], ["run", folder.file("a.yaml"), "--against", "trace:" + path]] {
      let again = try #require(SpawnedCommand(words))
      #expect(again.exitCode() == 0, "\(words): \(again.said)\n\(trace)")
    }
  }

  /// Whether the server sees that a client has left before or after an answer is due is a race, and
  /// the trace does not say how it ended for the answers that nobody reads.
  @Test func `a client that leaves before its last answers is replayed`() throws {
    let client = Client(
      testDescription: "leaves before the last answers",
      sends: [(Self.pipelined(5), "soonHTTP/1.1 200")])
    let recording = try Recording(Self.scenario, ["--forever"])
    recording.play(client)
    #expect(recording.stop(by: SIGINT) != nil)
    let replayed = try recording.replay()
    withKnownIssue("an answer that was due as the client left may be extra", isIntermittent: true) {
      #expect(!replayed.said.contains("DIVERGED"), "\(replayed.said)\n\(recording.trace)")
    }
  }

  private static let steps = """
    connections: { mine: { websocket: { endpoint: room, path: /room } } }
    steps:
      - ignore: [api, room, mine]
      - request: { endpoint: api, get: /tasks, expect: { json: [1, 2] } }
      - connect: mine
      - send: { mine: hello }
      - eventually: api.orders == 1
      - serve: { room: { send: news } }
      - request: { endpoint: api, get: /soon }
      - serve: { room: { close: { code: 1001 } } }

    """

  @Test func `what the scenario's own clients send while it serves happens again by itself`() throws
  {
    let recording = try Recording(Self.scenario + Self.steps)
    recording.play(Self.clients[12])
    recording.play(Self.clients[10])
    #expect(recording.command.exitCode() == 0, "\(recording.command.said)")
    #expect(recording.trace.contains("\"own\":true"))
    let replayed = try recording.replay()
    #expect(replayed.code == 0, "\(replayed.said)\n\(recording.trace)")
  }

  @Test(arguments: [
    ("\"body\":\"welcome\"", "", ""),
    ("respond: { json: [1, 2] }", "respond: { json: [1, 3] }", "class     another value"),
    ("after: 1ms", "after: 1s", "class     too late"),
    ("{ event: { data: { n: 2 } } }", "{ wait: 1ms }", "class     another value"),
    ("{ event: one }", "{ event: one }, { event: one }", "class     another value"),
    ("{ send: welcome }", "{ send: welcome }, { send: welcome }", "class     extra"),
    ("path: /room }", "path: /other }", "class     another value"),
  ])
  func `a mock that answers otherwise diverges from what was recorded`(
    old: String, new: String, said: String
  ) throws {
    let recording = try Recording(Self.scenario, ["--forever"])
    for index in [0, 2, 5, 8] { recording.play(Self.clients[index]) }
    recording.play(Self.clients[12])
    #expect(recording.stop(by: SIGINT) != nil)
    try recording.change(old, to: new)
    let replayed = try recording.replay()
    #expect(replayed.said.contains(said), "\(replayed.said)")
    #expect(replayed.said.contains("shop.yaml:") || said.isEmpty, "\(replayed.said)")
  }

  @Test func `a trace of a server that was killed is played up to its last line`() throws {
    let recording = try Recording(Self.scenario, ["--forever"])
    recording.play(Self.clients[0])
    recording.play(Self.clients[13])
    _ = recording.stop(by: SIGKILL)
    try recording.keepPartial()
    #expect(try recording.replay().said.contains("error[trace-cut]"))
    let allowed = try recording.replay(["--allow-cut"])
    #expect(allowed.code == 0, "\(allowed.said)")
  }

  /// A server of its own process that records, and the trace that it leaves.
  private final class Recording {
    let command: SpawnedCommand
    private let folder: TemporaryFolder
    private var ports: [String: UInt16] = [:]

    init(_ scenario: String, _ options: [String] = []) throws {
      folder = try TemporaryFolder()
      #expect(folder.write("shop.yaml", scenario))
      command = try #require(
        SpawnedCommand(
          [
            "serve", folder.file("shop.yaml"), "--record=" + folder.file("traces"),
            "--ports-file", folder.file("ports.json"),
          ] + options))
      try #require(command.says("room  "), "\(command.said)")
      for _ in 0..<1_000 where folder.text("ports.json")?.hasSuffix("}\n") != true { usleep(1_000) }
      let parts = (folder.text("ports.json") ?? "").split(separator: "\"http://127.0.0.1:")
      for (name, part) in zip(["api", "room"], parts.dropFirst()) {
        ports[name] = UInt16(part.prefix { $0.isNumber })
      }
    }

    var trace: String { folder.text("traces/shop.a-shop-and-a-room.trace.jsonl") ?? "" }

    func play(_ client: Client) {
      guard let port = ports[client.endpoint], let plain = PlainClient(port: port) else { return }
      for (bytes, answer) in client.sends {
        plain.send(bytes: bytes)
        if !answer.isEmpty { _ = plain.read(until: answer) }
      }
      if client.vanishes { plain.vanish() }
    }

    /// Ends the server once it has seen that its clients left.
    func stop(by signal: Int32) -> Int32? {
      usleep(100_000)
      command.interrupt(by: signal)
      return command.exitCode()
    }

    func setTrace(_ text: String) throws {
      #expect(folder.write("traces/shop.a-shop-and-a-room.trace.jsonl", text))
    }

    func change(_ old: String, to new: String) throws {
      let text = try #require(folder.text("shop.yaml"))
      #expect(folder.write("shop.yaml", text.replacing(old, with: new)))
    }

    /// Gives the trace of a server that was killed the name of a complete one.
    func keepPartial() throws {
      let text = try #require(folder.text("traces/shop.a-shop-and-a-room.trace.jsonl.partial"))
      #expect(folder.write("traces/shop.a-shop-and-a-room.trace.jsonl", text))
    }

    func replay(_ options: [String] = []) throws -> (code: Int32?, said: String) {
      let path = folder.file("traces/shop.a-shop-and-a-room.trace.jsonl")
      let replayed = try #require(SpawnedCommand(["replay", path, "-v"] + options))
      let code = replayed.exitCode()
      return (code, replayed.said)
    }
  }
}
