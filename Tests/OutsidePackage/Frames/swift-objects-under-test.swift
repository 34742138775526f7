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

final class LicenseReactor: Reactor {
  enum Action: Decodable { case activate(key: String) }
  struct State { var status = "inactive" }
  private(set) var state = State()
  init(_ context: SubjectContext) {}
  func action(_ action: Action) async {}
}

final class ShopReactor: Reactor {
  enum Action: Decodable { case order }
  struct State { var orders: [String] = [] }
  private(set) var state = State()
  init(http: EndpointClient) {}
  func action(_ action: Action) async {}
}
// BLOCK
