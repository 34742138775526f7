import Reactors
import Testing

// The code of the article.

@MainActor
@Observable
final class SearchReactor: Reactor {
  enum Action {
    case enterQuery(String)
  }

  struct State: Sendable, Equatable {
    var query = ""
    var results: AsyncLoad<[String]> = .none
  }

  private(set) var state = State()
  private let find: @MainActor (String) async throws -> [String]

  init(find: @escaping @MainActor (String) async throws -> [String]) {
    self.find = find
  }

  func action(_ action: Action) async {
    switch action {
    case .enterQuery(let query):
      state.query = query
      state.results = .loading
      do {
        let results = try await find(query)
        if Task.isCancelled { return }
        state.results = .loaded(results)
      } catch {
        if !Task.isCancelled { state.results = .error(error) }
      }
    }
  }
}

extension SearchReactor {
  static let search = CancelID("search", mode: .inFlight)

  func type(_ query: String) -> Task<Void, Never> {
    send(.enterQuery(query), id: Self.search)
  }
}

@MainActor @Suite struct SearchAsYouTypeArticleTests {
  @Test func `only the results of the last query arrive`() async {
    let reactor = SearchReactor { query in
      await Task.yield()
      return [query]
    }
    _ = reactor.type("c")
    await reactor.type("cat").value
    #expect(reactor.query == "cat")
    #expect(reactor.results == .loaded(["cat"]))
  }
}
