import Glibc
import TestKit
import Testing
import Traces
import Values

/// The commands that read a trace whose large values lie in files of their own.
@Suite struct TraceBodyFileTests {
  private static let scenario = """
    scenario: A large answer
    endpoints: { api: { http: [{ get: /, respond: { text: "${text}" } }] } }
    graph: { text: tok-9f31 }
    steps:
      - ignore: text
      - repeat: 14
        steps: [{ set: { text: "${text + text}" } }]
      - request: { endpoint: api, get: /, expect: { status: 200, text: { $as: got } } }
      - check: size(got) == 131072

    """
  private static let other = """
    scenario: Another client
    endpoints: { api: { http: [{ get: /, respond: { text: "" } }] } }
    steps:
      - request: { endpoint: api, get: /, expect: { status: 200, text: { $as: got } } }
      - check: size(got) == 131072

    """

  /// What happened to the file of the body, and what commands say about it.
  struct Change: CustomTestStringConvertible, Sendable {
    var testDescription: String
    /// Returns the new text; nil removes the file.
    var text: @Sendable (_ name: String) -> String?
    var said: [String]
  }

  private static let changes = [
    Change(
      testDescription: "missing", text: { _ in nil },
      said: [
        "error[unreadable-trace-body]", "a.a-large-answer.bodies/", "the file of its body is `",
      ]),
    Change(
      testDescription: "changed", text: { _ in "\"other\"" },
      said: ["was changed: `", "expected  SHA-256 ", "actual    SHA-256 d448c0e0"]),
    Change(
      testDescription: "a circle", text: { "{\"$body\":\"\($0)\",\"bytes\":131072}" },
      said: ["was changed: `", "a.a-large-answer.trace.jsonl:"]),
  ]

  private static let commands = [
    ["replay", "TRACE"], ["judge", "SCENARIO", "TRACE"], ["import", "TRACE"],
    ["trace", "export", "TRACE", "--to", "har"], ["trace", "audit", "TRACE"],
    ["run", "OTHER", "--against", "trace:TRACE"],
  ]

  private static func recorded() throws -> (folder: TemporaryFolder, body: String) {
    let folder = try TemporaryFolder()
    let isWritten = folder.write("a.yaml", scenario) && folder.write("b.yaml", other)
    try #require(isWritten)
    let run = try #require(
      SpawnedCommand(["run", folder.file("a.yaml"), "--record=" + folder.file("traces")]))
    try #require(run.exitCode() == 0, "\(run.said)")
    let answer = "\"" + String(repeating: "tok-9f31", count: 16_384) + "\""
    return (folder, SHA256.digest(of: Array(answer.utf8)))
  }

  private static func said(
    _ words: [String], in folder: TemporaryFolder
  ) throws -> (code: Int32?, said: String) {
    let files = [
      "TRACE": folder.file("traces/a.a-large-answer.trace.jsonl"),
      "SCENARIO": folder.file("a.yaml"), "OTHER": folder.file("b.yaml"),
    ]
    let command = try #require(
      SpawnedCommand(
        words.map { files[$0] ?? $0.replacing("TRACE", with: files["TRACE"] ?? "") }))
    let code = command.exitCode()
    return (code, command.said)
  }

  @Test func `every command that reads a large value finds it in its file`() throws {
    let (folder, _) = try Self.recorded()
    for words in Self.commands {
      let (code, said) = try Self.said(words, in: folder)
      #expect(code == 0, "\(words): \(said.prefix(2000))")
    }
  }

  @Test(arguments: changes)
  func `a file that is not the recorded one is an error of every command`(change: Change) throws {
    let (folder, body) = try Self.recorded()
    let path = "traces/a.a-large-answer.bodies/" + body
    if let text = change.text(body) {
      let isWritten = folder.write(path, text)
      try #require(isWritten)
    } else {
      try #require(unlink(folder.file(path)) == 0)
    }
    for words in Self.commands {
      let (code, said) = try Self.said(words, in: folder)
      #expect(code == 2, "\(words): \(said.prefix(2000))")
      for text in change.said { #expect(said.contains(text), "\(words): \(said.prefix(2000))") }
    }
    for action in ["show", "requests", "stats"] {
      #expect(try Self.said(["trace", action, "TRACE"], in: folder).code == 0)
    }
  }

  @Test func `a secret in a large value is found in its file`() throws {
    let (folder, _) = try Self.recorded()
    let words = ["trace", "audit", "TRACE", "--var", "token=f31tok-9"]
    let audited = try Self.said(words, in: folder)
    #expect(audited.code == 1 && audited.said.contains("‹token›"), "\(audited.said)")
  }
}
