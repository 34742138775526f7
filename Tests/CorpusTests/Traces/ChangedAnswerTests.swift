import ScenarioRuns
import TestKit
import Testing

/// `rehearse replay --answer`: what would have happened if an answer had been another one.
@Suite struct ChangedAnswerTests {
  private static let scenario = """
    scenario: A shop
    vars: { token: { value: s3cret-9, secret: true } }
    endpoints:
      api:
        http:
          - { get: /items, respond: { json: [{ id: 7, key: "${token}" }] } }
          - { get: "/items/{id}", respond: { json: { id: 7 } } }
    providers:
      items: { endpoint: api, get: /items, retry: { maxAttempts: 3, initialDelay: 1s } }
    lists: { list: { from: items } }
    steps:
      - ignore: [api]
      - eventually: size(list.items) == 1
        within: 10s
      - request: { endpoint: api, get: "/items/${list.items[0].id}", expect: { status: 200 } }

    """

  /// A change of the recorded answer, and what is to be said of it.
  struct Case: Sendable, CustomTestStringConvertible {
    var words: [String]
    var code: Int32
    var said: [String]
    var testDescription: String { words.joined(separator: " ") }

    init(_ words: String..., code: Int32 = 0, says said: String...) {
      (self.words, self.code, self.said) = (words, code, said)
    }
  }

  private static let cases = [
    Case(
      "--answer", "2", "status=503",
      says: "0ms api response 503", "1s api GET /items", "1s api response 200", "1 passed"),
    Case("--answer", "2", "drop", says: "0ms api drop", "1s api response 200", "1 passed"),
    Case("--answer", "2", "delay=2s", says: "2s api response 200", "1 passed (virtual 2s)"),
    Case(
      "--answer", "2", "status=503", "--answer", "1", "delay=2s",
      says: "2s api response 503", "3s api response 200"),
    Case(
      "--answer", "2", "status=404", code: 1,
      says: "event 2: status=404", "0ms api response 404",
      "traces/a.a-shop.trace.jsonl --answer 2 status=404 --var token=***\n"),
    Case("--answer", "2", "body=none.json", code: 1, says: "0ms api response 200 []"),
    Case(
      "--answer", "2", "body=other.json", code: 1,
      says: "has no request of `api` that is `GET /items/8`", "nearest  "),
    Case("--answer", "12", "status=201", code: 1, says: "api response 201 {\"id\":7}"),
    Case(
      "--answer", "3", "drop", code: 2,
      says: "it is part of no exchange", "the nearest exchange is event 1: api GET /items"),
    Case(
      "--answer", "99", "drop", code: 2,
      says: "no event 99", "the nearest exchange is event 12: api GET /items/7"),
    Case("--answer", "2", "status=abc", code: 2, says: "`abc` is no status"),
    Case("--answer", "2", "status=99", code: 2, says: "`99` is no status"),
    Case("--answer", "2", "delay=soon", code: 2, says: "`soon` is no delay"),
    Case("--answer", "2", "stats=503", code: 2, says: "did you mean `status`?"),
    Case("--answer", "2", "body=nowhere.json", code: 2, says: "`nowhere.json` cannot be read"),
    Case("--answer", "2", code: 2, says: "write `--answer EVENT CHANGE`"),
    Case(
      "--answer", "2", "drop", "--answer", "2", "status=503", code: 2,
      says: "nothing comes of an answer that is dropped"),
    Case("--answer", "2", "drop", "--update", code: 2, says: "two options contradict"),
  ]

  @Test(arguments: cases)
  func `the scenario judges what follows another answer, beside the recorded run`(
    _ one: Case
  ) throws {
    let folder = try TemporaryFolder()
    #expect(folder.write("a.scenario.yaml", Self.scenario))
    #expect(folder.write("none.json", "[]"))
    #expect(folder.write("other.json", "[{ \"id\": 8 }]"))
    let words = one.words.map { word in
      let file = word.hasPrefix("body=") && one.code != 2 ? String(word.dropFirst(5)) : nil
      return file.map { "body=" + folder.file($0) } ?? word
    }
    let path = folder.file("a.scenario.yaml")
    #expect(try said(["run", path, "--record=" + folder.file("traces")]).code == 0)
    let trace = folder.file("traces/a.a-shop.trace.jsonl")
    let (code, text) = try said(["replay", trace, "--var", "token=s3cret-9"] + words)
    #expect(code == one.code, "\(text)")
    for part in one.said { #expect(text.contains(part), "\(part)\n\(text)") }
    #expect(!text.contains("s3cret-9"), "\(text)")
  }

  @Test func `the page on traces shows what its command says`() throws {
    let trace =
      "scenarios/traces/prices.a-price-feed-drops-backs-off-and-resumes-where-it-was.trace.jsonl"
    let (code, text) = try said(["replay", trace, "--answer", "20", "delay=700ms"])
    #expect(code == 0, "\(text)")
    let table = text.split(separator: "\n").prefix(4).joined(separator: "\n")
    let shown = "--answer 20 delay=700ms\n\(table)\n"
    #expect(fileText("docs/traces.md")?.contains(shown) == true, "\(text)")
  }

  private func said(_ words: [String]) throws -> (code: Int32?, said: String) {
    let command = try #require(SpawnedCommand(words))
    return (command.exitCode(), command.said)
  }
}
