import LiveDatabases
import Testing

// The code of the page.

struct Note: Codable, Equatable, Sendable { var text: String }

func notes() async throws -> [Note] {
  let database = try LiveDatabase()
  try await database.execute("CREATE TABLE notes (text TEXT)")
  try await database.execute("INSERT INTO notes VALUES (?)", ["Water the plants"])
  return try await database.rows(Note.self, "SELECT text FROM notes")
}

@Suite struct LiveDatabasesArticle {
  @Test func `the database of the page has its note`() async throws {
    #expect(try await notes() == [Note(text: "Water the plants")])
  }
}
