import ConnectionLoops
import Diagnostics
import Protocols
import ScenarioEngine
import ScenarioRuns
import Synchronization
import Testing
import Verdicts

/// The laws of the client for HTTP: the same for a scenario's requests and for `HTTPClient`.
@Suite struct `Requests of scenarios and of programs` {
  /// Requests, one after the other, and what a server sees of them.
  struct Law: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var requests = ["GET /1", "GET /2"]
    /// True if the last request gets no answer.
    var isLost = false
    var answer: @Sendable (RealRequest) -> RealAnswer
    /// Each with the number of its connection.
    var seen: [String]
  }

  static let laws = [
    Law(
      testDescription: "a connection serves one request after the other, also changes",
      requests: ["GET /1", "POST /2", "DELETE /3"], answer: { _ in ok() },
      seen: ["1 GET /1", "1 POST /2", "1 DELETE /3"]),
    Law(
      testDescription: "the server says that an answer is the last",
      answer: { _ in ok(["Connection": "close"]) }, seen: ["1 GET /1", "2 GET /2"]),
    Law(
      testDescription: "the server promises too little time",
      answer: { _ in ok(["Keep-Alive": "timeout=1"]) }, seen: ["1 GET /1", "2 GET /2"]),
    Law(
      testDescription: "the server ends without saying so, and a change follows",
      requests: ["POST /1", "POST /2", "POST /3"], answer: { _ in .bytes(wholeAnswer) },
      seen: ["1 POST /1", "2 POST /2", "3 POST /3"]),
    Law(
      testDescription: "the server takes a request and ends: it is sent again",
      answer: { $0.connection == 1 && $0.turn == 2 ? .bytes([]) : ok() },
      seen: ["1 GET /1", "1 GET /2", "2 GET /2"]),
    Law(
      testDescription: "the server takes a change and ends: it is not sent again",
      requests: ["GET /1", "POST /2"], isLost: true,
      answer: { $0.connection == 1 && $0.turn == 2 ? .bytes([]) : ok() },
      seen: ["1 GET /1", "1 POST /2"]),
    Law(
      testDescription: "a new connection ends without an answer", requests: ["GET /1"],
      isLost: true, answer: { _ in .bytes([]) }, seen: ["1 GET /1"]),
    Law(
      testDescription: "an answer that has begun is not asked for again", isLost: true,
      answer: { $0.turn == 2 ? .bytes(Array("HTTP/1.1 200 OK\r\n".utf8)) : ok() },
      seen: ["1 GET /1", "1 GET /2"]),
    Law(
      testDescription: "a redirect of a change is followed with GET", requests: ["POST /old"],
      answer: { $0.http.target == "/old" ? moved(303) : ok() },
      seen: ["1 POST /old", "2 GET /new"]),
    Law(
      testDescription: "a redirect that keeps the method", requests: ["POST /old"],
      answer: { $0.http.target == "/old" ? moved(307) : ok() },
      seen: ["1 POST /old", "2 POST /new"]),
    Law(
      testDescription: "cookies are sent from the next request on, where their path allows it",
      requests: ["POST /in", "GET /a", "GET /b/c", "GET /bc"],
      answer: {
        $0.http.target == "/in" ? ok(["Set-Cookie": "s=1", "set-cookie": "t=2; Path=/b"]) : ok()
      },
      seen: ["1 POST /in", "1 GET /a s=1", "1 GET /b/c t=2; s=1", "1 GET /bc s=1"]),
    Law(
      testDescription: "a cookie that is ended is not sent",
      requests: ["GET /in", "GET /out", "GET /a"],
      answer: { ok(["Set-Cookie": $0.http.target == "/in" ? "s=1" : "s=; Max-Age=0"]) },
      seen: ["1 GET /in", "1 GET /out s=1", "1 GET /a"]),
    Law(
      testDescription: "a secure cookie is sent to this machine, one of another host to nobody",
      answer: { _ in ok(["Set-Cookie": "s=1; Secure", "set-cookie": "t=2; Domain=example.com"]) },
      seen: ["1 GET /1", "1 GET /2 s=1"]),
    Law(
      testDescription: "the cookie of a redirect is sent to where it leads",
      requests: ["POST /old"],
      answer: { $0.http.target == "/old" ? moved(303, ["Set-Cookie": "s=1; Path=/new"]) : ok() },
      seen: ["1 POST /old", "2 GET /new s=1"]),
  ]

  private static let wholeAnswer = Array("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok".utf8)

  private static func ok(_ headers: HTTPHeaders = [:]) -> RealAnswer {
    var headers = headers
    headers.add("Content-Type", "text/plain")
    return .response(HTTPResponse(status: 200, headers: headers, body: Array("ok".utf8)))
  }

  private static func moved(_ status: Int, _ headers: HTTPHeaders = [:]) -> RealAnswer {
    var headers = headers
    headers.add("Location", "/new")
    headers.add("Connection", "close")
    return .response(HTTPResponse(status: status, headers: headers))
  }

  /// Starts a server that notes the requests that it sees.
  private func serve(_ law: Law) throws -> (server: RealServer, seen: Seen) {
    let seen = Seen()
    let server = RealServer { request in
      let http = request.http
      let cookies = http.headers["Cookie"].map { " " + $0 } ?? ""
      seen.note("\(request.connection) \(http.method) \(http.target)\(cookies)")
      return law.answer(request)
    }
    return (try #require(server), seen)
  }

  private final class Seen: Sendable {
    private let requests = Mutex<[String]>([])
    var all: [String] { requests.withLock { $0 } }
    func note(_ request: String) { requests.withLock { $0.append(request) } }
  }

  @Test(arguments: laws) func `obey one law as steps of a scenario`(_ law: Law) throws {
    let (server, seen) = try serve(law)
    defer { server.stop() }
    var text = """
      scenario: One client
      endpoints: { api: { url: "http://127.0.0.1:\(server.port)" } }
      steps:

      """
    for (place, line) in law.requests.enumerated() {
      let parts = line.split(separator: " ")
      let request = "endpoint: api, \(parts[0].lowercased()): \(parts[1]), redirects: 5"
      let isLost = law.isLost && place == law.requests.count - 1
      text +=
        isLost
        ? "  - fails: { request: { \(request) } }\n    error: { reason: connectionLost }\n"
        : "  - request: { \(request), expect: { text: ok } }\n"
    }
    let file = loadScenarios(SourceFile(path: "client.yaml", text: text))
    #expect(file.complaints == [])
    let plan = try #require(file.plans.first)
    let run = runScenario(
      plan, inputs: RunInputs(seed: 1), sources: file.sources, in: .real(RealWorldSettings()))
    #expect(render(run.verdict.failures, in: file.sources) == "")
    #expect(seen.all == law.seen)
  }

  @Test(arguments: laws) func `obey the same law as calls of a program`(_ law: Law) async throws {
    let (server, seen) = try serve(law)
    defer { server.stop() }
    // Other tests may keep the process busy for longer than a connection is usually kept.
    let client = HTTPClient(keepAlive: .seconds(3_600))
    for (place, line) in law.requests.enumerated() {
      let parts = line.split(separator: " ")
      let url = "http://127.0.0.1:\(server.port)\(parts[1])"
      let request = ClientRequest(url, method: String(parts[0]))
      let text = await text(of: request, by: client)
      let isLost = law.isLost && place == law.requests.count - 1
      #expect(text == (isLost ? nil : "ok"))
    }
    #expect(seen.all == law.seen)
  }

  /// The text of an answer; nil if the connection was lost.
  private func text(of request: ClientRequest, by client: HTTPClient) async -> String? {
    do {
      return try await client.response(to: request).text
    } catch {
      if case .connection = error { return nil }
      return "\(error)"
    }
  }
}
