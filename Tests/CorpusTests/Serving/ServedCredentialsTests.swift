import Diagnostics
import Events
import Glibc
import ScenarioPlan
import ScenarioRuns
import Secrets
import TestKit
import Testing
import Values
import Verdicts

/// The console of `serve` hides what clients send and nobody has declared.
@Suite struct ServedCredentialsTests {
  private static let scenario = """
    scenario: Tasks
    timeout: 10s
    endpoints:
      api:
        http:
          - { get: /tasks, respond: { json: [1, 2] } }
          - { post: /login, respond: { json: { ok: true } } }
    steps:
      - expect:
          - api: { get: /tasks, headers: { authorization: Bearer literal-of-file-1 } }

    """

  /// Requests of a client, what stands for its credential, and the credential.
  private static let requests = [
    (
      "GET /tasks?access_token=query-token-123 HTTP/1.1\r\nHost: h\r\n",
      "GET /tasks?access_token=‹access_token#1, 15 characters›", "query-token-123"
    ),
    (
      "GET /tasks HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer header-token-77\r\n",
      "Bearer ‹authorization#1, 15 characters›", "header-token-77"
    ),
    (
      "GET /tasks HTTP/1.1\r\nHost: h\r\nCookie: id=cookie-value-77; theme=dark\r\n",
      "GET /tasks", "cookie-value-77"
    ),
    (
      "GET /a/eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOjF9.abc HTTP/1.1\r\nHost: h\r\n",
      "GET /a/‹jwt#1, 37 characters›", "eyJhbGci"
    ),
    (
      "POST /login HTTP/1.1\r\nHost: h\r\nContent-Type: application/json\r\n"
        + "Content-Length: 37\r\n\r\n{\"password\":\"body-password-77\",\"n\":1}",
      "{\"password\":\"‹password#1, 16 characters›\",\"n\":1}", "body-password"
    ),
  ]

  @Test(arguments: requests.indices, [[], ["-q"], ["--log", "-"]])
  func `neither the conversation nor a failure shows what a client sent as a credential`(
    number: Int, options: [String]
  ) throws {
    let (request, shown, credential) = Self.requests[number]
    let folder = try TemporaryFolder()
    let isWritten = folder.write("shop.yaml", Self.scenario)
    try #require(isWritten)
    let ports = folder.file("ports.json")
    let command = try #require(
      SpawnedCommand(["serve", folder.file("shop.yaml"), "--ports-file", ports] + options))
    for _ in 0..<10_000 where folder.text("ports.json") == nil { usleep(1_000) }
    let digits = folder.text("ports.json")?.split(separator: "127.0.0.1:").dropFirst().first
    let port = try #require(UInt16(digits?.prefix { $0.isNumber } ?? ""))
    let client = PlainClient(port: port)
    client?.send(request.contains("\r\n\r\n") ? request : request + "\r\n")
    _ = client?.read(until: "\r\n\r\n")
    #expect(command.exitCode() == 1, "\(command.said)")
    #expect(!command.said.contains(credential), "\(command.said)")
    // A header is shown where it differs, and the conversation has none.
    let isShown = options != ["-q"] || number == 1
    if isShown { #expect(command.said.contains(shown), "\(command.said)") }
  }

  private func event(_ plan: ScenarioPlan, _ number: Int, _ token: String) -> Event {
    Event(
      sequence: EventID(number), time: 0, cause: nil,
      kind: .source(
        .emitted(plan.endpoints[EndpointID(0)].source, ["query": ["access_token": .string(token)]]))
    )
  }

  @Test func `a server without an end hides the latest credentials, and needs no more room`() throws
  {
    let file = loadScenarios(SourceFile(path: "shop.yaml", text: Self.scenario))
    let plan = try #require(file.plans.first)
    var outside = OutsideParties()
    outside.hasClients = true
    var credentials = EventCredentials(SharedPlan(plan), from: outside, most: 2)
    for number in 1...5 {
      let isNew = credentials.read(event(plan, number, "token-number-\(number)"))
      #expect(isNew)
    }
    let mask = SecretMask().hiding(credentials: credentials.found)
    let shown = (1...5).map { mask.masked("token-number-\($0)") }
    let names = (3...5).map { "‹access_token#\($0), 14 characters›" }
    #expect(shown == ["token-number-1", "token-number-2"] + names)
    #expect(mask.masked(page: "is token-num…") == "is ‹access_token#5, 14 characters›…")
    let isReadAgain = credentials.read(event(plan, 5, "token-number-6"))
    #expect(!isReadAgain)
    let isFoundAgain = credentials.read(event(plan, 6, "token-number-1"))
    #expect(isFoundAgain)
    let latest = SecretMask().hiding(credentials: credentials.found)
    #expect(latest.masked("token-number-1") == "‹access_token#6, 14 characters›")
  }
}
