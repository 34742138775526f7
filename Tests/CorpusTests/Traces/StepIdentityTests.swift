import Diagnostics
import ScenarioRuns
import TestKit
import Testing
import Values
import Verdicts
import World
import YAMLSyntax

/// Traces of scenarios whose text is another one now.
@Suite struct StepIdentityTests {
  private static let stage = [
    "scenario: Steps", "endpoints:", "  api:", "    http:",
    "      - { get: /a, respond: { json: 1 } }", "      - { get: /b, respond: { json: 2 } }",
    "graph: { n: 0 }", "steps:",
  ]

  /// Steps, each a few lines, with other values than any other one.
  private static func steps(_ random: inout SeededRandom) -> [[String]] {
    (0..<(3 + Int(random.next() % 5))).map { number in
      let request = "request: { endpoint: api, get: /\(random.next() % 2 == 0 ? "a" : "b") }"
      return switch random.next() % 6 {
      case 0: ["  - wait: \(number + 1)ms"]
      case 1: ["  - set: { n: \(number + 1) }", "  - check: n == \(number + 1)"]
      case 2: ["  - if: n < 100", "    then:", "      - \(request)"]
      case 3: ["  - repeat: 2", "    steps:", "      - \(request)", "      - wait: \(number)s"]
      case 4: ["  - \(request)"]
      default:
        ["  - request:", "      endpoint: api", "      get: /a", "      expect: { json: 1 }"]
      }
    } + [["  - check: n < 100"]]
  }

  private struct Recorded {
    var folder: TemporaryFolder
    var steps: [[String]]

    init(_ random: inout SeededRandom) throws {
      folder = try TemporaryFolder()
      steps = StepIdentityTests.steps(&random)
      try write(StepIdentityTests.stage + steps.flatMap { $0 })
      let command = try #require(
        SpawnedCommand(["run", folder.file("a.scenario.yaml"), "--record", "-q"]))
      try #require(command.exitCode() == 0, "\(command.said)")
    }

    func write(_ lines: [String]) throws {
      let isWritten = folder.write("a.scenario.yaml", lines.map { $0 + "\n" }.joined())
      try #require(isWritten)
    }

    func replay() throws -> ReplayedFile {
      try #require(
        replayFile(folder.file("traces/a.steps.trace.jsonl"), ReplayOptions()).first)
    }
  }

  @Test(arguments: 1...12)
  func `an edit that changes nothing never diverges`(seed: Int) throws {
    var random = SeededRandom(seed: UInt64(seed))
    let recorded = try Recorded(&random)
    var lines = Self.stage + recorded.steps.flatMap { $0 }
    for _ in 0..<4 {
      let place = Self.stage.count + Int(random.next() % UInt64(lines.count - Self.stage.count))
      lines.insert(random.next() % 2 == 0 ? "" : "  # Why this is so.", at: place)
    }
    if seed % 3 == 0 { lines[0] = "scenario: Another title" }
    if seed % 3 == 1 { lines.insert(contentsOf: ["scenario: Before", "steps: []", "---"], at: 0) }
    try recorded.write(lines)
    if seed % 2 == 0 {
      let text = try #require(recorded.folder.text("a.scenario.yaml"))
      guard case .formatted(let bytes) = formatYAML(SourceFile(path: "a", text: text)) else {
        Issue.record("not formatted")
        return
      }
      try recorded.write([String(decoding: bytes, as: UTF8.self)])
    }
    let replayed = try recorded.replay()
    let result = try #require(replayed.result, "\(replayed.diagnostics)")
    #expect(result.verdict.outcome == .passed, "\(result.verdict.failures)\n\(lines)")
    let warning = try #require(result.verdict.warnings.first { $0.id == "scenario-changed" })
    #expect(warning.notes.contains { $0.text == "all of its steps are what they were" })
    let judged = try #require(
      SpawnedCommand([
        "judge", recorded.folder.file("a.scenario.yaml"), recorded.folder.file("traces"),
      ]))
    #expect(judged.exitCode() == 0, "\(judged.said)\n\(lines)")
  }

  @Test(arguments: 1...12)
  func `an edit that changes one step names that step`(seed: Int) throws {
    var random = SeededRandom(seed: UInt64(seed))
    let recorded = try Recorded(&random)
    var steps = recorded.steps
    let place = Int(random.next() % UInt64(steps.count - 1))
    let line = Self.stage.count + 4 + steps[..<place].map(\.count).reduce(0, +)
    var name = "added a.scenario.yaml:\(line)"
    switch random.next() % 3 {
    case 0: steps.insert(["  - request: { endpoint: api, get: /c }"], at: place)
    case 1:
      steps.remove(at: place)
      name = "removed"
    default:
      steps[place] = [steps[place][0].hasPrefix("  - wait") ? "  - wait: 7s" : "  - wait: 8s"]
      name = "changed a.scenario.yaml:\(line)"
    }
    // The comment moves all of them.
    try recorded.write(Self.stage + ["", "  # Moved.", ""] + steps.flatMap { $0 })
    let replayed = try recorded.replay()
    let result = try #require(replayed.result, "\(replayed.diagnostics)")
    let notes = (result.verdict.warnings + result.verdict.failures).flatMap(\.notes)
      .map { "\($0.name) \($0.text.replacing(recorded.folder.path + "/", with: ""))" }
    #expect(notes.contains { $0.hasPrefix(name) }, "\(name) \(notes)")
    #expect(!notes.contains { $0.contains("all of its steps") })
  }

  /// A scenario with steps in branches, of another file and of a component, by the names of files.
  private static let several = [
    "a.scenario.yaml": [
      "scenario: Steps", "use:", "  - c.component.yaml: { as: part, with: { pause: 3ms } }",
      "graph: { n: 0, m: 0 }", "steps:",
      "  - set: { n: 1 }",
      "  - parallel:",
      "      - - wait: 1ms",
      "        - set: { n: 2 }",
      "        - include: { path: b.steps.yaml, with: { to: 5 } }",
      "      - - wait: 20ms",
      "        - set: { m: 3 }",
      "  - include: { path: b.steps.yaml, with: { to: 9 } }",
      "  - send: part.work.go",
      "  - wait: 10ms",
      "  - check: part.total == 1 && n == 9 && m == 3",
    ],
    "b.steps.yaml": [
      "params: [to]", "steps:",
      "  - wait: 2ms",
      "  - if: n > 0",
      "    then:",
      "      - set: { n: \"${to}\" }",
      "  - check: n == to",
    ],
    "c.component.yaml": [
      "component: A part", "params: { pause: 1ms }", "graph: { total: 0 }", "reactors:", "  work:",
      "    actions:", "      go:",
      "        - wait: \"${pause}\"",
      "        - set: { total: 1 }",
    ],
  ]

  private func write(_ files: [String: [String]], to folder: TemporaryFolder) throws {
    for (name, lines) in files {
      let isWritten = folder.write(name, lines.map { $0 + "\n" }.joined())
      try #require(isWritten)
    }
  }

  /// Records the scenario, writes the other text, and replays and judges it.
  private func replayed(
    after files: [String: [String]]
  ) throws -> (said: String, codes: [Int32?]) {
    let folder = try TemporaryFolder()
    try write(Self.several, to: folder)
    let scenario = folder.file("a.scenario.yaml")
    let record = try #require(SpawnedCommand(["run", scenario, "--record", "-q"]))
    try #require(record.exitCode() == 0, "\(record.said)")
    try write(files, to: folder)
    let commands = try [["replay"], ["judge", scenario]].map {
      try #require(SpawnedCommand($0 + [folder.file("traces")]))
    }
    let codes = commands.map { $0.exitCode() }
    return (commands.map { $0.said }.joined().replacing(folder.path + "/", with: ""), codes)
  }

  @Test(arguments: 1...12)
  func `steps in branches, of other files and of components are found after an edit`(
    seed: Int
  ) throws {
    var random = SeededRandom(seed: UInt64(seed))
    var files = Self.several
    for name in files.keys.sorted() {
      for _ in 0..<3 {
        let count = files[name]?.count ?? 0
        let place = Int(random.next() % UInt64(count + 1))
        files[name]?.insert(random.next() % 2 == 0 ? "" : "# Why this is so.", at: place)
      }
    }
    let (said, codes) = try replayed(after: files)
    #expect(codes == [0, 0], "\(said)\n\(files)")
    #expect(said.contains("all of its steps are what they were"), "\(said)")
  }

  @Test(arguments: [
    ("a.scenario.yaml", 8, "        - set: { n: 7 }"),
    ("a.scenario.yaml", 11, "        - set: { m: 4 }"),
    ("b.steps.yaml", 5, "      - set: { n: \"${to + 1}\" }"),
    ("c.component.yaml", 8, "        - set: { total: 2 }"),
  ])
  func `a changed step in a branch, of another file or of a component is named`(
    file: String, line: Int, text: String
  ) throws {
    var files = Self.several
    files[file]?[line] = text
    files[file]?.insert("# Moved.", at: 0)
    let (said, codes) = try replayed(after: files)
    #expect(codes[0] == 1, "\(said)")
    #expect(said.contains("= changed  ") && said.contains("\(file):\(line + 2):"), "\(said)")
    #expect(!said.contains("all of its steps"), "\(said)")
  }

  private static let rows = """
    scenario: Rows
    cases:
      - { path: a, json: 1 }
      - { path: b, json: 2 }
    endpoints:
      api:
        http:
          - { get: /a, respond: { json: 1 } }
          - { get: /b, respond: { json: 2 } }
    steps:
      - request: { endpoint: api, get: "/${path}", expect: { json: "${json}" } }

    """

  @Test func `a row that is put before the others does not take their traces`() throws {
    let folder = try TemporaryFolder()
    try #require(folder.write("a.scenario.yaml", Self.rows))
    let record = try #require(
      SpawnedCommand(["run", folder.file("a.scenario.yaml"), "--record", "-q"]))
    try #require(record.exitCode() == 0, "\(record.said)")
    let text = Self.rows.replacing("cases:\n", with: "cases:\n  - { path: b, json: 2.0 }\n")
    try #require(folder.write("a.scenario.yaml", text))
    for verb in [["replay"], ["judge", folder.file("a.scenario.yaml")]] {
      let command = try #require(SpawnedCommand(verb + [folder.file("traces")]))
      #expect(command.exitCode() == 0, "\(command.said)")
    }
  }

  @Test func `a trace of an older version is found by lines, until it is updated`() throws {
    let folder = try TemporaryFolder()
    let text = (Self.stage + ["  - set: { n: 1 }", "  - check: n == 1", ""])
      .joined(separator: "\n")
    try #require(folder.write("a.scenario.yaml", text))
    let path = folder.file("traces/a.steps.trace.jsonl")
    let record = try #require(
      SpawnedCommand(["run", folder.file("a.scenario.yaml"), "--record", "-q"]))
    try #require(record.exitCode() == 0, "\(record.said)")
    let trace = try #require(folder.text("traces/a.steps.trace.jsonl"))
    let older = trace.split(separator: "\n").map { line in
      var parts = String(line).removing(from: "\"steps\":[", to: "],")
      parts = parts.removing(from: ",\"step\":\"", to: "\"")
      return parts + "\n"
    }
    try #require(folder.write("traces/a.steps.trace.jsonl", older.joined()))
    let warned = try #require(SpawnedCommand(["replay", path]))
    #expect(warned.exitCode() == 0 && warned.said.contains("warning[trace-without-steps]"))
    let updated = try #require(SpawnedCommand(["replay", path, "--update=force"]))
    #expect(updated.exitCode() == 0, "\(updated.said)")
    #expect(folder.text("traces/a.steps.trace.jsonl") == trace)
  }
}

extension String {
  /// Returns the text without the first part that begins and ends so.
  fileprivate func removing(from start: String, to end: String) -> String {
    guard let first = firstIndex(of: start) else { return self }
    let rest = self[first...].dropFirst(start.count)
    guard let last = String(rest).firstIndex(of: end) else { return self }
    return String(self[..<first]) + String(String(rest)[last...].dropFirst(end.count))
  }

  private func firstIndex(of text: String) -> Index? {
    indices.first { self[$0...].hasPrefix(text) }
  }
}
