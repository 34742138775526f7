import Diagnostics
import Glibc
import JSONSchemas
import TestKit
import Testing
import Values

/// `rehearse serve --json`, and a program that talks to it.
@Suite(.serialized) struct ServeMessagesTests {
  private static let feed = """
    scenario: Prices
    timeout: 10s
    endpoints:
      feed:
        resumable: true
        sse:
          - accept: { path: /prices }
            script:
              - event: { id: "1", data: { price: 41 } }
              - event: { id: "2", data: { price: 42 } }
              - wait: forever
      room: { websocket: [{ accept: {} }] }

    """
  private static let steps = "steps: [{ expect: { feed: { get: /prices } } }]\n"

  /// The program that has started the command.
  private final class Talk {
    private static let schema = fileText("schemas/serve-messages.schema.json").flatMap {
      try? JSONSchema.compile(parseJSON($0).get()).get()
    }
    let folder: TemporaryFolder
    let command: SpawnedCommand

    init(_ text: String, _ options: [String] = []) throws {
      folder = try TemporaryFolder()
      #expect(folder.write("feed.scenario.yaml", text))
      command = try #require(
        SpawnedCommand(
          ["serve", folder.file("feed.scenario.yaml"), "--json"] + options, listens: true))
    }

    /// Sends a command, which is one of the schema.
    func tell(_ line: String) throws {
      let schema = try #require(Talk.schema)
      #expect(schema.isValid(try parseJSON(line).get()), "\(line)")
      command.tell(line)
    }

    /// The messages so far, each of which is one of the schema.
    func messages() throws -> [Value] {
      let schema = try #require(Talk.schema)
      return try command.said.split(separator: "\n").filter { $0.hasPrefix("{") }.map { line in
        let message = try parseJSON(String(line)).get()
        #expect(schema.isValid(message), "\(line)")
        return message
      }
    }

    func messages(of type: Value) throws -> [Value] {
      try messages().filter { $0["type"] == type }
    }

    /// A client of an endpoint, once it can be reached.
    func client(of endpoint: String = "feed") throws -> PlainClient {
      #expect(command.says("\"type\":\"ready\""))
      let place = try #require(messages(of: "ready").first)["endpoints"]?[endpoint]
      guard case .int(let port)? = place?["port"] else { throw NoPort() }
      return try #require(PlainClient(port: UInt16(port)))
    }

    struct NoPort: Error {}
  }

  @Test func `ready says where the endpoints are, and what streams they have`() throws {
    let talk = try Talk(ServeMessagesTests.feed)
    _ = try talk.client()
    let ready = try #require(try talk.messages().first)
    #expect(ready["version"] == 1 && ready["title"] == "Prices")
    #expect(ready["scenario"]?.plainText.hasSuffix("feed.scenario.yaml::Prices") == true)
    #expect(ready["endpoints"]?["feed"]?["streams"] == ["sse"])
    #expect(ready["endpoints"]?["room"]?["webSocket"]?.plainText.hasPrefix("ws://") == true)
    try talk.tell(#"{"type":"stop"}"#)
    #expect(talk.command.exitCode() == 0)
  }

  @Test func `an event says what a client and the endpoint have done`() throws {
    let talk = try Talk(ServeMessagesTests.feed)
    let client = try talk.client()
    client.send("GET /prices HTTP/1.1\r\nHost: here\r\n\r\n")
    #expect(client.read(until: "42}").contains("41}"))
    #expect(talk.command.says("\"kind\":\"event\"", times: 2))
    let events = try talk.messages(of: "event")
    let request = try #require(events.first { $0["kind"] == "request" })
    #expect(request["source"] == "feed" && request["value"]?["path"] == "/prices")
    #expect(request["connection"] == 1 && request["from"] == "client")
    let sent = events.filter { $0["kind"] == "event" }
    #expect(sent.map { $0["value"]?["data"]?["price"] } == [41, 42])
  }

  @Test func `it serves behind its steps until it is stopped, and judges the steps`() throws {
    let talk = try Talk(ServeMessagesTests.feed + ServeMessagesTests.steps)
    let first = try talk.client()
    first.send("GET /prices HTTP/1.1\r\nHost: here\r\n\r\n")
    #expect(talk.command.says("stepsEnded"))
    #expect(first.read(until: "42}").contains("42}"))
    let second = try talk.client()
    second.send("GET /prices HTTP/1.1\r\nHost: here\r\n\r\n")
    #expect(second.read(until: "41}").contains("41}"))
    try talk.tell(#"{"type":"stop","id":"end"}"#)
    #expect(talk.command.exitCode() == 0)
    #expect(try talk.messages(of: "answer").map { $0["to"] } == ["end"])
    #expect(try talk.messages().last?["outcome"] == "passed")
  }

  @Test(arguments: [true, false])
  func `what did not come is missing soon after the end`(isTold: Bool) throws {
    let talk = try Talk(ServeMessagesTests.feed + ServeMessagesTests.steps)
    _ = try talk.client()
    if isTold {
      try talk.tell(#"{"type":"stop","within":"50ms"}"#)
    } else {
      talk.command.endInput()
    }
    #expect(talk.command.exitCode() == 1)
    let verdict = try #require(try talk.messages().last)
    #expect(verdict["type"] == "verdict" && verdict["outcome"] == "failed")
    guard case .list(let failures)? = verdict["failures"] else { throw Talk.NoPort() }
    #expect(failures.map { $0["id"] } == ["not-in-time"])
    let text = try #require(failures.first?["text"]).plainText
    #expect(text.hasPrefix("error[not-in-time]: ") && text.contains("feed.scenario.yaml:13:"))
    #expect(
      verdict["text"]?.plainText.hasSuffix("FAILED  Prices  0 assertions met, 1 failure") == false)
    #expect(verdict["text"]?.plainText.contains("\nFAILED  Prices  ") == true)
  }

  @Test func `the end of the input does not change what a stop has said`() throws {
    let talk = try Talk(ServeMessagesTests.feed + ServeMessagesTests.steps)
    try talk.tell(#"{"type":"stop","within":"3s"}"#)
    talk.command.endInput()
    #expect(talk.command.says(#""type":"answer""#))
    usleep(1_500_000)
    let client = try talk.client()
    client.send("GET /prices HTTP/1.1\r\nHost: here\r\n\r\n")
    #expect(client.read(until: "42}").contains("42}"))
    #expect(talk.command.exitCode() == 0)
  }

  @Test func `send makes an endpoint act as a step does, with values as they are`() throws {
    let talk = try Talk(ServeMessagesTests.feed)
    let client = try talk.client()
    try talk.tell(#"{"type":"send","id":1,"endpoint":"feed","event":"early"}"#)
    #expect(talk.command.says("no such connection open"))
    client.send("GET /prices HTTP/1.1\r\nHost: here\r\n\r\n")
    _ = client.read(until: "42}")
    try talk.tell(
      #"{"type":"send","endpoint":"feed","to":"last","event":{"id":"3","data":{"a":"${b}"}}}"#)
    #expect(client.read(until: "${b}").contains("id: 3\ndata: {\"a\":\"${b}\"}\n"))
    try talk.tell(#"{"type":"send","endpoint":"feed","to":1,"bytes":{"hex":"3a 68 69 0a"}}"#)
    #expect(client.read(until: ":hi\n").contains(":hi\n"))
    try talk.tell(#"{"type":"send","id":2,"endpoint":"feed","message":"not fit"}"#)
    #expect(talk.command.says("does not fit"))
    try talk.tell(#"{"type":"send","endpoint":"feed","close":true}"#)
    #expect(client.read(until: "\r\n0\r\n").hasSuffix("0\r\n\r\n"))
    #expect(talk.command.says("\"type\":\"answer\"", times: 5))
    let answers = try talk.messages(of: "answer")
    #expect(answers.map { $0["to"] } == [1, nil, nil, 2, nil])
    #expect(answers.map { $0["failure"] != nil } == [true, false, false, true, false])
  }

  @Test func `a message of a WebSocket goes to who is there`() throws {
    let talk = try Talk(ServeMessagesTests.feed)
    let client = try talk.client(of: "room")
    client.send(PlainClient.webSocketOpening)
    _ = client.read(until: "\r\n\r\n")
    try talk.tell(#"{"type":"send","endpoint":"room","message":{"news":1}}"#)
    #expect(client.read(until: "}").contains(#"{"news":1}"#))
    try talk.tell(#"{"type":"send","endpoint":"room","close":{"code":1001,"reason":"bye"}}"#)
    #expect(client.read(until: "bye").contains("bye"))
  }

  @Test func `disturb breaks a connection, and the steps are judged as in a sweep`() throws {
    let talk = try Talk(
      ServeMessagesTests.feed
        + "steps: [{ expect: { feed: [{ get: /prices }, { get: /prices }] } }]")
    let name = "cut after event 1 of feed, connection 1"
    _ = try talk.client(of: "room")
    try talk.tell(#"{"type":"disturb","name":"\#(name)"}"#)
    #expect(talk.command.says("\"type\":\"answer\""))
    // A client that is gone would have left its stream, which nobody expects.
    var clients: [PlainClient] = []
    for id in ["", "Last-Event-ID: 1\r\n"] {
      let client = try talk.client()
      clients.append(client)
      client.send("GET /prices HTTP/1.1\r\nHost: here\r\n\(id)\r\n")
      #expect(
        client.read(until: id.isEmpty ? "\u{0}" : "42}").contains("42}") != id.isEmpty)
    }
    try talk.tell(#"{"type":"disturb","name":"\#(name)"}"#)
    #expect(talk.command.says("has passed already"))
    try talk.tell(#"{"type":"stop"}"#)
    #expect(talk.command.exitCode() == 0)
    #expect(clients.count == 2)
  }

  @Test func `a disturbance that nobody came to fails`() throws {
    let talk = try Talk(ServeMessagesTests.feed)
    try talk.tell(#"{"type":"disturb","name":"refuse connection 1 of room"}"#)
    try talk.tell(#"{"type":"stop"}"#)
    #expect(talk.command.exitCode() == 1)
    #expect(talk.command.said.contains("\"id\":\"no-place-of-disturbance\""))
  }

  @Test(arguments: [
    ("stop", "a message is a JSON object"), ("{}", "has no `type`"),
    (#"{"type":"sent"}"#, "did you mean `send`?"),
    (#"{"type":"stop","within":"soon"}"#, "a duration such as `3s`"),
    (#"{"type":"send","endpoint":"fed","act":"drop"}"#, "did you mean `feed`?"),
    (#"{"type":"send","endpoint":"feed"}"#, "`send` has one of `event`"),
    (#"{"type":"send","endpoint":"feed","evnt":1}"#, "did you mean `event`?"),
    (#"{"type":"send","endpoint":"feed","act":"dorp"}"#, "did you mean `drop`?"),
    (#"{"type":"send","endpoint":"feed","act":"drop","to":0}"#, "the number of a connection"),
    (#"{"type":"disturb"}"#, "`disturb` needs `name`"),
    (#"{"type":"disturb","name":"cut it"}"#, "names no disturbance"),
    (#"{"type":"disturb","name":"refuse connection 1 of fed"}"#, "did you mean `feed`?"),
    (#"{"type":"stop","scenario":"other"}"#, "there is no scenario `other`"),
  ])
  func `a message that is no command gets an answer that says so`(line: String, words: String)
    throws
  {
    let talk = try Talk(ServeMessagesTests.feed)
    talk.command.tell(line)
    #expect(talk.command.says("\"type\":\"answer\""))
    let answer = try #require(try talk.messages(of: "answer").first)
    #expect(answer["failure"]?["id"] == "bad-message")
    #expect(answer["failure"]?["text"]?.plainText.contains(words) == true, "\(answer)")
  }

  @Test func `a file that does not load has its mistakes in a verdict`() throws {
    let talk = try Talk("scenario: Prices\nendpoint: {}\n")
    #expect(talk.command.exitCode() == 2)
    let verdict = try #require(try talk.messages().last)
    #expect(verdict["outcome"] == "could-not-run")
    #expect(verdict["text"]?.plainText.hasPrefix("error[unknown-key]: ") == true)
  }

  @Test func `of several scenarios, a command says for which it is`() throws {
    let talk = try Talk(
      ServeMessagesTests.feed,
      ["scenarios/serving/tasks.scenario.yaml"].map {
        packageRoot + "/" + $0
      })
    #expect(talk.command.says("\"type\":\"ready\"", times: 2))
    try talk.tell(#"{"type":"disturb","name":"refuse connection 1 of feed"}"#)
    #expect(talk.command.says("does not say for which it is"))
    let ids = try talk.messages(of: "ready").compactMap { $0["scenario"]?.plainText }
    for id in ids { try talk.tell(#"{"type":"stop","scenario":"\#(id)","within":"0s"}"#) }
    #expect(talk.command.exitCode() == 1)
    let outcomes = try talk.messages(of: "verdict").map { $0["outcome"]?.plainText }
    #expect(outcomes.map { $0 ?? "" }.sorted() == ["failed", "passed"])
  }
}
