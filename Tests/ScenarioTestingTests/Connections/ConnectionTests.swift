import ConnectionLoops
import ScenarioTesting
import Testing

/// The clients of a Swift object, which stay connected to endpoints of the scenario.
@Suite struct ConnectionTests {
  private func outcome(
    of text: String, _ bind: (Stage) -> Void
  ) async throws -> ScenarioOutcome {
    let stage = Stage()
    bind(stage)
    return await stage.outcome(of: try #require(Scenarios(text: text).first))
  }

  private func reports(_ text: String, _ bind: (Stage) -> Void) async throws -> [String] {
    try await outcome(of: text, bind).failures.map(\.report)
  }

  private static let dropped = """
    scenario: A feed breaks and is resumed
    endpoints:
      feed:
        sse:
          - accept: { path: /prices }
            script:
              - event: { id: "1", data: one }
              - wait: 3s
              - event: { id: "2", data: two }
              - drop
          - refuse: { status: 503 }
          - accept: { headers: { Last-Event-ID: "2" } }
            script: [{ event: { id: "3", data: three } }, { wait: forever }]
    \(readerOfFeeds)
    steps:
      - send: reader.open
      - expect:
          - reader.seen: one
          - reader.seen: one two
            after: 3s
          - reader.seen: one two three
            after: 3s
      - check: count(feed) == 3
      - send: reader.end
      - expect: { reader.problem: the end }
    """

  @Test func `a stream is read, and resumed after the connection was lost`() async throws {
    let found = try await reports(Self.dropped) { stage in
      stage.bind("reader") {
        FeedReader($0.events("feed", "/prices", retry: RetryPolicy(maxAttempts: 5)))
      }
    }
    #expect(found == [])
  }

  @Test func `a client that stays connected is listed at the end`() async throws {
    let text = Self.dropped.replacing("  - send: reader.end", with: "  # the end")
      .replacing("  - expect: { reader.problem: the end }", with: "")
    let found = try await outcome(of: text) { stage in
      stage.bind("reader") {
        FeedReader($0.events("feed", "/prices", retry: RetryPolicy(maxAttempts: 5)))
      }
    }
    #expect(found.result == .passed, "\(found.report)")
    #expect(found.leftOpen == ["client reader at feed, connected"])
    #expect(found.warnings.isEmpty)
    let ended = try await outcome(of: Self.dropped) { stage in
      stage.bind("reader") {
        FeedReader($0.events("feed", "/prices", retry: RetryPolicy(maxAttempts: 5)))
      }
    }
    #expect(ended.leftOpen == [])
  }

  @Test func `two runs have one trace to the byte, with what the client sent`() async throws {
    var traces: [String] = []
    for _ in 0..<2 {
      traces.append(
        try await outcome(of: Self.dropped) { stage in
          stage.bind("reader") {
            FeedReader(
              $0.events("feed", "/prices", retry: RetryPolicy(initialDelay: .seconds(1))))
          }
        }.trace)
    }
    #expect(traces[0] == traces[1])
    #expect(traces[0].contains(#""last-event-id":"2""#))
  }

  @Test func `jitter is the same for one seed, and another for another seed`() async throws {
    let text = Self.dropped.replacing("steps:\n", with: "steps:\n  - ignore: [reader.seen]\n")
    var traces: [String] = []
    for seed in [1, 1, 2] {
      let stage = Stage(seed: seed)
      stage.bind("reader") {
        FeedReader($0.events("feed", "/prices", retry: RetryPolicy(jitter: 0.5)))
      }
      let scenario = try #require(Scenarios(text: text).first)
      traces.append(await stage.outcome(of: scenario).trace)
    }
    #expect(traces[0] == traces[1])
    #expect(traces[1] != traces[2])
  }

  @Test func `a client of the program reaches the endpoint by the host of its URL`() async throws {
    let text = """
      scenario: A feed of production
      endpoints:
        feed:
          url: https://api.example.com/v1
          sse:
            - accept: { path: /prices, query: { of: ACME } }
              script: [{ event: one }, { wait: forever }]
      \(readerOfFeeds)
      steps:
        - send: reader.open
        - expect:
            reader.seen: one
            feed: { get: /prices?of=ACME }
      """
    let found = try await reports(text) { stage in
      stage.bind("reader") {
        FeedReader(
          EventStreamClient("https://api.example.com/v1/prices?of=ACME", on: $0.loop))
      }
    }
    #expect(found == [])
  }

  @Test func `a refusal reaches the client with its body`() async throws {
    let text = """
      scenario: No feed
      endpoints:
        feed: { sse: [{ refuse: { status: 404, text: no such feed } }] }
      \(readerOfFeeds)
      steps:
        - send: reader.open
        - expect: { reader.problem: 404 no such feed }
        - never: [reader.problem]
          for: 1m
        - check: count(feed) == 1
      """
    let found = try await reports(text) { stage in
      stage.bind("reader") { FeedReader($0.events("feed", retry: RetryPolicy())) }
    }
    #expect(found == [])
  }

  @Test func `cancelling a task ends its attempt to connect`() async throws {
    let text = """
      scenario: A patient server
      endpoints:
        feed: { sse: [{ accept: {}, script: [{ wait: forever }] }] }
      \(readerOfFeeds)
      steps:
        - network: { latency: 10s }
        - send: reader.open
        - wait: 1s
        - send: reader.giveUp
        - expect: { reader.problem: the task was cancelled }
        - never: [reader.seen]
          for: 1m
      """
    let found = try await reports(text) { stage in
      stage.bind("reader") { FeedReader($0.events("feed")) }
    }
    #expect(found == [])
  }

  @Test func `a lost network cuts the stream, and the client comes back with it`() async throws {
    let text = """
      scenario: A tunnel
      endpoints:
        feed:
          sse:
            - accept: {}
              script: [{ event: { id: "1", data: one } }, { wait: forever }]
            - accept: { headers: { Last-Event-ID: "1" } }
              script: [{ event: { id: "2", data: two } }, { wait: forever }]
      \(readerOfFeeds)
      steps:
        - send: reader.open
        - expect: { reader.seen: one }
        - wait: 1s
        - network: offline
        - never: [reader.seen]
          for: 5s
        - network: online
        - expect:
            - reader.seen: one two
              after: 2s
      """
    let found = try await reports(text) { stage in
      stage.bind("reader") { FeedReader($0.events("feed", retry: RetryPolicy())) }
    }
    #expect(found == [])
  }

  @Test func `without a network there is no connection`() async throws {
    let text = """
      scenario: Offline
      endpoints:
        feed: { sse: [{ accept: {} }] }
      \(readerOfFeeds)
      steps:
        - network: offline
        - send: reader.open
        - expect: { reader.problem: "no connection: offline" }
      """
    let found = try await reports(text) { stage in
      stage.bind("reader") { FeedReader($0.events("feed")) }
    }
    #expect(found == [])
  }

  @Test func `faults of the scenario strike the connections of a Swift client`() async throws {
    let text = """
      scenario: A bad line
      endpoints:
        feed: { sse: [{ accept: {} }] }
      \(readerOfFeeds)
      steps:
        - network: { feed: { faults: { refuse: 1 } } }
        - send: reader.open
        - expect: { reader.problem: "no connection: connectionFailed: refused" }
      """
    let outcome = try await outcome(of: text) { stage in
      stage.bind("reader") { FeedReader($0.events("feed")) }
    }
    #expect(outcome.failures.map(\.report) == [])
    #expect(outcome.trace.contains("refused"))
  }

  @Test func `lines and answers come by the clients of the library`() async throws {
    let text = """
      scenario: Changes since the last number
      endpoints:
        api:
          http: [{ get: /last, respond: { json: { number: 7 } } }]
          ndjson:
            - accept: { path: /changes, query: { since: "7" } }
              script: [{ event: { data: { id: 8 } } }, { wait: 2s }, { event: { data: { id: 9 } } }]
      providers:
        changes: { items: [] }
      reactors:
        list:
          state: { changes: none }
          actions: { load: [{ load: { changes: { provider: changes } } }] }
      steps:
        - send: list.load
        - expect:
            - list.changes: loading
            - list.changes: { loaded: [8, 9] }
              after: 2s
      """
    let found = try await reports(text) { stage in
      stage.bind(provider: "changes") { context, _ in try await changes(in: context) }
    }
    #expect(found == [])
  }

  @Test func `a WebSocket talks, and hears why it was closed`() async throws {
    let text = """
      scenario: A chat
      endpoints:
        chat:
          websocket:
            - accept: { path: /room, protocol: chat.v2 }
              script:
                - receive: hello
                - send: welcome
                - wait: 5s
                - close: { code: 4000, reason: enough }
      reactors:
        talker:
          state: { heard: "", problem: "" }
          actions: { enter: [{ set: { heard: "" } }], say: { params: [text], steps: [] } }
      steps:
        - send: talker.enter
        - expect: { talker.heard: chat.v2 }
        - send: { talker.say: hello }
        - expect:
            - talker.heard: welcome
            - talker.problem: "the server closed the connection with code 4000: enough"
              after: 5s
        - send: { talker.say: too late }
        - expect: { talker.problem: the client is not connected }
      """
    let found = try await reports(text) { stage in
      stage.bind("talker") { Talker($0.webSocket("chat", "/room", protocols: ["chat.v2"])) }
    }
    #expect(found == [])
  }
}
