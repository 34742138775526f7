import ScenarioRuns
import TestKit
import Testing

/// Noise that `rehearse replay --learn` finds in two recordings, and what later replays make of it.
@Suite struct ReplayNoiseTests {
  private static let scenario = """
    scenario: A shop
    vars: { order: a-1, count: 1, token: { value: s3cret-9, secret: true } }
    endpoints: { api: { http: [{ post: /orders, respond: { status: 201, json: { id: 7 } } }] } }
    graph: { last: { stored: { none: true } } }
    steps:
      - ignore: [api]
      - set: { last: { "a/b": "${order}", state: done } }
      - expect: { last: { $any: true } }
      - request:
          endpoint: api
          post: /orders
          headers: { Authorization: "${token}" }
          json: { items: [{ order: "${order}", count: "${count}" }], state: open }
          expect: { status: 201 }
    """
  private static let places = """
    {
      "noise": 1,
      "places": [
        { "source": "api", "method": "POST", "path": "/orders", "kind": "request", "pointer": \
    "/body/items/0/count", "type": "number" },
        { "source": "api", "method": "POST", "path": "/orders", "kind": "request", "pointer": \
    "/body/items/0/order", "type": "string" },
        { "source": "last", "kind": "emitted", "pointer": "/a~1b", "type": "string" }
      ]
    }

    """
  private static let other = ["order=b-22", "count=2", "token=an0ther"]

  @Test func `two recordings teach a replay which values may differ`() throws {
    let shop = try RecordedShop(Self.scenario)
    let strict = try shop.replay(["--var", "order=c-3"])
    #expect(strict.code == 1, "\(strict.said)")
    let learned = try shop.learn(Self.other)
    #expect(learned.code == 0, "\(learned.said)")
    #expect(learned.said.contains("a.a-shop.noise.json has 3 places"), "\(learned.said)")
    #expect(shop.noise == Self.places)
    #expect(try shop.learn(Self.other).code == 0)
    #expect(shop.noise == Self.places)
    let third = try shop.replay(["--var", "order=c-3", "--var", "count=9"])
    #expect(third.code == 0, "\(third.said)")
    #expect(third.said.contains("a.a-shop.noise.json` let 3 values pass\n"), "\(third.said)")
  }

  @Test func `a trace as world answers a request that differs from it by noise`() throws {
    let shop = try RecordedShop(Self.scenario)
    let strict = try shop.run(["--var", "order=c-3"])
    #expect(strict.said.contains("warning[inexact-answer]"), "\(strict.said)")
    #expect(try shop.learn(Self.other).code == 0)
    let tolerant = try shop.run(["--var", "order=c-3"])
    #expect(tolerant.code == 0, "\(tolerant.said)")
    #expect(!tolerant.said.contains("warning"), "\(tolerant.said)")
    shop.writeNoise("{ }")
    #expect(try shop.run([]).said.contains("error[unreadable-noise]"))
  }

  @Test func `a replay of the recording itself has no noise to report`() throws {
    let shop = try RecordedShop(Self.scenario)
    #expect(try shop.learn(Self.other).code == 0)
    let replayed = try shop.replay([])
    #expect(replayed.code == 0)
    #expect(!replayed.said.contains("noise"), "\(replayed.said)")
  }

  @Test(arguments: [
    ("count: \"${count}\"", "count: \"many\"", "differs   body.items[0].count: recorded 1, asked"),
    ("state: open", "state: shut", "differs   body.state: recorded \"open\", asked \"shut\""),
    ("state: done", "state: lost", "differs   state: recorded \"done\", now \"lost\""),
  ])
  func `a value of another type, or at another place, is a divergence`(
    old: String, new: String, difference: String
  ) throws {
    let shop = try RecordedShop(Self.scenario)
    #expect(try shop.learn(Self.other).code == 0)
    shop.write(Self.scenario.replacing(old, with: new))
    let replayed = try shop.replay(["--var", "order=c-3"])
    #expect(replayed.code == 1)
    #expect(replayed.said.contains(difference), "\(replayed.said)")
  }

  @Test(arguments: [["count=many"], ["order=b-2", "count=many"]])
  func `recordings that differ by a type teach nothing`(variables: [String]) throws {
    let shop = try RecordedShop(Self.scenario)
    let learned = try shop.learn(variables)
    #expect(learned.code == 1)
    #expect(learned.said.contains("error[more-than-noise]"), "\(learned.said)")
    #expect(learned.said.contains("recorded 1, asked \"many\""), "\(learned.said)")
    #expect(shop.noise == nil)
  }

  @Test(arguments: [
    ("\"/a~1b\"", "\"/a\"", "error[noise-not-in-trace]", "6:5"),
    ("\"number\"", "\"bool\"", "error[noise-not-in-trace]", "4:5"),
    ("\"number\"", "\"list\"", "error[unreadable-noise]", "4:"),
    ("\"emitted\"", "\"sent\"", "error[unreadable-noise]", "6:"),
    ("  ]\n", "", "error[unreadable-noise]", "7:"),
  ])
  func `a broken or outdated place of noise is an error at its line`(
    old: String, new: String, id: String, place: String
  ) throws {
    let shop = try RecordedShop(Self.scenario)
    shop.writeNoise(Self.places.replacing(old, with: new))
    let replayed = try shop.replay([])
    #expect(replayed.code == 2)
    #expect(replayed.said.contains(id), "\(replayed.said)")
    #expect(replayed.said.contains("a.a-shop.noise.json:\(place)"), "\(replayed.said)")
  }

  @Test func `learning takes one trace and replays nothing`() throws {
    let shop = try RecordedShop(Self.scenario)
    let update = try shop.learn(Self.other, ["--update=force"])
    #expect(update.code == 2)
    #expect(update.said.contains("`--learn` compares two recordings"), "\(update.said)")
    let folder = try shop.command(["replay", shop.file(""), "--learn", shop.trace])
    #expect(folder.code == 2)
    #expect(folder.said.contains("error[learn-from-one-run]"), "\(folder.said)")
  }
}

/// A scenario in a folder of its own, with a recording of it.
private struct RecordedShop {
  private let folder: TemporaryFolder

  init(_ scenario: String) throws {
    folder = try TemporaryFolder()
    write(scenario)
    let recorded = try record(in: "traces", [])
    try #require(recorded.code == 0, "\(recorded.said)")
  }

  var trace: String { file("traces/a.a-shop.trace.jsonl") }
  var noise: String? {
    guard case .success(let bytes) = readFile(file("traces/a.a-shop.noise.json")) else {
      return nil
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  func file(_ name: String) -> String { folder.file(name) }
  func write(_ scenario: String) { #expect(folder.write("a.scenario.yaml", scenario)) }
  func writeNoise(_ text: String) { #expect(folder.write("traces/a.a-shop.noise.json", text)) }

  func learn(_ variables: [String], _ words: [String] = []) throws -> (code: Int32?, said: String) {
    let recorded = try record(in: "other", variables)
    try #require(recorded.code == 0, "\(recorded.said)")
    return try command(
      ["replay", trace, "--learn", file("other/a.a-shop.trace.jsonl")] + words)
  }

  /// Runs the scenario against the trace as world.
  func run(_ words: [String]) throws -> (code: Int32?, said: String) {
    try command(["run", file("a.scenario.yaml"), "--against", "trace:" + trace] + words)
  }

  func replay(_ words: [String]) throws -> (code: Int32?, said: String) {
    try command(["replay", trace] + words)
  }

  func command(_ words: [String]) throws -> (code: Int32?, said: String) {
    let command = try #require(SpawnedCommand(words))
    return (command.exitCode(), command.said)
  }

  private func record(
    in name: String, _ variables: [String]
  ) throws -> (code: Int32?, said: String) {
    try command(
      ["run", file("a.scenario.yaml"), "--record=" + file(name)]
        + variables.flatMap { ["--var", $0] })
  }
}
