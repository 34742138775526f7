import ScenarioTesting
import TestKit
import Testing

/// Sweeps of Swift objects, in scenarios that `rehearse sweep` sweeps with clients in YAML.
@Suite struct SubjectSweepTests {
  /// A client with one classic fault, and its right twin.
  struct WrongClient: Sendable, CustomTestStringConvertible {
    var fault: String
    var file: String
    var title: String
    var stage: @Sendable (_ isRight: Bool) -> Stage
    /// The rules that it breaks, and the shortest courses that show it.
    var found: [String]

    var testDescription: String { fault }

    var scenario: Scenario? {
      Scenarios(in: "scenarios/sweep/\(file).scenario.yaml").first { $0.title.hasPrefix(title) }
    }
  }

  static let wrongClients = [
    WrongClient(
      fault: "a buffer is lost at a reconnection", file: "feed", title: "A client that resumes",
      stage: Cart.stage,
      found: [
        "check-failed: cut after event 1 of server, connection 1",
        "check-failed: cut after event 2 of server, connection 1",
        "check-failed: cut after event 3 of server, connection 1",
      ]),
    WrongClient(
      fault: "a new connection has no Last-Event-ID", file: "connect",
      title: "A client that makes a new connection says", stage: Walk.stage,
      found: [
        "check-failed: cut after event 1 of server, connection 1",
        "check-failed: cut after event 2 of server, connection 1",
      ]),
    WrongClient(
      fault: "a timer is not cancelled", file: "banner", title: "A banner whose timer nobody stops",
      stage: Banner.stage, found: ["check-failed: refuse connection 1 of server"]),
    WrongClient(
      fault: "a subscription is forgotten after a reconnection", file: "rooms",
      title: "A client that subscribes after each", stage: RoomMember.stage,
      found: [
        "nothing-left: cut after sending 1 of chat, connection 1",
        "nothing-left: cut after message 1 of chat, connection 1",
      ]),
    WrongClient(
      fault: "a POST is sent again under another key", file: "orders",
      title: "An order with a key", stage: Shop.stage,
      found: ["check-failed: lose answer 1 of api, connection 1"]),
    WrongClient(
      fault: "an id is stored before its job is done", file: "jobs",
      title: "A worker that remembers a job when", stage: Worker.stage,
      found: [
        "check-failed: lose request 2 of queue, connection 1",
        "check-failed: lose request 4 of queue, connection 1",
        "check-failed: lose request 6 of queue, connection 1",
      ]),
    WrongClient(
      fault: "a late answer replaces a newer one", file: "search",
      title: "A search that does not end", stage: SearchPage.stage,
      found: ["check-failed: refuse connection 1 of api"]),
  ]

  @Test(arguments: wrongClients)
  func `a wrong client is found and named`(_ client: WrongClient) async throws {
    let scenario = try #require(client.scenario)
    let swept = await client.stage(false).sweepOutcome(of: scenario)
    #expect(swept.causes.map { "\($0.failure.id): \($0.shortest)" } == client.found)
    #expect(swept.unclear == [])
    #expect(swept.outcome.result == .failed)
  }

  @Test(arguments: wrongClients)
  func `its right twin holds in each course`(_ client: WrongClient) async throws {
    let scenario = try #require(client.scenario)
    let stage = client.stage(true)
    await stage.sweep(scenario)
    let swept = await stage.sweepOutcome(of: scenario)
    #expect(swept.courseCount > 4)
    #expect(swept.heldCount == swept.courseCount)
    #expect(swept.unclear == [])
  }

  @Test(arguments: wrongClients)
  func `the shortest course of a cause fails again by its name`(_ client: WrongClient) async throws
  {
    let scenario = try #require(client.scenario)
    let stage = client.stage(false)
    for cause in await stage.sweepOutcome(of: scenario).causes {
      let names = cause.shortest.split(separator: ", then ").map { String($0) }
      let again = await stage.outcome(of: scenario, disturb: names)
      #expect(again.failures.first?.id == cause.failure.id)
      await client.stage(true).test(scenario, disturb: names)
    }
  }

  @Test(arguments: wrongClients)
  func `two sweeps have one report`(_ client: WrongClient) async throws {
    let scenario = try #require(client.scenario)
    let stage = client.stage(false)
    let first = await stage.sweepOutcome(of: scenario)
    let second = await stage.sweepOutcome(of: scenario)
    #expect(first.outcome.report == second.outcome.report)
    #expect(first.causes.map(\.courses) == second.causes.map(\.courses))
  }
}

/// How a sweep reports, and what can be done with its courses.
@Suite struct SubjectSweepReportTests {
  private let lostAnswer = "lose answer 1 of api, connection 1"

  private var orders: Scenario {
    get throws { try #require(Scenarios(in: "scenarios/sweep/orders.scenario.yaml").first) }
  }

  @Test func `each cause is an issue at its line with the course and how to repeat it`()
    async throws
  {
    let scenario = try orders
    await withKnownIssue {
      await Shop.stage(isRight: false).sweep(scenario)
    } matching: { issue in
      let report = issue.comments.first?.rawValue ?? ""
      return issue.sourceLocation?.line == 35 && report.contains("<- differs first")
        && report.contains(#"await stage.test(scenario, disturb: ["\#(lostAnswer)"])"#)
    }
  }

  @Test @MainActor func `a sweep that fails is thrown with its report`() throws {
    let scenario = try orders
    let error = #expect(throws: ScenarioFailure.self) {
      try Shop.stage(isRight: false).checkSweep(scenario)
    }
    #expect(error?.description.contains("api.orders == 1") == true)
    try Shop.stage(isRight: true).checkSweep(scenario)
  }

  @Test func `what a baseline has is known`() async throws {
    let scenario = try orders
    let folder = try TemporaryFolder()
    let path = folder.file("known.txt")
    let stage = Shop.stage(isRight: false)
    let missing = await stage.sweepOutcome(of: scenario, baseline: path)
    #expect(missing.outcome.failures.map(\.id) == ["unreadable-file"])
    try #require(folder.write("known.txt", "Another: check-failed: refuse connection 1 of api\n"))
    #expect(await stage.sweepOutcome(of: scenario, baseline: path).causes.count == 1)
    for _ in 0..<2 {
      await stage.sweep(scenario, baseline: path, updatesBaseline: true)
      await stage.sweep(scenario, baseline: path)
    }
    let known = await stage.sweepOutcome(of: scenario, baseline: path)
    #expect(known.knownCount == 1 && known.causes.isEmpty)
    #expect(known.heldCount < known.courseCount)
    let lines = folder.text("known.txt")?.split(separator: "\n") ?? []
    #expect(lines.first == "Another: check-failed: refuse connection 1 of api")
    let name = "/scenarios/sweep/orders.scenario.yaml::\(scenario.title)"
    #expect(lines.count == 2 && lines[1].contains("\(name): check-failed at "), "\(lines)")
  }

  @Test func `a sweep ends after its time and says what is left`() async throws {
    let swept = await Shop.stage(isRight: true).sweepOutcome(of: try orders, maxTime: .zero)
    #expect(swept.courseCount == 0)
    #expect(swept.outcome.result == .failed || swept.warnings.contains { $0.contains("left") })
  }

  @Test func `a course is repeated by its name`() async throws {
    let scenario = try orders
    let wrong = await Shop.stage(isRight: false).outcome(of: scenario, disturb: [lostAnswer])
    #expect(wrong.failures.map(\.id) == ["check-failed"])
    #expect(wrong.trace.contains("attempt-2"))
    await Shop.stage(isRight: true).test(scenario, disturb: [lostAnswer])
  }

  @Test(arguments: [
    ("lose everything", "unknown-disturbance"),
    ("lose answer 9 of api, connection 1", "no-place-of-disturbance"),
  ])
  func `a name without a place is no success`(_ name: String, _ id: String) async throws {
    let outcome = await Shop.stage(isRight: true).outcome(of: try orders, disturb: [name])
    #expect(outcome.failures.map(\.id) == [id])
  }

  @Test func `a pinned course is played by the Swift object`() async throws {
    let text = """
      scenario: A form
      disturb: ["lose answer 1 of api, connection 1"]
      endpoints:
        api:
          state: { orders: 0, keys: [] }
          http:
            - post: /orders
              script:
                - if: "!(request.headers['idempotency-key'] in keys)"
                  then:
                    - set: { orders: "${orders + 1}" }
                    - set: { keys: "${keys + [request.headers['idempotency-key']]}" }
                - respond: { status: 201, json: { id: 7 } }
      reactors:
        shop: { state: { order: null }, actions: { buy: [{ set: { order: none } }] } }
      steps:
        - send: shop.buy
        - eventually: kind(shop.order) == 'loaded'
        - check: api.orders == 1
      """
    let scenario = try #require(Scenarios(text: text).first)
    await Shop.stage(isRight: true).test(scenario)
    let wrong = await Shop.stage(isRight: false).outcome(of: scenario)
    #expect(wrong.failures.map(\.id) == ["check-failed"])
    let swept = await Shop.stage(isRight: true).sweepOutcome(of: scenario)
    #expect(swept.outcome.result == .skipped("its `disturb` is one course of a sweep"))
  }
}

/// What a sweep does before its first course.
@Suite struct SubjectSweepBeginningTests {
  @MainActor private final class Count {
    var made = 0

    nonisolated init() {}
  }

  @Test func `each course has objects of its own`() async throws {
    let scenario = try #require(Scenarios(in: "scenarios/sweep/orders.scenario.yaml").first)
    let (stage, count) = (Stage(), Count())
    stage.bind("shop") { context in
      count.made += 1
      return Shop(context.http("api"), isRight: true)
    }
    let swept = await stage.sweepOutcome(of: scenario)
    #expect(swept.courseCount > 0)
    #expect(await count.made > swept.courseCount)
  }

  @Test func `a scenario that fails without a disturbance is not swept`() async throws {
    let text = "scenario: Wrong\nendpoints: { api: {} }\nsteps: [{ check: 1 == 2 }]\n"
    let scenario = try #require(Scenarios(text: text).first)
    let swept = await Stage().sweepOutcome(of: scenario)
    #expect(swept.outcome.failures.map(\.id) == ["check-failed"])
    #expect(swept.courseCount == 0 && swept.causes.isEmpty)
  }

  @Test func `a name that does not fit is an error before the first run`() async throws {
    let scenario = try #require(Scenarios(in: "scenarios/sweep/orders.scenario.yaml").first)
    let stage = Stage()
    stage.bind("shop") { Shop($0.http("apis"), isRight: true) }
    let swept = await stage.sweepOutcome(of: scenario)
    #expect(swept.outcome.report.contains("did you mean `api`?"))
    #expect(swept.outcome.failures.count == 1)
  }

  @Test func `a scenario in which nothing can go wrong is a warning`() async throws {
    let scenario = try #require(
      Scenarios(text: "scenario: Sum\nsteps: [{ check: 1 + 1 == 2 }]\n").first)
    await withKnownIssue {
      await Stage().sweep(scenario)
    } matching: { issue in
      issue.comments.first?.rawValue.contains("the scenario has no endpoint") == true
    }
  }
}
