import Diagnostics
import Events
import Explanations
import ScenarioPlan
import Testing
import Values
import Verdicts

private let pages = diagnosticPages(on: .failures)

@Suite struct VerdictTests {
  @Test func `a run without failures passes, and is counted`() {
    let run = Rehearsal("a")
    run.expect(["a": [1]])
    run.emit("a", 1, at: 70)
    run.end()
    let verdict = Verdicts.judge(run.log, plan: run.plan)
    #expect(verdict.outcome == .passed)
    #expect(verdict.assertionsReached == 1)
    #expect(verdict.assertionsMet == 1)
    #expect(verdict.duration == 70_000)
    #expect(verdict.eventCount == 4)
  }

  @Test(arguments: goldenReports + goldenStreamReports)
  func `asking how an assertion stands changes nothing, so a log is judged again alike`(
    golden: GoldenReport
  ) {
    let run = golden.run()
    let judge = ScenarioJudge(run.plan)
    for event in run.log.events {
      judge.observe(event)
      _ = judge.status(in: 0)
      _ = judge.capture(0, in: 0)
    }
    let again = Verdicts.judge(run.log, plan: run.plan, sources: run.sources)
    #expect(judge.verdict(on: run.log, sources: run.sources).failures == again.failures)
    #expect(!again.failures.isEmpty)
  }

  @Test(arguments: goldenReports + goldenStreamReports)
  func `each failure has a page that explains it`(golden: GoldenReport) {
    let run = golden.run()
    let ids = Verdicts.judge(run.log, plan: run.plan).failures.map(\.id)
    #expect(ids.allSatisfy { id in diagnosticPages.contains { $0.id == id } })
  }

  @Test func `no two pages have one id, and none lacks an example`() {
    for (place, page) in pages.enumerated() {
      #expect(!pages[..<place].contains { $0.id == page.id })
      #expect(!page.wrong.isEmpty && !page.right.isEmpty && page.wrong != page.right)
    }
  }

  @Test func `a timeline shows nothing from before the expectation's own events`() {
    let run = Rehearsal("a")
    run.expect(["a": ["early"]])
    run.emit("a", "early")
    run.emit("a", "mine", at: 5)
    run.expect(["a": ["mine", "last"]])
    run.emit("a", "other", at: 7)
    let notes = Verdicts.judge(run.log, plan: run.plan).failures.flatMap(\.notes)
    #expect(notes.map(\.text) == ["5ms mine → 7ms other ✗"])
  }

  static let strangers: [Event.Kind] = [
    .source(.emitted(99, 1)), .source(.emitted(-1, 1)), .assertion(.opened(99, strange, reads: [])),
    .assertion(.opened(0, strange, reads: [])), .assertion(.checked(-5, strange, reads: [])),
    .script(.stepBegan(strange)),
    .assertion(.attempted(99, strange, error: nil)),
    .script(.branched(from: 9, first: 1, count: 2)),
    .script(.branched(from: 0, first: 1, count: .max)), .script(.branchesJoined(into: 77)),
    .assertion(.ignored([-1, 50])),
    .run(.failed(.actionFailed(5, error: nil, range: .none))),
  ]
  static let strange = StepReference(verb: "set", range: .none, branch: -3, turns: [])

  @Test(arguments: strangers.indices)
  func `a log that names what the plan does not have is judged without harm`(place: Int) {
    let run = Rehearsal("a")
    run.log(Self.strangers[place], cause: 1000)
    run.expect(["a": [1]])
    run.emit("a", 2, cause: -8)
    run.end()
    #expect(Verdicts.judge(run.log, plan: run.plan).outcome == .failed)
  }

  static let hints: [(expected: Value, actual: Value, hint: String?)] = [
    (1, "1", "the event holds text; to match it, write it in quotes: \"1\""),
    ("1", 1, "the event holds an integer, not text; write it without quotes: 1"),
    ("true", true, "the event holds a bool, not text; write it without quotes: true"),
    ("Done", "done", "the two differ in upper and lower case only"),
    ("a b", "a  b", "the two differ in white space only"),
    (["delta": 1], ["detla": 1, "x": 2], "the event has an entry `detla`; did you mean that?"),
    (["$gt": 1], 0, nil), (1, 2, nil), ("a", "b", nil),
  ]

  @Test(arguments: hints)
  func `a likely slip is named`(expected: Value, actual: Value, hint: String?) {
    let run = Rehearsal("a")
    run.expect(["a": [expected]])
    run.emit("a", actual)
    #expect(Verdicts.judge(run.log, plan: run.plan).failures.map(\.help) == [hint])
  }
}

@Suite struct SecretsInVerdictsTests {
  @Test func `cutting a value short leaves no half of a secret`() {
    let secret = String(repeating: "s3cret-", count: 40)
    let run = Rehearsal("a")
    run.contents.secrets = [secret]
    run.expect(["a": ["x"]])
    run.emit("a", .string("key " + secret))
    let page = run.page
    #expect(!page.contains("s3cret"))
    #expect(page.contains("key ***"))
  }
}
