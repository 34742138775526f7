import ConnectionLoops
import Dispatch
import ScenarioTesting
import Testing

/// The loop of the clients of Swift objects, and what does not fit.
@Suite struct SubjectLoopTests {
  private func reports(_ text: String, _ bind: (Stage) -> Void) async throws -> [String] {
    let stage = Stage()
    bind(stage)
    let scenario = try #require(Scenarios(text: text).first)
    return await stage.outcome(of: scenario).failures.map(\.report)
  }

  private static let silent = """
    scenario: A feed that says one thing
    endpoints:
      feed: { sse: [{ accept: {}, script: [{ event: one }, { wait: forever }] }] }
    \(readerOfFeeds)
    steps:
      - send: reader.open
      - expect: { reader.seen: one }
    """

  @Test func `an actor may run on the loop of its client`() async throws {
    let text = """
      scenario: An actor
      endpoints:
        feed: { sse: [{ accept: {}, script: [{ wait: 2s }, { event: one }, { wait: forever }] }] }
      providers: { first: { items: [] } }
      reactors:
        list:
          state: { first: none }
          actions: { load: [{ load: { first: { provider: first } } }] }
      steps:
        - send: list.load
        - expect:
            - list.first: loading
            - list.first: { loaded: one }
              after: 2s
      """
    let found = try await reports(text) { stage in
      stage.bind(provider: "first") { context, _ in
        try await FirstEvent(context.events("feed"), context.loop).read()
      }
    }
    #expect(found == [])
  }

  @Test func `after the run a client is stopped`() async throws {
    let kept = KeptClient()
    let found = try await reports(Self.silent) { stage in
      stage.bind("reader") { context in
        let client = context.events("feed")
        kept.client = client
        return FeedReader(client)
      }
    }
    #expect(found == [])
    let client = try #require(await kept.client)
    #expect(client.state == .disconnected(.streamError(.loopStopped)))
    await #expect(throws: ClientError.loopStopped) { try await client.connect() }
  }

  @Test func `another thread that uses a client fails the scenario`() async throws {
    let found = try await reports(Self.silent) { stage in
      stage.bind("reader") { context in
        let loop = context.loop
        return FeedReader(context.events("feed")) {
          let isDone = DispatchSemaphore(value: 0)
          DispatchQueue.global().async {
            loop.perform {}
            isDone.signal()
          }
          isDone.wait()
        }
      }
    }
    #expect(found.first?.contains("another thread continued") == true)
  }
}

// What does not fit.
extension SubjectLoopTests {
  @Test func `an endpoint that the scenario does not have is named before the run`() async throws {
    let found = try await reports(Self.silent) { stage in
      stage.bind("reader") { FeedReader($0.events("fed")) }
    }
    #expect(found.count == 1)
    #expect(
      found.first?.contains(
        "the Swift object of `reader` uses the endpoint `fed`, which the scenario does not have")
        == true)
    #expect(found.first?.contains("did you mean `feed`?") == true)
  }

  @Test func `a server that the scenario does not have fails it by name`() async throws {
    let found = try await reports(Self.silent) { stage in
      stage.bind("reader") {
        FeedReader(EventStreamClient("https://api.example.com/prices", on: $0.loop))
      }
    }
    #expect(
      found.first?.contains(
        "a client of the Swift object of `reader` connects to `api.example.com`, and no endpoint")
        == true)
  }

  @Test func `an action that reads a silent stream waits for the scenario`() async throws {
    let text = """
      scenario: A silent feed
      endpoints:
        feed: { sse: [{ accept: {} }] }
      \(readerOfFeeds)
      steps:
        - send: reader.open
        - expect: { reader.seen: one }
      """
    let found = try await reports(text) { stage in
      stage.bind("reader") { FeedReader($0.events("feed")) }
    }
    #expect(found.count == 1)
    #expect(found.first?.contains("waits for something that nothing") == false)
  }
}

/// A client that is kept longer than its run.
@MainActor
private final class KeptClient {
  var client: EventStreamClient?

  nonisolated init() {}
}
