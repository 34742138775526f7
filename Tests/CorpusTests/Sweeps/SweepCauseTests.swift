import Diagnostics
import ScenarioEngine
import ScenarioPlan
import ScenarioRuns
import Testing

/// Which courses are one failure, and which failures a baseline knows.
@Suite struct SweepCauseTests {
  /// A client that gives up if its token is lost. With retries, it orders twice if the answer is
  /// lost.
  private static func shop(retrying: Bool) -> String {
    let retry = retrying ? ", retry: { maxAttempts: 3, initialDelay: 1s }" : ""
    return """
      scenario: Two different losses end at one check
      endpoints:
        api:
          state: { orders: 0 }
          http:
            - { get: /token, respond: { json: { token: t } } }
            - post: /orders
              script:
                - set: { orders: "${orders + 1}" }
                - respond: { status: 201, json: { id: 7 } }
      providers:
        token: { endpoint: api, get: /token }
        place: { endpoint: api, post: /orders\(retry) }
      reactors:
        shop:
          state: { token: null, order: null }
          actions:
            buy:
              - load: { token: token }
              - if: "kind(shop.token) == 'loaded'"
                then: [{ load: { order: place } }]
      steps:
        - send: shop.buy
        - wait: 5s
        - check: api.orders == 1

      """
  }

  private func sweep(_ text: String, jobs: Int = 1) throws -> SweepResult {
    let file = loadScenarios(SourceFile(path: "shop.scenario.yaml", text: text))
    let plan = try #require(file.plans.first, "\(file.diagnostics)")
    var options = SweepOptions()
    options.jobs = jobs
    return sweepScenario(
      SharedPlan(plan), inputs: RunInputs(seed: 1), sources: file.sources, options: options)
  }

  private func values(of result: SweepResult) -> [String] {
    result.groups.map { group in
      group.diagnostic.facts.map { "\($0.name) \($0.text)" }.joined(separator: ", ")
    }
  }

  @Test func `courses with other values at one check are other failures, the worst first`()
    throws
  {
    let result = try sweep(Self.shop(retrying: true))
    #expect(values(of: result) == ["api.orders 2", "api.orders 0"])
    let names = result.groups.map { $0.courses.map(\.name) }
    #expect(
      names == [
        [
          "lose answer 2 of api, connection 1", "cut within answer 2 of api, connection 1",
          "end in head of answer 2 of api, connection 1",
          "end in body of answer 2 of api, connection 1",
          "status 500 for answer 2 of api, connection 1",
        ],
        [
          "offline at 0s for 1s", "refuse connection 1 of api",
          "lose request 1 of api, connection 1", "lose answer 1 of api, connection 1",
          "cut within answer 1 of api, connection 1",
          "end in head of answer 1 of api, connection 1",
          "end in body of answer 1 of api, connection 1",
        ],
      ])
  }

  private let scenario = KnownFailures.Scenario(
    "Two different losses end at one check", row: nil, in: "shop.scenario.yaml",
    seenFrom: "known.txt")

  private func known(_ result: SweepResult) -> KnownFailures {
    var known = KnownFailures("")
    known.add(result.groups, of: scenario)
    return KnownFailures(known.text)
  }

  @Test func `a baseline names the condition and what came, and no course`() throws {
    let lines = known(try sweep(Self.shop(retrying: true))).text
    #expect(
      lines == """
        shop.scenario.yaml::Two different losses end at one check: check-failed at \
        "api.orders == 1": api.orders 2
        shop.scenario.yaml::Two different losses end at one check: check-failed at \
        "api.orders == 1": api.orders 0

        """)
  }

  @Test func `a retry that orders twice is new beside a baseline that knows a lost order`() throws {
    let before = try sweep(Self.shop(retrying: false))
    let accepted = known(before)
    #expect(accepted.newGroups(before.groups, of: scenario).isEmpty)
    let after = try sweep(Self.shop(retrying: true))
    let new = accepted.newGroups(after.groups, of: scenario)
    #expect(new.count == 1 && new.first?.diagnostic.facts.first?.text == "2")
  }

  @Test func `an accepted baseline is green in a thousand sweeps, with any number of jobs`() throws
  {
    let text = Self.shop(retrying: true)
    let accepted = known(try sweep(text))
    for turn in 0..<1_000 {
      let result = try sweep(text, jobs: turn % 3 + 1)
      try #require(result.groups.count == 2)
      try #require(accepted.newGroups(result.groups, of: scenario).isEmpty)
    }
  }

  @Test func `the same condition at another place is another cause`() throws {
    let twice = Self.shop(retrying: true) + "  - check: api.orders == 1\n"
    let accepted = known(try sweep(Self.shop(retrying: true)))
    let moved = "# A line above changes nothing.\n" + Self.shop(retrying: true)
    #expect(accepted.newGroups(try sweep(moved).groups, of: scenario).isEmpty)
    #expect(known(try sweep(twice)).text.contains("\"api.orders == 1\":"))
    let other = Self.shop(retrying: true).replacing(
      "  - check:", with: "  - check: api.orders == 1 || true\n  - check:")
    #expect(known(try sweep(other)).text.contains("\"api.orders == 1 (2)\":"))
  }

  @Test func `lines of older versions name a course, and know its failure alone`() throws {
    let line = "shop.scenario.yaml::Two different losses end at one check: check-failed: "
    let old = KnownFailures(line + "lose request 1 of api, connection 1\n")
    #expect(old.isOld)
    let result = try sweep(Self.shop(retrying: true))
    #expect(!known(result).isOld)
    let new = old.newGroups(result.groups, of: scenario)
    #expect(new.map { $0.diagnostic.facts.first?.text } == ["2"])
    #expect(old.replacing(scenario, with: result.groups).text == known(result).text)
  }

  @Test func `a scenario whose title begins like another keeps its lines`() throws {
    let result = try sweep(Self.shop(retrying: true))
    let longer = KnownFailures.Scenario(
      "Two different losses end at one check: again", row: nil, in: "shop.scenario.yaml",
      seenFrom: "known.txt")
    var all = known(result)
    all.add(result.groups, of: longer)
    let replaced = all.replacing(scenario, with: [])
    #expect(replaced.newGroups(result.groups, of: longer).isEmpty)
    #expect(!replaced.newGroups(result.groups, of: scenario).isEmpty)
  }

  @Test func `an assertion that must hold has a row of its own beside the checks`() throws {
    let text = Self.shop(retrying: false)
      .replacing("steps:", with: "sweep: { expect: true }\nsteps:")
      .replacing("- wait: 5s", with: "- expect: { api.orders: 1 }")
      .replacing(
        "- send: shop.buy", with: "- ignore: [shop.order, shop.token, api]\n  - send: shop.buy")
    let rules = try sweep(text).rules.filter { $0.broken > 0 }.map(\.rule.rawValue)
    #expect(!rules.contains("check-failed") && !rules.isEmpty, "\(rules)")
  }
}
