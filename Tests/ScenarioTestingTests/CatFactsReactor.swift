import Reactors
import ScenarioTesting

/// Cat facts as a Swift reactor.
@Observable
final class CatFactsReactor: Reactor {
  enum Action: CaseIterable { case loadFact }
  enum SyncAction: CaseIterable { case toggleHidePrivate }

  struct State {
    var fact: AsyncLoad<String> = .none
    var hidePrivate = false
  }

  struct Fact: Decodable { var fact: String }

  private(set) var state = State()
  private let http: EndpointClient

  init(http: EndpointClient) { self.http = http }

  func action(_ action: Action) async {
    switch action {
    case .loadFact:
      state.fact = .loading
      do {
        state.fact = .loaded(try await http.get("/fact").decoded(as: Fact.self).fact)
      } catch {
        state.fact = .error(error)
      }
    }
  }

  func action(_ action: SyncAction) {
    switch action {
    case .toggleHidePrivate: state.hidePrivate.toggle()
    }
  }
}
