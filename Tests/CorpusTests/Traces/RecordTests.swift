import Diagnostics
import Glibc
import ScenarioPlan
import ScenarioRuns
import Secrets
import Synchronization
import TestKit
import Testing
import TraceRecording
import Traces
import Values
import Verdicts

/// Traces in files, and logs of whole suites.
@Suite struct RecordTests {
  private static let shop = """
    scenario: A client shows its token
    vars: { token: { value: s3cret-t0ken, secret: true }, pin: { value: 4711, secret: true } }
    endpoints:
      api: { http: [{ get: /me, respond: { json: { name: Ann, pin: 4711 } } }] }
    graph: { me: nobody }
    steps:
      - request:
          endpoint: api
          get: /me
          headers: { authorization: 'Bearer ${token}' }
          expect: { status: 200 }
      - set: { me: '${token}' }
      - expect: { me: '${token}' }
    ---
    scenario: A client fails
    graph: { me: nobody }
    steps:
      - set: { me: Ann }
      - expect: { me: Bob }

    """

  private func suite(_ folder: TemporaryFolder, _ traces: RunRecords.Traces) -> Suite {
    var suite = Suite(files: [SuiteFile(path: folder.file("shop.scenario.yaml"))])
    suite.records.traces = traces
    return suite
  }

  private func record(_ traces: RunRecords.Traces) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    let isWritten = folder.write("shop.scenario.yaml", Self.shop)
    try #require(isWritten)
    runSuite(suite(folder, traces)) { _ in }
    return folder
  }

  @Test func `each scenario has a trace beside it, in which secrets have names`() throws {
    let folder = try record(.all)
    let text = folder.text("traces/shop.a-client-shows-its-token.trace.jsonl") ?? ""
    #expect(text.contains("\"authorization\":\"Bearer ‹token›\""))
    #expect(text.contains("\"pin\":{\"$secret\":\"pin\"}"))
    #expect(text.contains("\"secrets\":[\"pin\",\"token\"]"))
    #expect(text.contains("\"path\":\"../shop.scenario.yaml\""))
    #expect(!text.contains("s3cret"))
    #expect(!text.contains("4711"))
    #expect(folder.text("traces/shop.a-client-fails.trace.jsonl") != nil)
  }

  @Test func `only failures are kept if only they are wanted`() throws {
    let folder = try record(.failures)
    #expect(folder.text("traces/shop.a-client-shows-its-token.trace.jsonl") == nil)
    let text = folder.text("traces/shop.a-client-fails.trace.jsonl") ?? ""
    #expect(text.contains("\"kind\":\"failure\""))
    #expect(text.contains("\"outcome\":\"failed\""))
  }

  @Test(arguments: [1, 4])
  func `a log has the order of the files with any number of jobs`(jobs: Int) {
    let paths = Array(Corpus.passing.prefix(6))
    let lines = LoggedLines()
    var suite = Suite(files: paths.map { SuiteFile(path: "\(packageRoot)/\($0)") }, jobs: jobs)
    suite.records.log = SuiteLog(folder: "", write: lines.add)
    runSuite(suite) { _ in }
    var last = 0
    for (path, run) in lines.headers {
      #expect(run == last + 1)
      last = run
      #expect(paths.contains { path.hasSuffix($0) })
    }
    let order = lines.headers.compactMap { path, _ in paths.firstIndex { path.hasSuffix($0) } }
    #expect(order == order.sorted())
  }

  @Test func `a token that an endpoint issues has one name in the answer and in the request`() {
    var mask = TraceMask(NamedSecrets(), findsTokens: true)
    let answer = TraceLine(.response, ["body": ["access_token": "a1b2c3d4e5"]])
    let request = TraceLine(.request, ["headers": ["accept": "x a1b2c3d4e5"]])
    let jwt = TraceLine(.emitted, "eyJhbGciOi.eyJzdWIiOiI.c2lnbmF0dXJl")
    let masked = [answer, request, jwt].map { mask.masked($0).value?.json.json() }
    #expect(
      masked == [
        "{\"body\":{\"access_token\":\"‹access_token#1›\"}}",
        "{\"headers\":{\"accept\":\"x ‹access_token#1›\"}}", "\"‹jwt#1›\"",
      ])
  }

  @Test func `a trace for which there is no room twice is complete all the same`() throws {
    let folder = try TemporaryFolder()
    let spares = SpareFiles()
    let path = folder.file("shop.trace.jsonl")
    // A copy beside the trace cannot be written, as on a full disk.
    try #require(mkdir("\(path).\(getpid()).partial", 0o755) == 0)
    let file = TraceFile(path, spares)
    var header = TraceHeader()
    header.isVirtual = true
    file.write(header)
    file.write(TraceLine(.emitted, source: "me", "Ann"))
    file.complete()
    #expect(file.problem == nil)
    let text = folder.text("shop.trace.jsonl") ?? ""
    #expect(text.hasSuffix("\"value\":\"Ann\"}\n"), "\(text)")
    spares.removeAll()
  }

  @Test func `traces without room on the disk are one error that counts them, and leave no file`()
    throws
  {
    let folder = try TemporaryFolder()
    let scenarios = ["A", "B", "C"].map { "scenario: \($0)\nsteps: [{ log: now }]\n" }
    try #require(folder.write("a.scenario.yaml", scenarios.joined(separator: "---\n")))
    // No file may have a byte, as on a full disk. The signal of that limit would end the process.
    let script = """
      cd '\(folder.path)'; trap '' XFSZ; ulimit -f 0
      '\(SpawnedCommand.built("rehearse"))' run a.scenario.yaml --record=traces
      """
    let command = try #require(SpawnedCommand(["-c", script], program: "/bin/sh"))
    #expect(command.exitCode() == 3, "\(command.said)")
    #expect(command.said.ranges(of: "error[").count == 1, "\(command.said)")
    #expect(command.said.contains("`traces/a.a.trace.jsonl` cannot be written: File too large"))
    #expect(command.said.contains("2 more traces could not be written"), "\(command.said)")
    #expect(rmdir(folder.file("traces")) == 0, "the folder of traces is not empty")
  }

  @Test func `an audit finds secrets that are encoded, and tokens by their shape`() {
    let text = """
      {"trace":1}
      {"value":"Basic dXNlcjpodW50ZXIyISE="}
      {"value":"plain"}
      {"value":"ghp_0123456789abcdefghij"}
      """
    let found = auditTrace(Array(text.utf8), secrets: ["hunter2!!"], names: ["hunter2!!": "pass"])
    #expect(found.map(\.line) == [2, 4])
    #expect(found.map(\.name) == ["‹pass›", "‹token#1›"])
  }

  private func audited(_ worlds: String, _ lines: String...) -> [TraceFinding] {
    let header = """
      {"trace":1,"scenario":{"path":"a.yaml","line":1,"title":"t","row":null},\
      "files":{"a.yaml":"x"},"worlds":{"api":"\(worlds)"},"sides":{"api":"client"},\
      "vars":{"key":"Gq3Zk7Lm9Pw2XrB81TnV4"}}
      """
    return auditTrace(
      Array(([header] + lines).joined(separator: "\n").utf8), secrets: [], names: [:],
      isPublic: { text, _ in text == "known-to-all-1234" })
  }

  @Test func `an audit ignores what mocks issue, and finds what came from outside`() {
    let issued = #"{"source":"api","from":"server","value":{"token":"Aq3Zk7Lm9Pw2XrB81TnV4"}}"#
    let used = #"{"source":"api","from":"client","value":{"q":"Aq3Zk7Lm9Pw2XrB81TnV4"}}"#
    let given = #"{"source":"api","from":"client","value":{"token":"Gq3Zk7Lm9Pw2XrB81TnV4"}}"#
    #expect(audited("mock", issued, used).map(\.line) == [1], "the variable came from outside")
    #expect(audited("mock", issued, given).map(\.line) == [1, 3])
    #expect(audited("real", issued, used).map(\.line) == [1, 2, 3])
  }

  @Test func `an audit knows random texts, and ids, hashes and words are none`() {
    func names(_ value: String) -> [String] {
      audited("real", #"{"source":"api","from":"server","value":\#(value)}"#)
        .filter { $0.line > 1 }.map(\.name)
    }
    #expect(names(#"{"note":"see Bx7Kd92mQp4Zr81TnV4w"}"#) == ["‹random text›"])
    #expect(names(#"{"note":"9f86d081884c7d659a2feaa0c55ad015"}"#) == ["‹random text›"])
    #expect(
      names(#"{"id":"Bx7Kd92mQp4Zr81TnV4w","etag":"9f86d081884c7d659a2feaa0c55ad015"}"#) == [])
    #expect(names(#"{"note":"3fa85f64-5717-4562-b3fc-2c963f66afa6 a-name-of-2-or-3-words"}"#) == [])
    #expect(names(#"{"note":"‹token#1›Bx7Kd92mQp4Zr81TnV4w"}"#) == [])
  }
}

private final class LoggedLines: Sendable {
  private let state = Mutex<[(String, Int)]>([])

  var headers: [(String, Int)] { state.withLock { $0 } }

  func add(_ item: SuiteLog.Item) {
    guard case .header(let header) = item else { return }
    state.withLock { $0.append((header.scenario?.path ?? "", header.run ?? 0)) }
  }
}
