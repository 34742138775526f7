import Diagnostics
import Events
import ScenarioEngine
import ScenarioPlan
import ScenarioRuns
import Testing
import Verdicts

/// Where the endpoint of a scenario is.
enum CauseWorld: CaseIterable { case mock, sockets, real }

/// A scenario, and the events that led to one of its events.
struct CauseCase: Sendable, CustomTestStringConvertible {
  var testDescription: String
  /// What stands under `api`.
  var api: String
  var rest: String
  /// The source whose last event is asked about.
  var source: String
  /// What led to it: sources, and the verbs of steps; the nearest comes first.
  var causes: [String]

  static let all = [
    CauseCase(
      testDescription: "an answer is caused by the request, and that by the step",
      api: "http: [{ get: /x, respond: { json: 1 } }]",
      rest: """
        providers: { x: { endpoint: api, get: /x } }
        reactors: { r: { state: { f: none }, actions: { go: [{ load: { f: x } }] } } }
        steps: [{ send: r.go }, { expect: { r.f: [loading, { loaded: { $any: true } }] } }]
        """,
      source: "r.f", causes: ["api", "send"]),
    CauseCase(
      testDescription: "the events of a stream are caused by the request that opened it",
      api: "sse: [{ accept: {}, script: [{ event: { data: 1 } }, { wait: forever }] }]",
      rest: """
        connections: { news: { sse: { endpoint: api, path: / } } }
        steps: [{ connect: news }, { expect: { news: { $any: true } } }]
        """,
      source: "news", causes: ["api", "connect"]),
    CauseCase(
      testDescription: "a message is caused by the message it answers",
      api:
        "websocket: [{ accept: {}, script: [{ receive: a }, { send: b }, { wait: forever }] }]",
      rest: """
        connections: { chat: { websocket: { endpoint: api, path: / } } }
        steps:
          - connect: chat
          - expect: { chat.state: [connecting, connected] }
          - wait: 20ms
          - send: { chat: a }
          - expect: { chat: b }
        """,
      source: "chat", causes: ["api", "send"]),
  ]
}

/// Who caused what, where nobody else is interested and where others watch.
@Suite struct CauseTests {
  private static let onlooker =
    "streams: { onlooker: { from: api, through: [{ map: \"'seen'\" }] } }"

  @Test(arguments: CauseCase.all, CauseWorld.allCases)
  func `the cause of an event is what led to it`(_ each: CauseCase, world: CauseWorld) throws {
    #expect(try causes(each, in: world) == each.causes)
  }

  @Test(arguments: CauseCase.all, CauseWorld.allCases)
  func `a stream that watches an endpoint is the cause of nothing`(
    _ each: CauseCase, world: CauseWorld
  ) throws {
    var watched = each
    watched.rest = CauseTests.onlooker + "\n" + each.rest
    #expect(try causes(watched, in: world) == each.causes)
  }

  private func causes(_ each: CauseCase, in world: CauseWorld) throws -> [String] {
    guard world == .real else { return try causes(each, url: nil, in: world.kind) }
    let server = try #require(
      RehearsedServer(
        """
        scenario: Real
        endpoints: { api: { \(each.api) } }
        steps: [{ wait: 1h }]
        """))
    defer { server.stop() }
    return try causes(each, url: "http://localhost:\(server.port)", in: world.kind)
  }

  private func causes(_ each: CauseCase, url: String?, in kind: WorldKind) throws -> [String] {
    let text = """
      scenario: Causes
      endpoints: { api: { \(url.map { "url: \"\($0)\", " } ?? "")\(each.api) } }
      \(each.rest)
      """
    let file = loadScenarios(SourceFile(path: "causes.yaml", text: text))
    #expect(file.diagnostics == [])
    let plan = try #require(file.plans.first)
    let log = runScenario(plan, inputs: RunInputs(seed: 1), in: kind).log
    let last = log.events.last { event in
      if case .source(.emitted(let source, _)) = event.kind {
        plan.sources[source].name == each.source
      } else {
        false
      }
    }
    return names(ofCauses: try #require(last, "\(each.source) emitted nothing"), in: log, plan)
  }

  private func names(
    ofCauses event: Event, in log: EventLog, _ plan: ScenarioPlan
  ) -> [String] {
    guard let cause = event.cause.flatMap({ log[$0] }) else { return [] }
    let name = CauseTests.name(of: cause, in: plan)
    return [name] + names(ofCauses: cause, in: log, plan)
  }

  private static func name(of event: Event, in plan: ScenarioPlan) -> String {
    if case .source(.emitted(let source, _)) = event.kind { return plan.sources[source].name }
    if case .script(.stepBegan(let step)) = event.kind { return step.verb }
    return "\(event.kind)"
  }

  /// A load over sockets that expects these events after `loading`, in this order.
  private func verdict(expecting events: [String]) throws -> Verdict {
    let text = """
      scenario: An onlooker
      endpoints: { api: { http: [{ get: /x, respond: { json: 1 } }] } }
      providers: { x: { endpoint: api, get: /x } }
      \(CauseTests.onlooker)
      reactors: { r: { state: { f: none }, actions: { go: [{ load: { f: x } }] } } }
      steps:
        - send: r.go
        - expect: [{ r.f: loading }, \(events.map { "{ \($0) }" }.joined(separator: ", "))]
      """
    let file = loadScenarios(SourceFile(path: "onlooker.yaml", text: text))
    #expect(file.diagnostics == [])
    let plan = try #require(file.plans.first)
    return runAgain(atMost: 3) {
      runScenario(plan, inputs: RunInputs(seed: 1), in: .sockets).verdict
    }
  }

  @Test func `what watches an endpoint may come before or after the answer in real time`() throws {
    let events = ["api: { get: /x }", "r.f: { loaded: 1 }", "onlooker: seen"]
    #expect(try verdict(expecting: events).failures == [])
  }

  @Test func `an answer does not come before its request in real time`() throws {
    let events = ["r.f: { loaded: 1 }", "api: { get: /x }", "onlooker: seen"]
    #expect(try verdict(expecting: events).outcome == .failed)
  }
}

extension CauseWorld {
  fileprivate var kind: WorldKind {
    switch self {
    case .mock: .mock
    case .sockets: .sockets
    case .real:
      .real(RealWorldSettings())
    }
  }
}
