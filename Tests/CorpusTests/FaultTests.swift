import Diagnostics
import Events
import ScenarioPlan
import ScenarioRuns
import Testing
import Verdicts
import World

/// What scenarios over the network come to when the lines are bad.
@Suite struct FaultTests {
  private static let folders = ["http", "live", "data", "licensing"].map { "scenarios/\($0)/" }
  private static let paths = Corpus.sample(
    of: Corpus.passing.filter { path in folders.contains { path.hasPrefix($0) } }, every: 3)
  /// The seeds of the faults. Three have each kind once.
  private static let seeds = 1...(Corpus.everyTenth ? 3 : 20)
  /// The sizes of the pieces, in turn. Single bytes take by far the longest.
  private static let cuts = Corpus.everyTenth ? [[1, 7, 1400]] : [[1], [1, 7, 1400]]

  @Test(arguments: paths)
  func `a scenario passes however the bytes are cut`(path: String) {
    let file = Corpus.load(path)
    for fragments in FaultTests.cuts {
      // More pieces are more faults, where a scenario has its own.
      for run in Corpus.runs(of: file) where !run.plan.tags.contains("faults") {
        let verdict = run.run(over: LineConditions(fragments: fragments)).verdict
        let report = render(verdict.failures, in: file.sources)
        #expect(verdict.outcome == .passed, "\(run.title) \(fragments)\n\(report)")
      }
    }
  }

  @Test(arguments: paths)
  func `a scenario over bad lines comes to a verdict, the same for the same seed`(path: String) {
    for run in Corpus.runs(of: Corpus.load(path)).prefix(40) {
      for seed in FaultTests.seeds.prefix(isLong(run) ? 3 : FaultTests.seeds.count) {
        let line = LineConditions(fragments: seed % 2 == 0 ? [5] : [], faults: heavy(seed))
        let judged = run.run(over: line, seed: seed)
        let again = run.run(over: line, seed: seed)
        #expect(lines(of: judged.log) == lines(of: again.log), "\(run.title) \(seed)")
        #expect(judged.verdict.outcome == again.verdict.outcome)
        if case .run(.ended)? = judged.log.events.last?.kind { continue }
        #expect(judged.verdict.outcome == .skipped(reason: run.plan.skip ?? ""), "\(run.title)")
      }
    }
  }

  @Test func `a verdict has the faults of its run, in the order they struck`() throws {
    let file = Corpus.load("scenarios/failing/fault-breaks-a-stream.yaml")
    let judged = try #require(Corpus.runs(of: file).first).run()
    let faults = judged.verdict.faults.first
    #expect(faults.map { "\($0.endpoint) \($0.connection) \($0.kind)" } == ["feed 1 reset"])
    #expect(faults.map(\.isToServer) == [false])
    #expect(faults.map(\.time) == [3_000_000])
    for fault in faults {
      guard case .network(.faulted)? = judged.log[fault.event]?.kind else {
        Issue.record("event \(fault.event) is no fault")
        continue
      }
    }
  }

  @Test func `over bad lines faults strike, and over good ones none`() {
    var struck = 0
    for run in FaultTests.paths.flatMap({ Corpus.runs(of: Corpus.load($0)) }).prefix(80) {
      #expect(faults(in: run.run(over: LineConditions(fragments: [3]))) == 0)
      struck += faults(in: run.run(over: LineConditions(faults: heavy(1)), seed: 1))
    }
    #expect(struck > 60)
  }

  private func isLong(_ run: CorpusRun) -> Bool { run.plan.tags.contains("performance") }

  private func faults(in run: JudgedRun) -> Int {
    run.log.events.count { if case .network(.faulted) = $0.kind { true } else { false } }
  }

  /// One seed in three breaks connections, one changes bytes, one makes them late.
  private func heavy(_ seed: Int) -> FaultShares {
    var shares = FaultShares()
    switch seed % 3 {
    case 0: (shares.drop, shares.reset, shares.stall, shares.refuse) = (0.1, 0.1, 0.05, 0.1)
    case 1: (shares.corrupt, shares.duplicate) = (0.2, 0.1)
    default: (shares.delay, shares.reset, shares.corrupt) = (0.5, 0.02, 0.02)
    }
    shares.longestDelay = 3_000_000
    return shares
  }
}
