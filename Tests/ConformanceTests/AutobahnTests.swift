import Glibc
import TestKit
import Testing
import Values

/// Our WebSocket client and server against the cases of the Autobahn suite.
///
/// The suite is the program `wstest`; the environment variable `WSTEST` may name another command,
/// as words between spaces.
@Suite(
  .serialized,
  .enabled(if: ConformanceData.isDemanded("autobahn"), ConformanceData.reason("autobahn")),
  .enabled(if: Autobahn.command != nil, "`wstest` is not in PATH, and WSTEST names no command"))
struct AutobahnTests {
  @Test func `the client behaves in every case`() throws {
    let suite = try Autobahn(mode: "fuzzingserver")
    var client: SpawnedCommand?
    // The suite listens some time after it was started.
    for _ in 0..<100 {
      client = try Autobahn.peer("client", port: 9301)
      if client?.says("ran ") == true { break }
      usleep(100_000)
    }
    #expect(client?.exitCode() == 0, "\(suite.process.said)")
    try suite.expectGoodReport("clients")
  }

  @Test func `the server behaves in every case`() throws {
    let server = try Autobahn.peer("server", port: 9302)
    #expect(server.says("listening"))
    let suite = try Autobahn(mode: "fuzzingclient")
    #expect(suite.process.exitCode() == 0, "\(suite.process.said)")
    try suite.expectGoodReport("servers")
  }
}

/// One run of the suite.
private struct Autobahn {
  static let command: [String]? =
    getenv("WSTEST").map { String(cString: $0).split(separator: " ").map { String($0) } }
    ?? (isInPath("wstest") ? ["wstest"] : nil)

  private static let patience = 600_000_000

  let process: SpawnedCommand
  private let folder: TemporaryFolder

  init(mode: String) throws {
    folder = try TemporaryFolder()
    let config = "\(ConformanceData.folder)/autobahn/\(mode).json"
    // The suite writes its reports below the folder it runs in.
    let line =
      ["cd", folder.path, "&&", "exec"] + (Self.command ?? []) + ["-m", mode, "-s", config]
    process = try #require(
      SpawnedCommand(
        ["-c", line.joined(separator: " ")], program: "sh", patience: Self.patience))
  }

  static func peer(_ name: String, port: Int) throws -> SpawnedCommand {
    let program = SpawnedCommand.built("AutobahnPeers")
    return try #require(
      SpawnedCommand([name, "\(port)"], program: program, patience: patience))
  }

  /// Expects that the report has cases, and that each behaved and closed as the suite allows.
  func expectGoodReport(_ peers: String) throws {
    let report = try #require(ConformanceData.json(folder.file("reports/\(peers)/index.json")))
    guard case .map(let agents) = report, let (_, results) = agents.first(where: { _ in true }),
      case .map(let cases) = results
    else {
      Issue.record("the report has no agent: \(report)")
      return
    }
    #expect(cases.count > 200)
    for (name, result) in cases {
      let allowed: [Value?] = ["OK", "NON-STRICT", "INFORMATIONAL"]
      #expect(allowed.contains(result["behavior"]), "case \(name)")
      #expect(["OK", "INFORMATIONAL"].contains(result["behaviorClose"]), "closing of case \(name)")
    }
  }

  private static func isInPath(_ name: String) -> Bool {
    let path = getenv("PATH").map { String(cString: $0) } ?? ""
    return path.split(separator: ":").contains { access("\($0)/\(name)", X_OK) == 0 }
  }
}
