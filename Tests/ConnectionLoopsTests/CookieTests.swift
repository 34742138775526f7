import ConnectionLoops
import Synchronization
import Testing

/// The cookies of clients. The laws of `Requests of scenarios and of programs` hold for them too.
@Suite struct CookieTests {
  private let loop = VirtualLoop()
  private let seen = Seen()

  private final class Seen: Sendable {
    private let requests = Mutex<[String]>([])
    var all: [String] { requests.withLock { $0 } }
    func note(_ request: ServedRequest) {
      requests.withLock { $0.append("\(request.target) \(request.headers["Cookie"] ?? "-")") }
    }
    func note(_ head: [Substring]) {
      requests.withLock { $0 += head.filter { $0.hasPrefix("Cookie:") }.map(String.init) }
    }
  }

  /// Serves an API whose answers to `/in` set a cookie for ten seconds, and another host.
  private func serve() {
    loop.serve(at: "api.test") { [seen] request in
      seen.note(request)
      return switch request.target {
      case "/in": ClientResponse(status: 200, headers: ["Set-Cookie": "s=1; Path=/; Max-Age=10"])
      case "/away": ClientResponse(status: 302, headers: ["Location": "http://other.test/there"])
      case "/news":
        ClientResponse(
          status: 200, headers: ["Content-Type": "text/event-stream"], text: "data: hi\n\n")
      default: ClientResponse(status: 200)
      }
    }
    loop.serve(at: "other.test") { [seen] request in
      seen.note(request)
      return ClientResponse(status: 302, headers: ["Location": "http://api.test/back"])
    }
  }

  private func ask(_ client: HTTPClient, _ paths: String...) async throws {
    for path in paths { _ = try await client.response(to: ClientRequest("http://api.test" + path)) }
  }

  @Test func `are those of one client and its copies`() async throws {
    serve()
    let client = HTTPClient(on: loop)
    try await ask(client, "/in", "/a")
    let copy = client
    try await ask(copy, "/b")
    try await ask(HTTPClient(on: loop), "/c")
    #expect(seen.all == ["/in -", "/a s=1", "/b s=1", "/c -"])
  }

  @Test func `are not kept where nobody wants them`() async throws {
    serve()
    try await ask(HTTPClient(on: loop, cookies: nil), "/in", "/a")
    #expect(seen.all == ["/in -", "/a -"])
  }

  @Test func `are shared by clients that are given the same`() async throws {
    serve()
    let cookies = ClientCookies()
    try await ask(HTTPClient(on: loop, cookies: cookies), "/in")
    let news = EventStreamClient("http://api.test/news", cookies: cookies, on: loop)
    try await news.connect()
    await news.terminate()
    loop.listen(at: "api.test") { [seen] connection in
      connection.onReceive { bytes in
        seen.note(String(decoding: bytes, as: UTF8.self).split(separator: "\r\n"))
        connection.close()
      }
    }
    let chat = WebSocketClient("ws://api.test/chat", cookies: cookies, on: loop)
    await #expect(throws: ClientError.self) { try await chat.connect() }
    serve()
    cookies.removeAll()
    try await ask(HTTPClient(on: loop, cookies: cookies), "/a")
    #expect(seen.all == ["/in -", "/news s=1", "Cookie: s=1", "/a -"])
  }

  @Test func `go to their own host, also where redirects lead away and back`() async throws {
    serve()
    try await ask(HTTPClient(on: loop), "/in", "/away")
    #expect(seen.all == ["/in -", "/away s=1", "/there -", "/back s=1"])
  }

  @Test func `give way to a header of the request's own, which stays at its server`() async throws {
    serve()
    let client = HTTPClient(on: loop)
    try await ask(client, "/in")
    let request = ClientRequest("http://api.test/away", headers: ["Cookie": "own=1"])
    _ = try await client.response(to: request)
    #expect(seen.all == ["/in -", "/away own=1", "/there -", "/back s=1"])
  }

  @Test func `end with their time`() async throws {
    serve()
    let client = HTTPClient(on: loop)
    try await ask(client, "/in", "/a")
    await loop.advance(by: .seconds(10))
    try await ask(client, "/b")
    #expect(seen.all == ["/in -", "/a s=1", "/b -"])
  }
}
