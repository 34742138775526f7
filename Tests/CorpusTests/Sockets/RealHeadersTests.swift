import Diagnostics
import Protocols
import ScenarioEngine
import ScenarioRuns
import Testing
import Verdicts

/// The headers that reach a real server.
@Suite struct RealHeadersTests {
  /// Answers with the headers of the request, and redirects `/away/HOST` to that host.
  @Sendable private static func reflect(_ request: RealRequest) -> RealAnswer {
    let target = request.http.target
    if target.hasPrefix("/away/") {
      let place = "http://\(target.dropFirst("/away/".count))/there"
      return .response(HTTPResponse(status: 302, headers: ["Location": place], body: []))
    }
    let fields = request.http.headers.lines.map { "\"\($0.name)\":\"\($0.value)\"" }
    let body = Array("{\(fields.joined(separator: ","))}".utf8)
    return .response(
      HTTPResponse(status: 200, headers: ["Content-Type": "application/json"], body: body))
  }

  private func page(_ scenario: (_ host: String) -> String) throws -> String {
    let server = try #require(RealServer(answer: RealHeadersTests.reflect))
    defer { server.stop() }
    let host = "localhost:\(server.port)"
    let text = """
      scenario: Headers
      endpoints: { api: { url: "http://\(host)" } }
      \(scenario(host))
      """
    let file = loadScenarios(SourceFile(path: "headers.yaml", text: text))
    #expect(file.diagnostics == [])
    let plan = try #require(file.plans.first)
    let failures = runAgain(atMost: 3) {
      runScenario(
        plan, inputs: RunInputs(seed: 1), sources: file.sources, in: .real(RealWorldSettings())
      ).verdict
    }.failures
    return render(failures, in: file.sources).replacing(host, with: "HERE")
  }

  @Test(arguments: [
    ("get: /", "HERE"),
    ("get: /, headers: { Host: www.example.com }", "www.example.com"),
    ("get: /, headers: { host: api }", "api"),
    ("get: /away/HERE, redirects: 2, headers: { Host: www.example.com }", "HERE"),
    (
      "get: /away/www.example.com, redirects: 2, headers: { Host: www.example.com }",
      "www.example.com"
    ),
  ])
  func `the Host of a request is the URL's unless the scenario writes one`(
    request: String, host: String
  ) throws {
    let page = try page { here in
      """
      steps:
        - request:
            { endpoint: api, \(request), expect: { json: { $match: { HOST: "\(host)" } } } }
      """.replacing("HOST:", with: request.contains("headers: { host") ? "host:" : "Host:")
        .replacing("HERE", with: here)
    }
    #expect(page == "")
  }

  @Test func `the Host of a provider and of a stream reaches the server`() throws {
    let page = try page { _ in
      """
      providers:
        seen:
          endpoint: api
          get: /
          headers: { Host: www.example.com }
          value: ${response.json.Host}
      connections:
        lines: { ndjson: { endpoint: api, path: /, headers: { Host: lines.example.com } } }
      reactors: { r: { state: { seen: "" }, actions: { load: [{ load: { seen: seen } }] } } }
      steps:
        - send: r.load
        - eventually: r.seen == {'loaded':'www.example.com'}
        - connect: lines
        - expect: { lines: { $match: { Host: lines.example.com } } }
      """
    }
    #expect(page == "")
  }

  @Test func `a request without them has the headers that servers expect of a client`() throws {
    let page = try page { _ in
      """
      steps:
        - request:
            endpoint: api
            get: /
            expect:
              json:
                $match:
                  User-Agent: rehearse/\(programVersion)
                  Accept: "*/*"
                  Accept-Encoding: gzip, deflate, br, zstd
        - request:
            endpoint: api
            get: /
            headers: { User-Agent: mine, Accept: text/plain, Accept-Encoding: identity }
            expect:
              json:
                $match: { User-Agent: mine, Accept: text/plain, Accept-Encoding: identity }
      """
    }
    #expect(page == "")
  }

  @Test func `the curl of a report names the Host that was sent`() throws {
    let page = try page { _ in
      """
      steps:
        - request:
            endpoint: api
            get: /
            headers: { Host: www.example.com }
            expect: { status: 204 }
      """
    }
    #expect(page.contains("Host: www.example.com"))
    #expect(page.contains("curl http://HERE/ -H 'Host: www.example.com'"))
  }

  @Test func `the curl of a report repeats brackets in a path and the lines of a body`() throws {
    let page = try page { _ in
      """
      steps:
        - request:
            endpoint: api
            post: /x?filter[name]=a
            text: "one\\r\\n  two"
            expect: { status: 204 }
      """
    }
    #expect(page.contains("curl -X POST -g 'http://HERE/x?filter[name]=a'"))
    #expect(page.contains("--data-raw $'one\\r\\n  two'"))
  }
}
