import ConnectionLoops
import Glibc
import LiveDatabases
import LiveProviders
import Publishers
import Synchronization
import Testing

private struct Item: Codable, Equatable, Sendable {
  var id: Int
  var title: String
}

private typealias Provider = DataProvider<Item, ProviderError>

/// Reads states until one is so.
@MainActor
private func states(
  of model: ListModel<Item, ProviderError>,
  until isLast: (ListViewState<Item, ProviderError>) -> Bool
) async -> [ListViewState<Item, ProviderError>] {
  var states: [ListViewState<Item, ProviderError>] = []
  for await state in model.states {
    states.append(state)
    if isLast(state) { break }
  }
  return states
}

@MainActor
private func providerError(
  _ operation: @MainActor () async throws -> [Item]
) async -> ProviderError? {
  do {
    _ = try await operation()
    return nil
  } catch {
    return error as? ProviderError
  }
}

@MainActor @Suite struct HTTPProviderTests {
  private let loop = VirtualLoop()
  private var client: HTTPClient { HTTPClient(on: loop) }

  @Test func `a list shows what a server answers with, and a refresh asks again`() async throws {
    let answers = Answers(["[{\"id\":1,\"title\":\"a\"}]", "[]"])
    loop.serve(at: "api.test") { _ in ClientResponse(status: 200, text: answers.next()) }
    let model = ListModel(dataProvider: Provider.http(client: client) { "http://api.test/" })
    let first = await states(of: model) { $0.isLoaded }
    #expect(first.map(\.visual) == [.spinner, .list])
    #expect(model.items == [Item(id: 1, title: "a")])
    model.refresh()
    let second = await states(of: model) { $0.isLoaded && $0.items.isEmpty }
    #expect(second.first?.hasPlaceholderRows == true)
  }

  @Test func `items may be a part of the answer`() async throws {
    struct Page: Decodable { var results: [Item] }
    loop.serve(at: "api.test") { _ in
      ClientResponse(status: 200, text: "{\"results\":[{\"id\":2,\"title\":\"b\"}]}")
    }
    let provider = Provider.http(
      client: client, decoding: Page.self, { "http://api.test/" }, items: { $0.results })
    #expect(try await provider.load() == [Item(id: 2, title: "b")])
  }

  @Test(arguments: [
    ("http://nobody.test", ProviderError.Kind.networkError, "Connection error"),
    ("http://api.test/busy", .networkError, "Connection error"),
    ("nonsense", .invalidURL, "Invalid URL"),
    ("http://api.test/html", .decodingError, "Error processing data"),
  ])
  func `what goes wrong has a kind, a text and a cause`(
    _ url: String, _ kind: ProviderError.Kind, _ text: String
  ) async {
    loop.serve(at: "api.test") { request in
      ClientResponse(status: request.target == "/busy" ? 503 : 200, text: "<html>")
    }
    let provider = Provider.http(client: client) { ClientRequest(url) }
    let error = await providerError { try await provider.load() }
    #expect(error?.kind == kind)
    #expect(error.map { "\($0)" } == text)
    #expect(error?.cause != nil)
  }

  @Test func `cancelling a load ends its request`() async throws {
    let (ends, ended) = AsyncStream.makeStream(of: Void.self)
    let provider = Provider.async {
      await withTaskCancellationHandler {
        for await _ in AsyncStream<Void>.makeStream().stream {}
      } onCancel: {
        ended.yield()
      }
      return []
    }
    let model = ListModel(dataProvider: provider)
    model.cancel()
    var end = ends.makeAsyncIterator()
    await end.next()
    #expect(!model.isLoading)
  }
}

@MainActor @Suite struct FileProviderTests {
  @Test func `a list shows a file's items, and says what is wrong with others`() async throws {
    let folder = "/tmp/live-providers-\(getpid())"
    mkdir(folder, 0o700)
    defer { for name in ["/good", "/bad", ""] { remove(folder + name) } }
    write("[{\"id\":1,\"title\":\"a\"}]", to: folder + "/good")
    write("[{\"id\":1}]", to: folder + "/bad")
    #expect(try await Provider.file(folder + "/good").load() == [Item(id: 1, title: "a")])
    let kinds = [
      "/bad": ProviderError.Kind.decodingError, "/missing": .fileNotFound, "": .fileError,
    ]
    for (name, kind) in kinds {
      #expect(await providerError { try await Provider.file(folder + name).load() }?.kind == kind)
    }
  }

  private func write(_ text: String, to path: String) {
    guard let file = fopen(path, "w") else { return }
    fputs(text, file)
    fclose(file)
  }
}

@MainActor @Suite struct DatabaseProviderTests {
  private let schema = "CREATE TABLE tasks (id INTEGER PRIMARY KEY, title TEXT NOT NULL)"

  @Test func `a list follows what is written to its tables`() async throws {
    let database = try LiveDatabase()
    try await database.execute(schema)
    let model = ListModel(
      dataProvider: database.query(Item.self, "SELECT id, title FROM tasks WHERE id > ?", [0]))
    _ = await states(of: model) { $0.isLoaded }
    #expect(model.items.isEmpty)
    try await database.execute("INSERT INTO tasks (title) VALUES (?)", ["a"])
    _ = await states(of: model) { !$0.items.isEmpty }
    #expect(model.items == [Item(id: 1, title: "a")])
    #expect(try await database.rows(Item.self, "SELECT * FROM tasks") == model.items)
  }

  @Test func `a list is left alone by what its query does not read`() async throws {
    let database = try LiveDatabase()
    try await database.execute(script: schema + "; CREATE TABLE others (id INTEGER)")
    let model = ListModel(dataProvider: database.query(Item.self, "SELECT id, title FROM tasks"))
    _ = await states(of: model) { $0.isLoaded }
    var count = 0
    let token = model.viewStates.dropFirst().sink { _ in count += 1 }
    for number in 0..<5 {
      try await database.execute("INSERT INTO others VALUES (?)", [.integer(number)])
    }
    try await database.execute("INSERT INTO tasks VALUES (7, 'x')")
    _ = await states(of: model) { !$0.items.isEmpty }
    #expect(count == 1)
    token.cancel()
  }

  @Test func `a list follows what another connection writes to the file`() async throws {
    let path = "/tmp/live-database-\(getpid()).sqlite"
    defer { remove(path) }
    let (ours, theirs) = (try LiveDatabase(path), try LiveDatabase(path))
    try await ours.execute(schema)
    let model = ListModel(dataProvider: ours.query(Item.self, "SELECT id, title FROM tasks"))
    _ = await states(of: model) { $0.isLoaded }
    try await theirs.execute("INSERT INTO tasks (title) VALUES ('a')")
    _ = await states(of: model) { !$0.items.isEmpty }
    #expect(model.items.map(\.title) == ["a"])
  }

  @Test func `a statement that is wrong is an error with SQLite's name`() async throws {
    let database = try LiveDatabase()
    let error = await providerError {
      try await database.query(Item.self, "SELECT * FROM nothing").load()
    }
    #expect(error?.kind == .databaseError)
    #expect((error?.cause as? SQLiteError)?.code == "SQLITE_ERROR")
    #expect(throws: SQLiteError.self) { try LiveDatabase("/nowhere/at/all") }
  }
}

@MainActor @Suite struct SequenceProviderTests {
  @Test func `each element of a sequence takes the place of the items before`() async throws {
    let (numbers, feed) = AsyncStream.makeStream(of: [Item].self)
    let model = ListModel(dataProvider: Provider.sequence { numbers })
    feed.yield([Item(id: 1, title: "a")])
    _ = await states(of: model) { $0.isLoaded }
    feed.yield([])
    feed.finish()
    _ = await states(of: model) { $0.items.isEmpty }
    #expect(model.viewState.isLoaded)
  }

  @Test func `events of a stream are items, and the end of the stream is the end of the load`()
    async throws
  {
    let loop = VirtualLoop()
    loop.serve(at: "feed.test") { _ in
      ClientResponse(
        status: 200, headers: ["Content-Type": "text/event-stream"],
        text: "data: [{\"id\":1,\"title\":\"a\"}]\n\ndata: []\n\n")
    }
    let provider = Provider.events { EventStreamClient("http://feed.test/", on: loop) }
    #expect(try await provider.load() == [Item(id: 1, title: "a")])
    let lost = Provider.events { EventStreamClient("http://nobody.test/", on: loop) }
    #expect(await providerError { try await lost.load() }?.kind == .networkError)
  }

  @Test func `a publisher delivers on the scheduler`() async throws {
    let provider = Provider.publisher { Just([Item(id: 1, title: "a")]) }
    let model = ListModel(dataProvider: provider)
    #expect(model.isLoading)
    _ = await states(of: model) { $0.isLoaded }
    #expect(model.items.count == 1)
  }

  @Test func `a task that is cancelled cancels its load`() async {
    let provider = Provider.sequence { AsyncStream<[Item]>.makeStream().stream }
    let task = Task { try await provider.load() }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }
}

/// Texts, one after the other.
private final class Answers: Sendable {
  private let texts: Mutex<[String]>

  init(_ texts: [String]) { self.texts = Mutex(texts) }

  func next() -> String { texts.withLock { $0.isEmpty ? "" : $0.removeFirst() } }
}
