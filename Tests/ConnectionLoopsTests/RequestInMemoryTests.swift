import ConnectionLoops
import Synchronization
import Testing

@Suite struct RequestInMemoryTests {
  private struct Order: Codable, Equatable {
    var id: Int
    var name: String?
    var tags: [String]
  }

  private let loop = VirtualLoop()

  @Test func `a request has its authorization, its body and the type of it`() async throws {
    loop.serve(at: "api.test") { request in
      ClientResponse(
        status: 200,
        text: [
          request.method, request.target, request.headers["Authorization"] ?? "",
          request.headers["Content-Type"] ?? "", request.text,
        ].joined(separator: "|"))
    }
    let order = Order(id: 1, tags: ["a"])
    let requests = [
      ClientRequest("http://api.test/a?b=1#c", authorization: .bearer("t")),
      ClientRequest("http://ann:p%20w@api.test"),
      ClientRequest("http://api.test", authorization: .basic(name: "a", password: "b")),
      ClientRequest("http://api.test", body: try .json(order)),
      ClientRequest("http://api.test", method: "PUT", body: .form(["a b": "1&2", "c": ""])),
      ClientRequest("http://api.test", headers: ["content-type": "x/y"], body: .text("hi")),
      ClientRequest("http://api.test", body: .bytes([104, 105])),
    ]
    var texts: [String] = []
    for request in requests {
      texts.append(try await HTTPClient(on: loop).response(to: request).text)
    }
    #expect(
      texts == [
        "GET|/a?b=1|Bearer t||", "GET|/|Basic YW5uOnAgdw==||", "GET|/|Basic YTpi||",
        "POST|/||application/json|{\"id\":1,\"tags\":[\"a\"]}",
        "PUT|/||application/x-www-form-urlencoded|a+b=1%262&c=", "POST|/||x/y|hi",
        "POST|/|||hi",
      ])
  }

  @Test func `a request that is printed shows no secret`() {
    let requests = [
      ClientRequest("http://a", authorization: .bearer("s3cret")),
      ClientRequest("http://a", authorization: .basic(name: "ann", password: "s3cret")),
      ClientRequest("http://a", authorization: .other("Digest s3cret")),
    ]
    for request in requests { #expect(!"\(request)".contains("s3cret")) }
  }

  @Test func `the JSON of an answer is a value, and other answers are errors`() async throws {
    let order = Order(id: 1, name: "x", tags: [])
    loop.serve(at: "api.test") { request in
      switch request.target {
      case "/order":
        (try? ClientResponse(status: 200, json: order)) ?? ClientResponse(status: 500)
      case "/broken": ClientResponse(status: 200, text: "{")
      default: ClientResponse(status: 503, headers: ["Retry-After": "9"], text: "busy")
      }
    }
    let client = HTTPClient(on: loop)
    #expect(try await client.value(from: "http://api.test/order") == order)
    let broken = await thrownError {
      try await client.value(Order.self, from: "http://api.test/broken")
    }
    guard case .undecodable(let answer, let problem) = broken else {
      Issue.record("\(broken as Any)")
      return
    }
    #expect(answer.text == "{")
    #expect(!problem.isEmpty)
    let busy = await thrownError { try await client.value(Order.self, from: "http://api.test/") }
    #expect(busy?.response?.headers["Retry-After"] == "9")
    #expect(busy?.response?.text == "busy")
  }

  @Test func `an answer that is late or too large is an error`() async throws {
    let small = HTTPClient(on: loop, largestBody: 3)
    loop.serve(at: "api.test") { _ in ClientResponse(status: 200, text: "four") }
    #expect(await thrownError { try await small.response(to: "http://api.test") } == .tooLarge)
    let (requests, arrived) = AsyncStream.makeStream(of: Void.self)
    loop.listen(at: "slow.test") { connection in
      connection.onReceive { _ in arrived.yield() }
    }
    let slow = HTTPClient(on: loop, timeout: .seconds(5))
    let task = Task { await thrownError { try await slow.response(to: "http://slow.test") } }
    var request = requests.makeAsyncIterator()
    await request.next()
    await loop.advance(by: .seconds(5))
    #expect(await task.value == .timedOut)
  }
}
