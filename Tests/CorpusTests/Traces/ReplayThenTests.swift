import TestKit
import Testing
import TextSearch

/// `rehearse replay --until --then`: other steps from a recorded moment on.
@Suite struct ReplayThenTests {
  private static let scenario = """
    scenario: A shop
    endpoints:
      api:
        state: { orders: 0 }
        http:
          - { get: /items, respond: { json: [7, 8] } }
          - post: /orders
            script: [{ set: { orders: "${orders + 1}" } }, { respond: { json: ok } }]
    providers:
      items: { endpoint: api, get: /items }
      buy: { endpoint: api, post: /orders }
    lists: { list: { from: items } }
    reactors: { cart: { state: { order: null }, actions: { pay: [{ load: { order: buy } }] } } }
    steps:
      - ignore: [api, cart.order]
      - eventually: size(list.items) == 2
      - wait: 1s
      - send: cart.pay
      - eventually: kind(cart.order) == 'loaded'
      - check: api.orders == 1

    """

  struct Case: Sendable, CustomTestStringConvertible {
    var steps: String
    /// The text of the event to go on from.
    var event = "\"kind\":\"assertion\""
    var words: [String] = []
    var code: Int32
    var says: [String]
    var testDescription: String { steps + words.joined() }
  }

  private static let cases = [
    Case(steps: "[{ check: size(list.items) == 2 }]", code: 0, says: ["1 passed (virtual 0ms)"]),
    Case(
      steps: "[{ check: size(list.items) == 3 }]", code: 1,
      says: ["then.steps.yaml:1", "size(list.items) == 3", "list.items", "--then "]),
    Case(
      steps: "[{ send: cart.pay }, { eventually: kind(cart.order) == 'loaded' }]", code: 0,
      says: ["1 passed"]),
    Case(
      steps: "[{ check: size(lst.items) == 2 }]", code: 2,
      says: ["then.steps.yaml:1", "did you mean `list`?"]),
    Case(
      steps: "[{ eventually: kind(cart.order) == 'loaded' }, { check: api.orders == 1 }]",
      event: "\"source\":\"api.orders\"", code: 0, says: ["1 passed (virtual 1s)"]),
    Case(
      steps: "[{ request: { endpoint: api, get: /other } }]", code: 1,
      says: ["has no request of `api` that is `GET /other`"]),
    Case(steps: "[]", words: ["--update"], code: 2, says: ["two options contradict"]),
  ]

  @Test(arguments: cases)
  func `other steps follow what had begun at a recorded event`(_ one: Case) throws {
    let folder = try TemporaryFolder()
    #expect(folder.write("a.scenario.yaml", Self.scenario))
    #expect(folder.write("then.steps.yaml", "steps: \(one.steps)\n"))
    let traces = "--record=" + folder.file("traces")
    let recorded = try said(["run", folder.file("a.scenario.yaml"), traces])
    try #require(recorded.code == 0, "\(recorded.said)")
    let trace = folder.file("traces/a.a-shop.trace.jsonl")
    let text = try #require(folder.text("traces/a.a-shop.trace.jsonl"))
    let event = try #require(text.split(separator: "\n").firstIndex { $0.contains(one.event) })
    let (code, shown) = try said(
      ["replay", trace, "--until", "\(event)", "--then", folder.file("then.steps.yaml")]
        + one.words)
    #expect(code == one.code, "\(shown)")
    for part in one.says { #expect(shown.contains(part), "\(part)\n\(shown)") }
  }

  @Test func `steps need a moment to begin at, and a file`() throws {
    let path = "scenarios/traces/cat-facts.cat-facts-fail-once-then-load.trace.jsonl"
    let without = try said(["replay", path, "--then", "a.yaml"])
    #expect(without.code == 2 && without.said.contains("say which: `--until EVENT`"))
    let missing = try said(["replay", path, "--until", "7", "--then", "nowhere.yaml"])
    #expect(missing.code == 2 && missing.said.contains("`nowhere.yaml` cannot be read"))
  }

  private func said(_ words: [String]) throws -> (code: Int32?, said: String) {
    let command = try #require(SpawnedCommand(words))
    return (command.exitCode(), command.said)
  }
}
