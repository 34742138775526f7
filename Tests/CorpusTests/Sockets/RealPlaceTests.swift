import Diagnostics
import Glibc
import LiveWorld
import Protocols
import ScenarioEngine
import ScenarioPlan
import ScenarioRuns
import TestKit
import Testing
import Values
import Verdicts

/// Real endpoints at all addresses that a URL can name.
@Suite struct RealPlaceTests {
  private func run(
    _ text: String, _ settings: RealWorldSettings = RealWorldSettings()
  ) throws -> (verdict: Verdict, page: String) {
    let file = loadScenarios(SourceFile(path: "places.yaml", text: "scenario: Places\n" + text))
    #expect(file.complaints == [])
    let plan = try #require(file.plans.first)
    var page = ""
    let verdict = runAgain(atMost: 3) {
      let run = runScenario(
        plan, inputs: RunInputs(seed: 1), sources: file.sources, in: .real(settings))
      page = file.mask.masked(render(run.verdict.failures, in: file.sources))
      return run.verdict
    }
    return (verdict, page)
  }

  @Test(arguments: ["unix://PATH", "http+unix://CODED/", "http+unix://CODED/v1"])
  func `a unix socket is an endpoint like any other`(form: String) throws {
    let path = "/tmp/rehearsal-\(getpid())-\(form.count).sock"
    let server = try #require(RealServer(at: .unix(path: path)))
    defer {
      server.stop()
      unlink(path)
    }
    let url = form.replacing("PATH", with: path)
      .replacing("CODED", with: URLText.encode(path, as: .segment))
    let base = form.hasSuffix("/v1") ? "/v1" : ""
    let text = """
      endpoints: { api: { url: "\(url)" } }
      steps:
        - request: { endpoint: api, get: /fact, expect: { json: { asked: \(base)/fact } } }
      """
    #expect(try run(text).page == "")
  }

  @Test func `a socket without a listener is reported by its path`() throws {
    let text = """
      endpoints: { api: { url: "unix:///tmp/rehearsal-nobody.sock" } }
      steps: [{ request: { endpoint: api, get: / } }]
      """
    let page = try run(text).page
    #expect(page.contains("nobody listens at `unix:///tmp/rehearsal-nobody.sock`"))
    #expect(page.contains("curl --unix-socket /tmp/rehearsal-nobody.sock http://localhost/"))
  }

  @Test(arguments: [
    "http://ann:s3cret%21@HERE", "http://ann:${password}@HERE", "http://${user}:${password}@HERE",
  ])
  func `who asks may stand in the URL, and the password is never shown`(form: String) throws {
    let server = try #require(RealServer { .response(.text($0.http.headers["Authorization"])) })
    defer { server.stop() }
    let text = """
      vars: { user: ann, password: "s3cret%21" }
      endpoints: { api: { url: "\(form.replacing("HERE", with: "127.0.0.1:\(server.port)"))" } }
      steps:
        - request: { endpoint: api, get: /, expect: { text: "Basic YW5uOnMzY3JldCE=" } }
        - request: { endpoint: api, get: /, auth: { bearer: b }, expect: { text: Bearer b } }
        - request: { endpoint: api, get: /, expect: { status: 500 } }
      """
    let (verdict, page) = try run(text)
    #expect(verdict.failures.map(\.id) == ["unexpected-answer"])
    #expect(page.contains("curl --user '***' http://127.0.0.1:\(server.port)/"))
    #expect(!page.contains("s3cret"))
    #expect(!page.contains("zY3JldC"))
  }

  @Test func `a password that ends a URL too early is not shown either`() throws {
    let text = """
      endpoints: { api: { url: "http://ann:s3cret/x@localhost" } }
      steps: []
      """
    let page = try run(text).page
    #expect(page.contains("are written `%2F`"))
    #expect(!page.contains("s3cret"))
  }

  @Test func `redirects and cookies count from the root of the server, not from the base`() throws {
    let server = try #require(RealServer(answer: RealPlaceTests.redirecting))
    defer { server.stop() }
    let text = """
      vars: { root: "http://localhost:\(server.port)/v1" }
      endpoints: { api: { url: "${root}/" } }
      steps:
        - request: { endpoint: api, get: /near/a, redirects: 1, expect: { path: /near/home } }
        - request: { endpoint: api, get: /absolute, redirects: 1, expect: { path: /home } }
        - request: { endpoint: api, get: /whole, redirects: 1, expect: { path: /home } }
        - request:
            endpoint: api
            get: /out
            redirects: 2
            expect: { path: /me, text: "/v1/me in=1; all=2" }
        - fails: { request: { endpoint: api, get: /secure, redirects: 3 } }
          error: { reason: redirectOutside }
      """
    #expect(try run(text).page == "")
  }

  @Sendable private static func redirecting(_ request: RealRequest) -> RealAnswer {
    let host = request.http.headers["Host"] ?? ""
    let locations = [
      "/v1/near/a": "home", "/v1/absolute": "/v1/home", "/v1/whole": "http://\(host)/v1/home",
      "/v1/out": "/login", "/login": "/v1/me", "/v1/secure": "https://\(host)/v1/secure",
    ]
    let target = request.http.target
    guard let location = locations[target] else {
      return .response(.text(target + " " + (request.http.headers["Cookie"] ?? "")))
    }
    var headers = HTTPHeaders([HTTPHeaderLine("Location", location)])
    if target == "/login" {
      headers.add("Set-Cookie", "in=1; Path=/v1")
      headers.add("Set-Cookie", "all=2; Path=/; Domain=localhost")
    }
    return .response(HTTPResponse(status: 302, headers: headers))
  }

  @Test func `a stream that is sent to a secured way is asked for there`() throws {
    let server = try #require(RealServer(answer: RealPlaceTests.redirecting))
    defer { server.stop() }
    let text = """
      endpoints: { api: { url: "http://localhost:\(server.port)/v1" } }
      connections: { feed: { sse: { endpoint: api, path: /secure } } }
      steps:
        - connect: feed
        - eventually: kind(feed.state) == 'disconnected'
        - check: feed.state.disconnected.streamError.problem == 'notSecure'
      """
    #expect(try run(text).page == "")
  }

  @Test func `an endpoint without a mock is held against none`() throws {
    let server = try #require(RealServer())
    defer { server.stop() }
    let url = "http://localhost:\(server.port)"
    let text = """
      endpoints: { api: { url: "\(url)" }, mocked: { url: "\(url)", http: [] } }
      connections: { feed: { sse: { endpoint: api, path: /feed } } }
      steps:
        - request: { endpoint: api, get: /fact, expect: { json: { asked: /fact } } }
        - connect: feed
        - eventually: kind(feed.state) == 'disconnected'
      """
    #expect(try run(text).page == "")
  }

  @Test func `of an answer that is no HTTP the beginning is shown`() throws {
    let server = try #require(RealServer { _ in .bytes(Array("SSH-2.0-x\r\nmore".utf8)) })
    defer { server.stop() }
    let text = """
      endpoints: { api: { url: "http://127.0.0.1:\(server.port)" } }
      steps: [{ request: { endpoint: api, get: / } }]
      """
    let page = try run(text).page
    #expect(page.contains("a response begins with `HTTP/1.1`, not \"SSH-2.0-x\""))
  }

  @Test func `a proxy takes requests as they are, and leads to WebSockets`() throws {
    let proxy = try #require(
      RealServer { request in
        let who = request.http.headers["Proxy-Authorization"] ?? "nobody"
        let asked = "\(request.http.method) \(request.http.target) \(who)"
        return request.http.method == "CONNECT"
          ? .bytes(Array("HTTP/1.1 403 \(asked)\r\n\r\n".utf8)) : .response(.text(asked))
      })
    defer { proxy.stop() }
    let text = """
      endpoints: { api: { url: "http://far.example/v1" } }
      connections: { room: { websocket: { endpoint: api, path: /room } } }
      steps:
        - request:
            endpoint: api
            get: /fact
            expect: { text: "GET http://far.example/v1/fact Basic bWU6cC93" }
        - connect: room
        - expect:
            room.state:
              - connecting
              - disconnected:
                  failedToConnect:
                    problem: proxyRefused
                    message: HTTP/1.1 403 CONNECT far.example:80 Basic bWU6cC93
      """
    var settings = RealWorldSettings()
    settings.proxies = ProxySettings(
      for: try AbsoluteURL.read("http://me:p%2Fw@127.0.0.1:\(proxy.port)").get())
    #expect(try run(text, settings).page == "")
  }

  /// The server ends the connection instead of answering the second request on it.
  private func tired() -> RealServer? {
    RealServer { $0.turn == 1 ? .response(.text("\($0.connection)")) : .bytes([]) }
  }

  @Test func `a connection that ends between two requests costs neither of them`() throws {
    let server = try #require(tired())
    defer { server.stop() }
    let text = """
      endpoints: { api: { url: "http://127.0.0.1:\(server.port)" } }
      steps:
        - request: { endpoint: api, get: /, expect: { text: "1" } }
        - request: { endpoint: api, get: /, expect: { text: "2" } }
      """
    #expect(try run(text).page == "")
  }

  @Test func `what may have changed something is not sent twice`() throws {
    let server = try #require(tired())
    defer { server.stop() }
    let text = """
      endpoints: { api: { url: "http://127.0.0.1:\(server.port)" } }
      steps:
        - request: { endpoint: api, get: /, expect: { text: "1" } }
        - fails: { request: { endpoint: api, post: / } }
          error: { reason: connectionLost }
      """
    #expect(try run(text).page == "")
  }

  @Test func `a first request that is not answered is not sent again`() throws {
    let server = try #require(RealServer { $0.connection == 1 ? .bytes([]) : .response(.text("")) })
    defer { server.stop() }
    let text = """
      endpoints: { api: { url: "http://127.0.0.1:\(server.port)" } }
      steps:
        - fails: { request: { endpoint: api, get: / } }
          error: { reason: connectionLost }
      """
    #expect(try run(text).page == "")
  }

  @Test func `the command that repeats a request reaches the server as the run did`() throws {
    let server = try #require(RealServer(isSecure: true))
    defer { server.stop() }
    let text = """
      vars: { root: "https://localhost:\(server.port)" }
      endpoints: { api: { url: "${root}/v1" } }
      steps: [{ request: { endpoint: api, get: /a, expect: { status: 500 } } }]
      """
    var settings = RealWorldSettings()
    settings.isInsecure = true
    let page = try run(text, settings).page
    #expect(page.contains("curl --http1.1 --insecure https://localhost:\(server.port)/v1/a"))
    #expect(page.contains("Host: localhost:\(server.port)"))
    #expect(page.contains("--against real --insecure"))
    let refused = try run(text).page
    #expect(refused.contains("nobody trusted vouches for `https://localhost:\(server.port)/v1`"))
    #expect(refused.contains("--cacert FILE"))
  }

  @Test func `files of certificates that cannot be used are reported before anything is run`() {
    var settings = RealWorldSettings()
    #expect(settings.fileProblem == nil)
    settings.trustedFile = "/tmp/rehearsal-no-such-file.pem"
    #expect(
      settings.fileProblem
        == "no certificates in /tmp/rehearsal-no-such-file.pem: No such file or directory")
  }

  @Test(.timeLimit(.minutes(1)))
  func `nobody is asked for the pass phrase of a key`() throws {
    let (certificate, key) = ("/tmp/rehearsal-\(getpid()).crt", "/tmp/rehearsal-\(getpid()).key")
    let server = try #require(RealServer(isSecure: true))
    server.stop()
    let text = String(decoding: server.certificate ?? [], as: UTF8.self)
    #expect(writeFile(certificate, text) == nil)
    #expect(writeFile(key, lockedKey) == nil)
    defer {
      unlink(certificate)
      unlink(key)
    }
    var settings = RealWorldSettings()
    settings.certificate = (certificate, key)
    #expect(settings.fileProblem?.hasPrefix("no key for the certificate in \(key): ") == true)
  }
}

extension HTTPResponse {
  fileprivate static func text(_ text: String?) -> HTTPResponse {
    HTTPResponse(status: 200, body: Array((text ?? "nobody").utf8))
  }
}

extension String {
  fileprivate func replacing(_ word: String, with text: String) -> String {
    split(separator: word, omittingEmptySubsequences: false).joined(separator: text)
  }
}

/// A key made for this test, behind the pass phrase `x`.
private let lockedKey = """
  -----BEGIN ENCRYPTED PRIVATE KEY-----
  MIHsMFcGCSqGSIb3DQEFDTBKMCkGCSqGSIb3DQEFDDAcBAhG/FDjut8XKQICCAAw
  DAYIKoZIhvcNAgkFADAdBglghkgBZQMEAQIEEBhpx2J6KZNbP0lxe3kKEJ8EgZBl
  KjyEfefBXetvh3Z/wqZXAWqMZBIi7w+DIij5BFkzZm/4G5am6fG9HEHGNNdC8uDQ
  Fq5/m5AOWkzpWidV3cwueVWWzWDyTLpjQajW1habjv9vvPaIz1iWpXTpTOzXsWD9
  n7ReGYHYlkbkrD9sE9VJDoJZJmEMQz16MyoGs6hsPVTCU1V+wM828W4pJWB3VUk=
  -----END ENCRYPTED PRIVATE KEY-----

  """
