import ConnectionLoops
import LiveProviders
import Testing

// The code of the page.

struct Person: Decodable { var name: String }

@MainActor
func names(_ client: HTTPClient) async throws -> [String] {
  let people = DataProvider<Person, ProviderError>.http(client: client) {
    "https://api.example.com/people"
  }
  return try await people.load().map(\.name)
}

@MainActor @Suite struct LiveProvidersArticle {
  @Test func `the provider of the page gives what the server answers with`() async throws {
    let loop = VirtualLoop()
    loop.serve(at: "api.example.com") { _ in
      ClientResponse(status: 200, text: #"[{"name":"Ada"}]"#)
    }
    #expect(try await names(HTTPClient(on: loop)) == ["Ada"])
  }
}
