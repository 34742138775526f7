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

  /// Records the scenario with another text, and returns the files in the folder of large values.
  private static func recorded(_ text: String, in folder: TemporaryFolder, _ how: [String]) throws
    -> [String]
  {
    try #require(
      folder.write("a.yaml", scenario.replacing("text: tok-9f31", with: "text: \(text)")))
    let run = try #require(SpawnedCommand(["run", folder.file("a.yaml")] + how))
    _ = run.exitCode()
    return names(in: folder.file("traces/a.a-large-answer.bodies"))
  }

  private static func names(in path: String) -> [String] {
    guard let handle = opendir(path) else { return [] }
    defer { closedir(handle) }
    var names: [String] = []
    while let entry = readdir(handle) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name.first != "." { names.append(name) }
    }
    return names.sorted()
  }

  @Test func `a trace that is replaced takes its large values with it`() throws {
    let folder = try TemporaryFolder()
    let record = ["--record=" + folder.file("traces")]
    let first = try Self.recorded("tok-9f31", in: folder, record)
    let second = try Self.recorded("tok-9f32", in: folder, record)
    #expect(first.count == 2 && second.count == 2 && Set(first).isDisjoint(with: second))
    let failures = ["--record-failures=" + folder.file("traces")]
    #expect(try Self.recorded("tok-9f33", in: folder, failures) == second)
    // A failed run has files of its own; the good run keeps its own.
    #expect(try Self.recorded("short", in: folder, record) == second)
    #expect(!Self.names(in: folder.file("traces/a.a-large-answer.failed.bodies")).isEmpty)
    // What is not a large value is no business of a recording.
    try #require(folder.write("traces/a.a-large-answer.bodies/notes.txt", "mine"))
    let third = try Self.recorded("tok-9f34", in: folder, record)
    #expect(third.count == 3 && third.contains("notes.txt") && Set(third).isDisjoint(with: second))
    let log = folder.file("traces/a.a-large-answer.jsonl")
    #expect(try Self.recorded("tok-9f35", in: folder, ["--log", log]).count == 5)
    #expect(try Self.recorded("tok-9f36", in: folder, ["--log", log]).count == 5)
  }

  @Test func `processes that record the same scenario at once leave a trace with its values`()
    throws
  {
    let folder = try TemporaryFolder()
    for number in 0..<6 {
      let text = Self.scenario.replacing("text: tok-9f31", with: "text: tok-9f3\(number)")
      try #require(mkdir(folder.file("\(number)"), 0o755) == 0)
      try #require(folder.write("\(number)/a.yaml", text))
    }
    let record = "--record=" + folder.file("traces")
    for _ in 0..<3 {
      let runs = try (0..<6).map { number in
        try #require(SpawnedCommand(["run", folder.file("\(number)/a.yaml"), record]))
      }
      for run in runs { #expect(run.exitCode() == 0, "\(run.said)") }
      #expect(Self.names(in: folder.file("traces/a.a-large-answer.bodies")).count == 2)
      let audit = try #require(
        SpawnedCommand(["trace", "export", folder.file(Self.trace), "--to", "har"]))
      #expect(audit.exitCode() == 0, "\(audit.said.suffix(2000))")
    }
  }

  private static let trace = "traces/a.a-large-answer.trace.jsonl"

  @Test func `a secret in a large value is found in its file`() throws {
    let (folder, _) = try Self.recorded()
    let words = ["trace", "audit", "TRACE", "--var", "token=f31tok-9"]
    let audited = try Self.said(words, in: folder)
    #expect(audited.code == 1 && audited.said.contains("‹token›"), "\(audited.said)")
  }
}
