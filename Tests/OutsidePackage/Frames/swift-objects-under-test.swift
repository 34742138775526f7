import Observation
import Reactors
import ScenarioTesting

@Observable
final class CatFactsReactor: Reactor {
  enum Action: Decodable { case loadFact }
  struct State { var fact: AsyncLoad<String> = .none }
  private(set) var state = State()
  init(http: EndpointClient) {}
  func action(_ action: Action) async {}
}
// BLOCK
