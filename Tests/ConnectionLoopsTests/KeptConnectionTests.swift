import LiveConnections
import Synchronization
import Testing

@testable import ConnectionLoops

private func answer(_ text: String, _ field: String = "") -> String {
  "HTTP/1.1 200 OK\r\n\(field)Content-Length: \(text.count)\r\n\r\n\(text)"
}

/// Longer than a busy machine pauses a test.
private let longTime = Duration.seconds(3_600)

/// The connections of an `HTTPClient` on real sockets of this machine.
@Suite struct KeptConnectionTests {
  /// What a client does with the connections to a server.
  struct Course: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var answers: [LoopbackServer.Answer]
    var method = "GET"
    var keepAlive: Duration? = longTime
    var connections: Int
  }

  static let courses = [
    Course(
      testDescription: "a connection that both sides keep serves the next request",
      answers: ["1", "2", "3"].map { .init(text: answer($0)) }, connections: 1),
    Course(
      testDescription: "the server closes each connection",
      answers: ["1", "2", "3"].map { .init(text: answer($0, "Connection: close\r\n")) },
      connections: 3),
    Course(
      testDescription: "the server ends each connection without saying so",
      answers: ["1", "2", "3"].map { .init(text: answer($0), thenEnds: true) }, connections: 3),
    Course(
      testDescription: "the server does not promise to keep it long enough",
      answers: ["1", "2", "3"].map { .init(text: answer($0, "Keep-Alive: max=5, timeout=1\r\n")) },
      connections: 3),
    Course(
      testDescription: "a request that changes something uses a kept connection as well",
      answers: ["1", "2", "3"].map { .init(text: answer($0)) }, method: "POST", connections: 1),
    Course(
      testDescription: "the server ends each connection without saying so, after a change",
      answers: ["1", "2", "3"].map { .init(text: answer($0), thenEnds: true) }, method: "POST",
      connections: 3),
    Course(
      testDescription: "the client keeps none",
      answers: ["1", "2", "3"].map { .init(text: answer($0)) }, keepAlive: nil, connections: 3),
  ]

  @Test(arguments: courses) func `each answer arrives, on as few connections as may be`(
    _ course: Course
  ) async throws {
    let server = try LoopbackServer(course.answers)
    defer { server.end() }
    let client = HTTPClient(keepAlive: course.keepAlive)
    var texts: [String] = []
    for _ in course.answers {
      let request = ClientRequest(server.url("http", "/"), method: course.method)
      texts.append(try await client.response(to: request).text)
    }
    #expect(texts == ["1", "2", "3"])
    #expect(server.accepted == course.connections)
  }

  @Test func `a connection that ends as the request arrives is replaced`() async throws {
    // An empty answer and the end: the server was about to close.
    let server = try LoopbackServer([
      .init(text: answer("1")), .init(text: "", thenEnds: true), .init(text: answer("2")),
    ])
    defer { server.end() }
    let client = HTTPClient(keepAlive: longTime)
    for text in ["1", "2"] {
      #expect(try await client.response(to: ClientRequest(server.url("http", "/"))).text == text)
    }
    #expect(server.accepted == 2)
  }

  @Test func `a change that the server has taken is not sent again`() async throws {
    let server = try LoopbackServer([
      .init(text: answer("1")), .init(text: "", thenEnds: true), .init(text: answer("2")),
    ])
    defer { server.end() }
    let client = HTTPClient(keepAlive: longTime)
    let request = ClientRequest(server.url("http", "/"), method: "POST")
    #expect(try await client.response(to: request).text == "1")
    let problem = await thrownError { try await client.response(to: request) }
    guard case .connection? = problem else { throw UnexpectedValue() }
    #expect(server.accepted == 1)
  }

  @Test func `a new connection that ends without an answer is an error`() async throws {
    let server = try LoopbackServer([.init(text: "", thenEnds: true), .init(text: answer("1"))])
    defer { server.end() }
    let problem = await thrownError {
      try await HTTPClient().response(to: ClientRequest(server.url("http", "/")))
    }
    guard case .connection? = problem else { throw UnexpectedValue() }
    #expect(server.accepted == 1)
  }

  @Test func `requests at the same time have a connection each`() async throws {
    let server = try LoopbackServer(["1", "2", "3"].map { .init(text: answer($0)) })
    defer { server.end() }
    let (client, url) = (HTTPClient(keepAlive: longTime), server.url("http", "/"))
    let texts = try await withThrowingTaskGroup(of: String.self) { group in
      for _ in 0..<2 { group.addTask { try await client.response(to: ClientRequest(url)).text } }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(texts.sorted() == ["1", "2"])
    #expect(try await client.response(to: ClientRequest(url)).text == "3")
    #expect(server.accepted <= 2)
  }

  @Test func `a client that is released leaves nothing in the loop`() async throws {
    let server = try LoopbackServer([.init(text: answer("1"))])
    defer { server.end() }
    let loop = ConnectionLoop()
    var client: HTTPClient? = HTTPClient(on: loop)
    _ = try await client?.response(to: ClientRequest(server.url("http", "/")))
    client = nil
    let kept = await withCheckedContinuation { reply in
      loop.perform { loop.perform { reply.resume(returning: loop.keptEntries) } }
    }
    #expect(kept == 0)
    while loop.hasThread { try await ContinuousClock().sleep(for: .milliseconds(50)) }
  }

  @Test func `a stopped loop closes what is kept`() async throws {
    let server = try LoopbackServer([.init(text: answer("1"))])
    defer { server.end() }
    let loop = ConnectionLoop()
    let client = HTTPClient(on: loop)
    let request = ClientRequest(server.url("http", "/"))
    _ = try await client.response(to: request)
    await loop.stop()
    #expect(await thrownError { try await client.response(to: request) } == .loopStopped)
    while loop.hasThread { try await ContinuousClock().sleep(for: .milliseconds(50)) }
  }
}

/// Tasks that run on a loop.
@Suite struct LoopTasksTests {
  @Test func `a task on the loop finds its clients there`() async throws {
    let server = try LoopbackServer([.init(text: answer("1"))])
    defer { server.end() }
    let (loop, url) = (ConnectionLoop(), server.url("http", "/"))
    let isOnLoop = Task(executorPreference: loop.tasks) {
      let before = loop.isIsolatingCurrentContext()
      let text = try await HTTPClient(on: loop).response(to: ClientRequest(url)).text
      return [before, text == "1", loop.isIsolatingCurrentContext()]
    }
    #expect(try await isOnLoop.value == [true, true, true])
  }

  @Test func `the executor of a loop keeps the loop, and not the other way round`() async {
    weak var released: ConnectionLoop?
    do {
      let loop = ConnectionLoop()
      released = loop
      await Task(executorPreference: loop.tasks) {}.value
    }
    while released != nil { await Task.yield() }
  }
}
