import ConnectionLoops
import LiveDatabases
import LiveProviders
import Testing

// The code of the article.

struct Chore: Codable, Equatable, Sendable {
  var id: Int
  var title: String
}

@MainActor
final class ChoreList {
  let database: LiveDatabase
  let model: ListModel<Chore, ProviderError>

  init(_ database: LiveDatabase) {
    self.database = database
    model = ListModel(dataProvider: database.query(Chore.self, "SELECT id, title FROM chores"))
  }

  func add(_ title: String) async throws {
    try await database.execute("INSERT INTO chores (title) VALUES (?)", [.text(title)])
  }

  func showServer(_ client: HTTPClient) {
    model.loadItems(from: .http(client: client) { "https://api.example.com/chores" })
  }
}

@MainActor
func titles(of list: ChoreList, atLeast count: Int) async -> [String] {
  for await state in list.model.states where state.items.count >= count {
    return state.items.map(\.title)
  }
  return []
}

@MainActor @Suite struct TaskListArticle {
  @Test func `the list of the article follows the database, then the server`() async throws {
    let database = try LiveDatabase()
    try await database.execute(script: "CREATE TABLE chores (id INTEGER PRIMARY KEY, title TEXT)")
    let list = ChoreList(database)
    try await list.add("Water the plants")
    #expect(await titles(of: list, atLeast: 1) == ["Water the plants"])
    let loop = VirtualLoop()
    loop.serve(at: "api.example.com") { _ in
      ClientResponse(
        status: 200, text: #"[{"id":1,"title":"Feed the cat"},{"id":2,"title":"Read"}]"#)
    }
    list.showServer(HTTPClient(on: loop))
    #expect(await titles(of: list, atLeast: 2) == ["Feed the cat", "Read"])
  }
}
