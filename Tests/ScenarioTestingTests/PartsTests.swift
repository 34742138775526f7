import DataProviders
import Publishers
import Reactors
import ScenarioTesting
import Testing
import VirtualTime

/// Each part of a stage that Swift code can play.
@Suite struct PartsTests {
  private func reports(_ text: String, _ bind: (Stage) -> Void) async throws -> [String] {
    let stage = Stage()
    bind(stage)
    let outcome = await stage.outcome(of: try #require(Scenarios(text: text).first))
    #expect(outcome.result != .skipped(""))
    return outcome.failures.map(\.report)
  }

  @Test func `a provider`() async throws {
    let text = """
      scenario: A provider
      providers:
        fact: { params: [about], items: [] }
      reactors:
        facts:
          state: { fact: none }
          actions:
            load: [{ load: { fact: { provider: fact, with: { about: "${payload}" } } } }]
      steps:
        - send: { facts.load: cats }
        - expect:
            - facts.fact: loading
            - facts.fact: { loaded: { text: all about cats } }
              after: 2s
        - send: { facts.load: dogs }
        - expect: { facts.fact: [loading, { error: { status: 404 } }] }
      """
    struct Missing: Error { var status = 404 }
    let found = try await reports(text) { stage in
      stage.bind(provider: "fact") { context, arguments in
        let about = arguments["about"]?.plainText ?? ""
        try await context.clock.sleep(for: .seconds(2))
        if about == "dogs" { throw Missing() }
        return ["text": "all about \(about)"]
      }
    }
    #expect(found == [])
  }

  @Test func `an endpoint`() async throws {
    let text = """
      scenario: An endpoint
      endpoints:
        api: { http: [{ get: /, respond: {} }] }
      steps:
        - request:
            endpoint: api
            post: /double
            json: { number: 21 }
            expect: { status: 201, json: { number: 42 } }
      """
    struct Numbers: Codable { var number: Int }
    let found = try await reports(text) { stage in
      stage.bind(endpoint: "api") { context, request in
        try await context.clock.sleep(for: .seconds(1))
        let number = try request.json?.decoded(as: Numbers.self).number ?? 0
        return EndpointResponse(status: 201, json: Numbers(number: number * 2))
      }
    }
    #expect(found == [])
  }

  private static let ticks = """
    scenario: Ticks
    STAGE
    steps:
      - expect:
          - ticks: 0
            after: 1s
          - ticks: 1
            after: 1s
    """

  @Test(arguments: [
    ("streams: { ticks: { items: [7] } }", "\n      - ticks: completed"),
    ("sources: { ticks: {} }", ""),
  ])
  func `a stream and a source, fed by a sequence`(_ stage: String, _ end: String) async throws {
    let text = Self.ticks.replacing("STAGE", with: stage) + end
    let found = try await reports(text) { stage in
      stage.bind(source: "ticks") { context in
        let clock = context.clock
        let count = Countdown(2)
        return AsyncStream<Int> {
          guard let next = await count.next() else { return nil }
          try? await clock.sleep(for: .seconds(1))
          return next
        }
      }
    }
    #expect(found == [])
  }

  @Test func `a stream, fed by a publisher`() async throws {
    let text =
      Self.ticks.replacing("STAGE", with: "streams: { ticks: { items: [7] } }")
      + "\n      - ticks: completed"
    let found = try await reports(text) { stage in
      stage.bind(source: "ticks") { context in
        let subject = PassthroughSubject<Int, Never>()
        let clock = context.clock
        Task { @MainActor in
          for number in 0..<2 {
            try? await clock.sleep(for: .seconds(1))
            subject.send(number)
          }
          subject.send(completion: .finished)
        }
        return subject
      }
    }
    #expect(found == [])
  }

  @Test func `a list`() async throws {
    let text = """
      scenario: A list
      providers: { load: { items: [never asked] } }
      lists: { chores: { from: load } }
      steps:
        - ignore: [chores.isLoading, chores.state, chores.visual]
        - check: chores.isLoading
        - expect:
            - chores.items: { $exactly: [Water the plants 1] }
              after: 1s
        - refresh: chores
        - expect:
            - chores.items: { $exactly: [Water the plants 2] }
              after: 1s
      """
    let found = try await reports(text) { stage in
      stage.bind(list: "chores") { context in
        let clock = context.clock
        let calls = Countdown(9)
        return ListModel<String, Never> {
          Future<[String], Never> { promise in
            Task { @MainActor in
              let number = await calls.next() ?? 0
              try? await clock.sleep(for: .seconds(1))
              promise(.success(["Water the plants \(number + 1)"]))
            }
          }
        }
      }
    }
    #expect(found == [])
  }

  @Observable
  final class License: Reactor {
    enum Action: CaseIterable { case validate }
    struct State {}
    let state = State()
    private let emit: @MainActor (String, Any?) -> Void
    private let clock: VirtualClock

    init(_ context: SubjectContext) {
      emit = { context.emit($0, $1) }
      clock = context.clock
    }

    func action(_ action: Action) async {
      emit("validation:start", nil)
      try? await clock.sleep(for: .seconds(1))
      emit("validation:success", ["days": 30])
    }
  }

  @Test func `named events of a reactor`() async throws {
    let scenario = try #require(
      Scenarios(in: "scenarios/reactors/actions.scenario.yaml")
        .first { $0.title == "Named events are seen in order, with what they carry" })
    let stage = Stage()
    stage.bind("license") { License($0) }
    await stage.test(scenario)
  }
}

private actor Countdown {
  private let count: Int
  private var place = 0

  init(_ count: Int) { self.count = count }

  func next() -> Int? {
    guard place < count else { return nil }
    defer { place += 1 }
    return place
  }
}
