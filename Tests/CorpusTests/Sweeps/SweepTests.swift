import Diagnostics
import ScenarioEngine
import ScenarioPlan
import ScenarioRuns
import Testing
import Verdicts
import World

/// What sweeps find in the scenarios that are made for them.
@Suite struct SweepTests {
  private static let feed = "scenarios/sweep/feed.scenario.yaml"
  private static let orders = "scenarios/sweep/orders.scenario.yaml"

  /// Clients with one classic fault each: the file, the broken rules, and the shortest courses.
  private static let wrongClients: [(path: String, ids: [DiagnosticID], courses: [String])] = [
    (orders, ["check-failed"], ["lose answer 1 of api, connection 1"]),
    (
      feed, ["check-failed", "check-failed"],
      ["cut after event 1 of server, connection 1", "cut after event 2 of server, connection 1"]
    ),
    (
      "scenarios/sweep/connect.scenario.yaml",
      ["check-failed", "check-failed", "swept-left-pending"],
      [
        "cut after event 1 of server, connection 1", "cut after event 2 of server, connection 1",
        "refuse connection 1 of server",
      ]
    ),
    (
      "scenarios/sweep/banner.scenario.yaml", ["check-failed"], ["refuse connection 1 of server"]
    ),
    ("scenarios/sweep/search.scenario.yaml", ["check-failed"], ["refuse connection 1 of api"]),
    (
      "scenarios/sweep/jobs.scenario.yaml", ["check-failed", "check-failed", "check-failed"],
      [
        "lose request 2 of queue, connection 1", "lose request 4 of queue, connection 1",
        "lose request 6 of queue, connection 1",
      ]
    ),
    (
      "scenarios/sweep/silence.scenario.yaml", ["check-failed", "check-failed"],
      [
        "stall before answer 1 of server, connection 1",
        "stall after event 1 of server, connection 1",
      ]
    ),
    (
      "scenarios/sweep/sleep.scenario.yaml", ["invariant-broken"],
      ["suspend after event 2 of shop, connection 1, for 28800s"]
    ),
    (
      "scenarios/sweep/polls.scenario.yaml", ["early-reconnection"],
      ["status 429 for request 1 of server, connection 1, retry after 5s"]
    ),
    (
      "scenarios/sweep/rooms.scenario.yaml", ["nothing-left", "nothing-left"],
      ["cut after sending 1 of chat, connection 1", "cut after message 1 of chat, connection 1"]
    ),
  ]

  @Test(arguments: wrongClients)
  func `a client with a classic fault is found, and its right twin holds`(
    path: String, ids: [DiagnosticID], courses: [String]
  ) {
    let twin = sweep(path, 0)
    #expect(twin.held == twin.places)
    #expect(twin.unclear.isEmpty)
    let wrong = sweep(path, 1)
    #expect(wrong.groups.map(\.diagnostic.id) == ids)
    #expect(wrong.groups.map(\.shortest.name) == courses)
    #expect(wrong.unclear.isEmpty)
  }

  @Test(arguments: [feed, orders])
  func `a client that recovers holds at every place`(path: String) {
    let result = sweep(path, 0)
    #expect(result.places > 4)
    #expect(result.held == result.places)
  }

  @Test func `the good run stands beside the disturbed one with a mark where they differ first`() {
    let notes = sweep(SweepTests.orders, 1).groups.first?.diagnostic.notes ?? []
    let table = notes.first { $0.name == "runs" }?.text ?? ""
    #expect(
      table == """
        without                             disturbed
        0ms api.orders 1                    0ms api.orders 1
        0ms shop.order {"loaded":{"id":7}}  0ms shop.order {"loaded":{"id":7}}
        -                                   1s api.orders 2                     <- differs first
        """)
    let verdict = disturbed(SweepTests.orders, "lose answer 1 of api, connection 1")
    #expect(verdict.failures.first?.notes.first { $0.name == "runs" }?.text == table)
  }

  @Test(arguments: [feed, orders])
  func `the result is the same for any number of jobs`(path: String) {
    #expect(text(of: sweep(path, 1, jobs: 1)) == text(of: sweep(path, 1, jobs: 3)))
  }

  @Test(arguments: [
    "cut after event 3 of feed, connection 1", "cut within answer 1 of api, connection 2",
    "cut before message 1 of chat, connection 1", "lose request 2 of api, connection 1",
    "lose answer 1 of api, connection 1", "refuse connection 4 of api",
    "duplicate sending 1 of chat, connection 1", "offline at 1200ms for 1s",
    "delay answer 1 of api, connection 1, by 1999ms",
    "end in head of answer 1 of api, connection 1", "end in body of answer 1 of api, connection 1",
    "end within event 2 of feed, connection 1", "stall after message 1 of chat, connection 1",
    "stall before answer 1 of api, connection 1", "slow event 1 of event, connection 1",
    "status 503 for request 1 of api, connection 1", "rewrite feed as no-blanks",
    "status 429 for request 1 of api, connection 1, retry after 5s",
    "status 500 for answer 1 of api, connection 2",
    "suspend before answer 1 of api, connection 1, for 28800s",
    "suspend after event 1 of feed, connection 2, for 28800s",
  ])
  func `a disturbance is read from the name that it prints`(name: String) {
    #expect(Disturbance(name: name).map { "\($0)" } == name)
  }

  @Test(arguments: [
    ("offline at 20m for 1h30m", "offline at 1200s for 5400s"),
    ("offline at 0.5s for 1d", "offline at 500ms for 86400s"),
    (
      "delay answer 1 of api, connection 1, by 1h",
      "delay answer 1 of api, connection 1, by 3600s"
    ),
  ])
  func `a disturbance takes the durations of scenarios, and prints them in one form`(
    written: String, printed: String
  ) {
    #expect(Disturbance(name: written).map { "\($0)" } == printed)
  }

  @Test(arguments: [
    "", "cut", "cut after event 0 of feed, connection 1", "offline at 1 for 2s",
    "offline at 1s for -1s", "offline at 1s for 1w", "offline at 1s for 1000000000d",
    "rewrite feed as prose", "status 99 for request 1 of api, connection 1", "end sometimes",
    "status 429 for request 1 of api, connection 1, retry after soon",
    "suspend within event 1 of feed, connection 1, for 8h", "suspend after event 1 of feed",
    "suspend after event 1 of feed, connection 1",
    "stall answer 1 of api, connection 1", "slow event 1 of feed, connection 1, by 1s",
  ])
  func `what names no disturbance is none`(name: String) {
    #expect(Disturbance(name: name) == nil)
  }

  private func disturbed(_ path: String, _ names: String...) -> Verdict {
    let file = Corpus.load(path)
    var inputs = RunInputs(seed: 1)
    inputs.options.disturbances = names.compactMap(Disturbance.init(name:))
    return runScenario(file.plans[1], inputs: inputs, sources: file.sources).verdict
  }

  @Test func `a run with a disturbance fails as the sweep does`() {
    let verdict = disturbed(SweepTests.orders, "lose answer 1 of api, connection 1")
    #expect(verdict.failures.map(\.id) == ["check-failed"])
    #expect(disturbed(SweepTests.orders, "offline at 0s for 1s").outcome == .passed)
  }

  @Test(arguments: ["lose answer 9 of api, connection 1", "refuse connection 4 of api"])
  func `a disturbance whose place the run does not come to is no success`(name: String) {
    let verdict = disturbed(SweepTests.orders, name)
    #expect(verdict.outcome != .passed)
    #expect(verdict.failures.map(\.id) == ["no-place-of-disturbance"])
  }

  @Test func `courses that were not tried are warned of`() {
    let file = Corpus.load(SweepTests.feed)
    var options = SweepOptions()
    options.isInterrupted = { true }
    var result = sweepScenario(
      SharedPlan(file.plans[0]), inputs: RunInputs(seed: 1), sources: file.sources,
      options: options)
    #expect(result.held == 0)
    result.isCut = true
    result.unclear = [SweepCourse(.refusal(line: "api", connection: 1))]
    #expect(result.warnings.map(\.id).contains("sweep-unclear"))
    #expect(result.warnings.map(\.id).contains("sweep-unfinished"))
  }

  /// A client that tries twice, and another that has nothing to do with it.
  private static let twoRequests = """
    scenario: A name and a price
    endpoints:
      names: { http: [{ get: /name, respond: { json: a } }] }
      prices: { http: [{ get: /price, respond: { json: 7 } }] }
    providers:
      name: { endpoint: names, get: /name, retry: { maxAttempts: ATTEMPTS, initialDelay: 1s } }
      price: { endpoint: prices, get: /price, retry: { maxAttempts: 2, initialDelay: 1s } }
    reactors:
      client:
        state: { name: null, price: null }
        actions: { read: [{ load: { name: name } }, { load: { price: price } }] }
    steps:
      - send: client.read
      - eventually: kind(client.name) == 'loaded' && kind(client.price) == 'loaded'
    sweep: { disturb: { names: [cut, lostRequest, lostAnswer, refuse], prices: [] } }

    """

  @Test(arguments: [2, 3])
  func `pairs disturb the recovery from each disturbance`(attempts: Int) throws {
    let text = SweepTests.twoRequests.replacing("ATTEMPTS", with: "\(attempts)")
    let file = loadScenarios(SourceFile(path: "names.scenario.yaml", text: text))
    let plan = SharedPlan(try #require(file.plans.first, "\(file.diagnostics)"))
    var options = SweepOptions()
    let single = sweepScenario(
      plan, inputs: RunInputs(seed: 1), sources: file.sources, options: options)
    options.scope.pairs = true
    let pairs = sweepScenario(
      plan, inputs: RunInputs(seed: 1), sources: file.sources, options: options)
    #expect(single.groups.isEmpty && pairs.places > single.places)
    #expect(pairs.groups.isEmpty == (attempts == 3))
    for course in pairs.groups.flatMap(\.courses) {
      #expect(course.disturbances.count == 2 && course.disturbances[1].line == "names")
    }
  }

  /// A client that counts what it has received, and forgets it when its line breaks.
  private static let counter = """
    scenario: A counter
    sweep: { KEY }
    endpoints:
      server:
        resumable: true
        sse:
          - accept: { path: /n }
            script:
              - event: { id: a, data: 1 }
              - event: { id: b, data: 2 }
              - wait: forever
    connections: { feed: { sse: { endpoint: server, path: /n }, retry: { maxAttempts: 3 } } }
    reactors:
      seen:
        state: { n: 0 }
        actions:
          add: [{ set: { n: "${n + 1}" } }]
          clear: [{ if: kind(feed.state) == 'disconnected', then: [{ set: { n: 0 } }] }]
        follows: { feed: add, feed.state: clear }
    steps:
      - connect: feed
      - expect: { seen.n: [1, 2] }

    """

  @Test(arguments: [
    ("same: [seen.n]", "swept-end-differs"),
    ("never: kind(feed.state) == 'disconnected' && seen.n == 0", "invariant-broken"),
    ("expect: true, disturb: { feed: [cut] }", "unexpected-event"),
  ])
  func `what a sweep demands is held against each course`(key: String, id: String) {
    let text = SweepTests.counter.replacing("KEY", with: key)
    let file = loadScenarios(SourceFile(path: "counter.scenario.yaml", text: text))
    #expect(!file.diagnostics.hasErrors, "\(file.diagnostics)")
    let result = file.plans.first.map {
      sweepScenario(
        SharedPlan($0), inputs: RunInputs(seed: 1), sources: file.sources,
        options: SweepOptions())
    }
    let ids = result?.groups.map(\.diagnostic.id.rawValue) ?? []
    #expect(ids.contains(id))
  }

  /// A client that sends something else when its first request was lost.
  private static let form = """
    scenario: A form
    endpoints: { api: { http: [{ post: /save, respond: { json: {} } }] } }
    providers:
      good: { endpoint: api, post: /save, json: { a: 1 } }
      bad: { endpoint: api, post: /save, headers: { Content-Type: application/json }, text: "{" }
    reactors:
      form:
        state: { saved: null }
        actions:
          save:
            - load: { saved: good }
            - if: kind(saved) == 'error'
              then: [{ load: { saved: bad } }]
    steps:
      - send: form.save
      - eventually: kind(form.saved) != 'loading'

    """

  @Test func `a client that breaks a rule of its protocol in a course alone fails it`() throws {
    let file = loadScenarios(SourceFile(path: "form.scenario.yaml", text: SweepTests.form))
    let plan = try #require(file.plans.first)
    let result = sweepScenario(
      SharedPlan(plan), inputs: RunInputs(seed: 1), sources: file.sources, options: SweepOptions())
    #expect(result.groups.map(\.diagnostic.id) == ["content-type-does-not-fit"])
    let rule = result.rules.first { $0.rule == "content-type-does-not-fit" }
    #expect(rule.map { $0.broken > 0 && $0.exercised > $0.broken } == true)
  }

  @Test func `what a client does without a disturbance as well is no finding of a sweep`() throws {
    let text = SweepTests.form.replacing(
      "json: { a: 1 }", with: "headers: { Content-Type: application/json }, text: x")
    let file = loadScenarios(SourceFile(path: "form.scenario.yaml", text: text))
    let plan = try #require(file.plans.first)
    let result = sweepScenario(
      SharedPlan(plan), inputs: RunInputs(seed: 1), sources: file.sources, options: SweepOptions())
    #expect(result.places > 0 && result.groups.isEmpty)
  }

  @Test func `each rule is in the table of a sweep with how often it was exercised`() {
    let result = sweep(SweepTests.feed, 0)
    let rules = Dictionary(uniqueKeysWithValues: result.rules.map { ($0.rule, $0) })
    #expect(rules["swept-left-pending"]?.exercised == result.places)
    #expect((rules["swept-event-twice"]?.exercised ?? 0) > result.places)
    #expect(rules["early-reconnection"] != nil)
    #expect(result.rules.allSatisfy { $0.broken == 0 })
  }

  private func sweep(_ path: String, _ scenario: Int, jobs: Int = 1) -> SweepResult {
    let file = Corpus.load(path)
    var options = SweepOptions()
    options.jobs = jobs
    return sweepScenario(
      SharedPlan(file.plans[scenario]), inputs: RunInputs(seed: 1), sources: file.sources,
      options: options)
  }

  private func text(of result: SweepResult) -> String {
    "\(result.places) \(result.held)\n" + result.groups.map { "\($0)" }.joined(separator: "\n")
  }
}
