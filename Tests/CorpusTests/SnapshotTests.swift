import Glibc
import ScenarioPlan
import ScenarioRuns
import ScenarioSpec
import TestKit
import Testing

/// A folder with a scenario that takes snapshots.
private struct SnapshotFolder {
  let files: TemporaryFolder

  init() throws { files = try TemporaryFolder() }

  var path: String { files.path }

  func write(_ name: String, _ text: String) {
    let isWritten = files.write(name, text)
    #expect(isWritten)
  }

  func text(_ name: String) -> String? { files.text(name) }

  func run(updating: Bool) -> FileResult {
    var results: [FileResult] = []
    let file = SuiteFile(path: path + "/counter.scenario.yaml")
    var suite = Suite(files: [file])
    suite.run.options.updatesSnapshots = updating
    runSuite(suite) { results.append($0) }
    return results[0]
  }
}

@Suite struct SnapshotTests {
  private static func scenario(_ count: Int, name: String = "counted") -> String {
    """
    scenario: A counter
    graph: { count: \(count) }
    steps:
      - snapshot: { name: \(name), of: "{'count': count}" }
    """
  }

  private let place = "__snapshots__/counter.a-counter/counted.json"

  @Test func `a recorded snapshot is compared from then on, and recorded again when asked`() throws
  {
    let folder = try SnapshotFolder()
    folder.write("counter.scenario.yaml", Self.scenario(1))
    #expect(folder.run(updating: false).scenarios[0].verdict.outcome == .failed)
    #expect(folder.text(place) == nil)
    #expect(folder.run(updating: true).snapshotChanges.map(\.kind) == [.written])
    #expect(folder.text(place) == "{\n  \"count\": 1\n}\n")
    #expect(folder.run(updating: false).scenarios[0].verdict.outcome == .passed)
    #expect(folder.run(updating: true).snapshotChanges == [])
    folder.write("counter.scenario.yaml", Self.scenario(2))
    #expect(
      folder.run(updating: false).scenarios[0].verdict.failures.map(\.id) == ["snapshot-differs"])
    #expect(folder.run(updating: true).snapshotChanges.map(\.kind) == [.updated])
    #expect(folder.run(updating: false).scenarios[0].verdict.outcome == .passed)
  }

  @Test func `a file that no step takes any more is named, and left alone`() throws {
    let folder = try SnapshotFolder()
    folder.write("counter.scenario.yaml", Self.scenario(1))
    _ = folder.run(updating: true)
    folder.write("counter.scenario.yaml", Self.scenario(1, name: "other"))
    #expect(folder.run(updating: true).snapshotChanges.map(\.kind) == [.written, .obsolete])
    #expect(folder.text(place) != nil)
  }

  @Test func `a scenario that fails elsewhere records nothing`() throws {
    let folder = try SnapshotFolder()
    folder.write("counter.scenario.yaml", Self.scenario(1) + "\n  - check: count == 2\n")
    #expect(folder.run(updating: true).snapshotChanges == [])
    #expect(folder.text(place) == nil)
  }

  @Test func `a link is no folder for snapshots`() throws {
    let folder = try SnapshotFolder()
    let elsewhere = try SnapshotFolder()
    folder.write("counter.scenario.yaml", Self.scenario(1))
    #expect(symlink(elsewhere.path, folder.path + "/__snapshots__") == 0)
    let result = folder.run(updating: true)
    #expect(result.snapshotChanges == [])
    #expect(result.snapshotProblems.map(\.message) == ["it is no folder"])
    #expect(elsewhere.text("counter.a-counter/counted.json") == nil)
  }

  @Test(arguments: [
    ("After login", "after-login"), ("../../etc/passwd", "etc-passwd"), ("a.b:c", "a-b-c"),
    ("Zoë's 2nd", "zoë-s-2nd"), ("Zoe's 2nd_", "zoe-s-2nd_"), ("!?", ""), ("日本", "日本"),
    ("-x-", "x"), ("", ""),
  ])
  func `a name becomes a word that leads nowhere`(text: String, word: String) {
    #expect(fileWord(text) == word)
  }

  @Test func `a word is no longer than a file's name may be`() {
    #expect(fileWord(String(repeating: "日", count: 500)).utf8.count < 80)
    #expect(fileWord(String(repeating: "a", count: 500)).utf8.count == 60)
  }

  /// A copy of what a later step captures as a secret.
  private static func early(_ more: Int = 1) -> String {
    """
    scenario: A counter
    endpoints:
      shop:
        http:
          - { get: /me, respond: { json: { tokens: [tok-Zk-1], pin: 90471177, more: \(more) } } }
          - { post: /login, respond: { json: { token: tok-Zk-1, pin: 90471177 } } }
    graph: { copy: none }
    steps:
      - request: { endpoint: shop, get: /me, expect: { json: { $as: me } } }
      - set: { copy: "${me}" }
      - snapshot: { name: counted, of: copy }
      - request:
          endpoint: shop
          post: /login
          expect:
            json: { token: { $as: token, $secret: true }, pin: { $as: pin, $secret: true } }

    """
  }

  @Test func `a snapshot hides what becomes a secret only after it was taken`() throws {
    let folder = try SnapshotFolder()
    folder.write("counter.scenario.yaml", Self.early())
    #expect(folder.run(updating: true).snapshotChanges.map(\.kind) == [.written])
    let text = folder.text(place)
    #expect(
      text == "{\n  \"tokens\": [\n    \"***\"\n  ],\n  \"pin\": \"***\",\n  \"more\": 1\n}\n")
    #expect(folder.run(updating: false).scenarios[0].verdict.outcome == .passed)
    #expect(folder.run(updating: true).snapshotChanges == [])
    folder.write("counter.scenario.yaml", Self.early(2))
    let verdict = folder.run(updating: false).scenarios[0].verdict
    #expect(verdict.failures.map(\.id) == ["snapshot-differs"])
  }

  @Test func `what was hidden in a snapshot and is no secret any more makes it differ`() throws {
    let folder = try SnapshotFolder()
    folder.write("counter.scenario.yaml", Self.early())
    _ = folder.run(updating: true)
    folder.write(
      "counter.scenario.yaml", Self.early().replacing("{ token: tok-Zk-1", with: "{ token: other"))
    let verdict = folder.run(updating: false).scenarios[0].verdict
    #expect(verdict.failures.map(\.id) == ["snapshot-differs"])
    #expect(verdict.assertionsMet == verdict.assertionsReached - 1)
  }

  @Test(arguments: [
    ("secret: [pin], rows: [{ id: ann-0815, pin: '0815' }]", "row-1"),
    ("secret: [id], rows: [{ id: ann-0815 }]", "row-1"),
    ("secret: [pin], rows: [{ id: Ann B, pin: ann b }, { id: bob, pin: x }]", "row-1"),
    ("secret: [pin], rows: [{ id: ann, pin: '0815' }]", "ann"),
  ])
  func `the value of a secret column is in no file's name`(cases: String, name: String) throws {
    let folder = try SnapshotFolder()
    folder.write("counter.scenario.yaml", Self.scenario(1) + "\ncases: { \(cases) }\n")
    _ = folder.run(updating: true)
    #expect(folder.text("__snapshots__/counter.a-counter/counted.\(name).json") != nil)
  }

  @Test func `rows and turns have files of their own`() {
    #expect(snapshotFile("a", row: nil, turns: []) == "a.json")
    #expect(snapshotFile("a", row: "by-ten", turns: [2, 1]) == "a.by-ten.turn-2-1.json")
  }
}
