import Reactors
import ScenarioTesting

/// A task list that saves a draft. It sleeps by `Task.sleep`, as much code does.
@Observable
final class TaskListReactor: Reactor {
  enum Action: Decodable {
    case load
    case type(String)
  }

  struct State {
    var tasks: AsyncLoad<[Item]> = .none
    var draft = ""
    var saved: AsyncLoad<Draft> = .none
  }

  struct Item: Decodable {
    var id: Int
    var title: String
    var isDone: Bool
  }

  struct Draft: Decodable {
    var id: Int
    var title: String
  }

  private(set) var state = State()
  private let http: EndpointClient

  init(http: EndpointClient) { self.http = http }

  func action(_ action: Action) async {
    switch action {
    case .load: await load()
    case .type(let title): await type(title)
    }
  }

  private func load() async {
    state.tasks = .loading
    do { state.tasks = .loaded(try await http.get("/tasks").decoded()) } catch {
      state.tasks = .error(error)
    }
  }

  private func type(_ title: String) async {
    state.draft = title
    guard (try? await Task.sleep(for: .milliseconds(300))) != nil else { return }
    state.saved = .loading
    do {
      state.saved = .loaded(try await http.post("/tasks", json: ["title": title]).decoded())
    } catch {
      state.saved = .error(error)
    }
  }
}
