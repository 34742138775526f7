import Protocols
import TestKit
import Testing
import Values

/// The headers of real endpoints that a scenario names: a trace has them, and no others.
@Suite struct NamedHeaderTests {
  private static func scenario(_ port: UInt16, _ expected: String, sent: String = "") -> String {
    """
    scenario: Named
    endpoints: { api: { url: "http://127.0.0.1:\(port)" } }
    steps:
      - request:
          endpoint: api
          get: /a
          headers: { X-Sent: one\(sent) }
          expect: { headers: { \(expected) } }
      - check: "'a' == 'a'"

    """
  }
  private static let path = "traces/a.named.trace.jsonl"
  private static let expected =
    "X-Kind: shop, Mcp-Session-Id: { $as: session }"

  /// Records against a server that sends headers which no trace has by itself.
  private func recorded(_ folder: TemporaryFolder) throws -> UInt16 {
    let server = try #require(
      RealServer { _ in
        .response(
          HTTPResponse(
            status: 200,
            headers: [
              "Content-Type": "application/json", "X-Kind": "shop", "X-Other": "hidden",
              "Mcp-Session-Id": "Zk7x93abQw21",
            ], body: Array("1".utf8)))
      })
    defer { server.stop() }
    try write(folder, Self.scenario(server.port, Self.expected))
    let (code, said) = try rehearse(
      ["run", folder.file("a.scenario.yaml"), "--against", "real", "--record"])
    try #require(code == 0, "\(said)")
    return server.port
  }

  private func write(_ folder: TemporaryFolder, _ text: String) throws {
    let isWritten = folder.write("a.scenario.yaml", text)
    try #require(isWritten)
  }

  private func rehearse(_ words: [String]) throws -> (code: Int32?, said: String) {
    let command = try #require(SpawnedCommand(words))
    return (command.exitCode(), command.said)
  }

  @Test func `what a scenario expects and captures is recorded, and hidden if it looks secret`()
    throws
  {
    let folder = try TemporaryFolder()
    _ = try recorded(folder)
    let trace = try #require(folder.text(Self.path))
    #expect(trace.contains("\"x-kind\":\"shop\"") && trace.contains("\"x-sent\":\"one\""))
    #expect(trace.contains("mcp-session-id"))
    #expect(!trace.contains("x-other") && !trace.contains("Zk7x93abQw21"), "\(trace)")
    let scenario = folder.file("a.scenario.yaml")
    for words in [
      ["replay", folder.file(Self.path)], ["judge", scenario, folder.file(Self.path)],
      ["run", scenario, "--against", "trace:" + folder.file(Self.path)],
    ] {
      let (code, said) = try rehearse(words)
      #expect(code == 0, "\(said)")
    }
  }

  @Test func `a header that is expected later was left out of the trace`() throws {
    let folder = try TemporaryFolder()
    let port = try recorded(folder)
    try write(folder, Self.scenario(port, Self.expected + ", X-Other: hidden"))
    let scenario = folder.file("a.scenario.yaml")
    for words in [
      ["replay", folder.file(Self.path)], ["judge", scenario, folder.file(Self.path)],
      ["run", scenario, "--against", "trace:" + folder.file(Self.path)],
    ] {
      let (code, said) = try rehearse(words)
      #expect(code == 1 && said.contains("left out of the trace"), "\(said)")
    }
  }

  @Test func `a header that is added to a request is noticed`() throws {
    let folder = try TemporaryFolder()
    let port = try recorded(folder)
    try write(folder, Self.scenario(port, Self.expected, sent: ", X-New: two"))
    let (code, said) = try rehearse(["replay", folder.file(Self.path)])
    #expect(code == 1 && said.contains("headers.x-new: recorded null, asked \"two\""), "\(said)")
    #expect(said.contains("= class     asked something else"), "\(said)")
  }
}
