import Reactors
import ScenarioTesting
import Testing
import VirtualTime

// The code of the article `SearchInVirtualTime`.

@Observable
final class SearchReactor: Reactor {
  enum Action: Decodable {
    case type(String)
  }

  struct State {
    var query = ""
    var results: AsyncLoad<[String]> = .none
  }

  private(set) var state = State()
  private let clock: any Clock<Duration>
  private let search: @MainActor (String) async throws -> [String]

  init(
    clock: any Clock<Duration>,
    search: @escaping @MainActor (String) async throws -> [String]
  ) {
    self.clock = clock
    self.search = search
  }

  func action(_ action: Action) async {
    switch action {
    case .type(let query):
      state.query = query
      guard (try? await clock.sleep(for: .milliseconds(300))) != nil else { return }
      state.results = .loading
      do {
        state.results = .loaded(try await search(query))
      } catch {
        state.results = .error(error)
      }
    }
  }
}

@Suite struct SearchArticle {
  @Test func `results come when typing pauses`() async throws {
    try await withVirtualTime { clock in
      let search = SearchReactor(clock: clock) { [$0] }
      search.send(.type("swift"))
      try await clock.sleep(for: .milliseconds(299))
      #expect(search.results == .none)
      try await clock.sleep(for: .milliseconds(2))
      #expect(search.results == .loaded(["swift"]))
    }
  }

  @Test(arguments: Scenarios(in: "scenarios/subjects/search.scenario.yaml"))
  func `searching holds`(_ scenario: Scenario) async {
    let stage = Stage()
    stage.bind("search") { context in
      let http = context.http("api")
      return SearchReactor(clock: context.clock) { query in
        try await http.get("/search?q=\(query)").decoded()
      }
    }
    await stage.test(scenario)
  }

  @Test func `searching holds by steps in Swift`() async {
    let stage = Stage()
    stage.bind("search") { SearchReactor(clock: $0.clock) { [$0] } }
    let scenario = Scenario(
      "One search",
      stage: """
        reactors:
          search: { state: { query: "", results: none }, actions: { type: [] } }
        """
    ) { steps in
      steps.send("search.type", "swift")
      steps.expect(
        .event("search.query", "swift"),
        .event("search.results", ["loaded": ["swift"]], after: .milliseconds(300)))
    }
    await stage.test(scenario)
  }
}
