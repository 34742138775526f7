import ConnectionLoops
import Testing

// The code of the page.

func greeting() async throws -> String {
  let loop = VirtualLoop()
  loop.serve(at: "api.test") { request in
    ClientResponse(status: 200, text: "hello \(request.target)")
  }
  return try await HTTPClient(on: loop).response(to: "http://api.test/you").text
}

@Suite struct ConnectionLoopsArticle {
  @Test func `the server of the page greets`() async throws {
    #expect(try await greeting() == "hello /you")
  }
}
