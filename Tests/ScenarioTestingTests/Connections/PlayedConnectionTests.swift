import ConnectionLoops
import ScenarioTesting
import TestKit
import Testing

/// Swift clients play the connections of scenario files, which `rehearse run` runs with connections
/// in YAML. What these files expect is the same for both.
@Suite struct PlayedConnectionTests {
  private static let streams = "scenarios/live/event-streams.scenario.yaml"

  private static func scenarios(_ path: String, of titles: [String]) -> [Scenario] {
    Scenarios(in: path).filter { scenario in titles.contains { scenario.title.hasPrefix($0) } }
  }

  @Test(arguments: Scenarios(in: "scenarios/live/prices.scenario.yaml"))
  func `prices hold`(_ scenario: Scenario) async {
    let stage = Stage()
    stage.bind(connection: "prices") {
      $0.events("feed", "/prices", retry: RetryPolicy(maxAttempts: 5))
    }
    await stage.test(scenario)
  }

  @Test(
    arguments: scenarios(
      streams,
      of: ["An event has a type", "Without a policy", "A redirect is followed on the same"]))
  func `streams without a policy hold`(_ scenario: Scenario) async {
    let stage = Stage()
    stage.bind(connection: "news") { $0.events("feed", "/news") }
    await stage.test(scenario)
  }

  @Test(arguments: scenarios(streams, of: ["Who disconnects is not brought back"]))
  func `a client that is disconnected by a step may come back`(_ scenario: Scenario) async {
    let stage = Stage()
    stage.bind(connection: "news") {
      $0.events("feed", "/news", retry: RetryPolicy(maxAttempts: 5))
    }
    await stage.test(scenario)
  }

  @Test(arguments: scenarios(streams, of: ["Disconnecting in a pause", "A server that falls"]))
  func `pauses and silence are those of the client`(_ scenario: Scenario) async {
    let stage = Stage()
    let isSilent = scenario.title.hasPrefix("A server")
    stage.bind(connection: "news") {
      $0.events(
        "feed", "/news", retry: RetryPolicy(initialDelay: .seconds(isSilent ? 2 : 10)),
        idle: isSilent ? .seconds(30) : nil)
    }
    await stage.test(scenario)
  }

  @Test(arguments: Scenarios(in: "scenarios/live/chat.scenario.yaml"))
  func `a chat holds`(_ scenario: Scenario) async {
    let stage = Stage()
    stage.bind(connection: "room") {
      $0.webSocket(
        "chat", "/room", protocols: ["chat.v2", "chat.v1"],
        ping: PingPolicy(interval: .seconds(30), maxFailures: 3))
    }
    await stage.test(scenario)
  }

  @Test(
    arguments: scenarios(
      "scenarios/live/websockets.scenario.yaml",
      of: ["Messages go both ways", "A client that leaves", "A handler that returns"]))
  func `WebSockets hold`(_ scenario: Scenario) async {
    let stage = Stage()
    let path = scenario.title.hasPrefix("Messages") ? "/room?user=Ada" : "/"
    stage.bind(connection: "room") { $0.webSocket("chat", path, ping: nil) }
    await stage.test(scenario)
  }

  @Test(
    arguments: scenarios(
      "scenarios/live/lines.scenario.yaml", of: ["A line is a JSON value", "A page is no lines"]))
  func `lines hold`(_ scenario: Scenario) async {
    let stage = Stage()
    let path = scenario.title.hasPrefix("A line") ? "/changes" : "/"
    stage.bind(connection: "changes") { $0.lines("feed", path) }
    await stage.test(scenario)
  }

  @Test(arguments: Scenarios(in: "scenarios/live/terminating.scenario.yaml").prefix(1))
  func `the end of a client is the end of its sources`(_ scenario: Scenario) async {
    let stage = Stage()
    stage.bind(connection: "feed") { $0.events("desk") }
    stage.bind(connection: "chat") { $0.webSocket("desk") }
    await stage.test(scenario)
  }

  @Test func `a trace is the one of the connection in YAML`() async throws {
    let scenario = try #require(Scenarios(in: "scenarios/live/prices.scenario.yaml").first)
    let stage = Stage()
    let written = await stage.outcome(of: scenario)
    stage.bind(connection: "prices") {
      $0.events("feed", "/prices", retry: RetryPolicy(maxAttempts: 5))
    }
    let swift = await stage.outcome(of: scenario)
    #expect(written.trace == swift.trace)
  }

  @Test func `a client with another policy fails where the scenario says so`() async throws {
    let scenario = try #require(Scenarios(in: "scenarios/live/prices.scenario.yaml").first)
    let stage = Stage()
    stage.bind(connection: "prices") { $0.events("feed", "/prices") }
    #expect(await stage.outcome(of: scenario).result == .failed)
  }
}

// What does not fit.
extension PlayedConnectionTests {
  private static let text = """
    scenario: A feed
    endpoints: { feed: { sse: [{ accept: {} }], websocket: [{ accept: {} }] } }
    connections:
      news: { sse: { endpoint: feed, path: / } }
      room: { websocket: { endpoint: feed, path: / } }
      lines: { ndjson: { endpoint: feed, path: / } }
    steps: [{ connect: news }, { expect: { news.state: [connecting, connected] } }]
    """

  private func report(_ bind: (Stage) -> Void) async throws -> String {
    let stage = Stage()
    bind(stage)
    let outcome = await stage.outcome(of: try #require(Scenarios(text: Self.text).first))
    return try #require(outcome.failures.first).report
  }

  @Test func `a connection that the scenario does not have is named`() async throws {
    let found = try await report { $0.bind(connection: "new") { $0.events("feed") } }
    #expect(found.contains("Swift binds the connection `new`, which the scenario does not have"))
    #expect(found.contains("did you mean `news`?"))
  }

  @Test func `a client of another protocol is named with the connection's`() async throws {
    let socket = try await report { $0.bind(connection: "news") { $0.webSocket("feed") } }
    #expect(socket.contains("`news` is an event stream, and a `WebSocketClient` plays it"))
    let stream = try await report { $0.bind(connection: "room") { $0.events("feed") } }
    #expect(
      stream.contains("`room` is a WebSocket, and an `EventStreamClient` of events plays it"))
    let lines = try await report { $0.bind(connection: "lines") { $0.events("feed") } }
    #expect(
      lines.contains(
        "`lines` is a stream of lines, and an `EventStreamClient` of events plays it"))
  }
}
