import Diagnostics
import Events
import ScenarioRuns
import TestKit
import Testing
import Verdicts

@Suite struct PassingTests {
  /// The scenarios that show how one is skipped, with their reasons.
  private static let skipped = [
    "A scenario with a reason to be skipped is not run":
      "the server it is about does not exist yet"
  ]

  /// The files that are about places which get a note.
  private static let noted = [
    "scenarios/http/sent-as-written.scenario.yaml", "scenarios/expectations/not.scenario.yaml",
    "scenarios/http/clients/cookies-by-url.scenario.yaml",
  ]

  @Test func `there are scenarios`() {
    #expect(Corpus.passing.count > 20)
  }

  @Test(arguments: Corpus.passing)
  func `a scenario loads without a word and passes`(path: String) {
    let file = Corpus.load(path)
    let notes = Self.noted.contains(path) ? file.diagnostics.filter { $0.severity == .note } : []
    #expect(report(file.diagnostics.filter { !notes.contains($0) }, file) == "")
    #expect(!file.plans.isEmpty)
    for run in Corpus.runs(of: file) where run.plan.declaredSources.isEmpty {
      let verdict = run.run().verdict
      let expected = Self.skipped[run.title].map { .skipped(reason: $0) } ?? Verdict.Outcome.passed
      #expect(verdict.outcome == expected, "\(run.title)\n\(report(verdict.failures, file))")
    }
  }

  @Test(arguments: Corpus.compared)
  func `two runs of a scenario are the same`(path: String) {
    for run in Corpus.runs(of: Corpus.load(path)) where !run.plan.isInRealTime {
      #expect(lines(of: run.run().log) == lines(of: run.run().log), "\(run.title)")
    }
  }

  @Test(arguments: Corpus.compared)
  func `judging a log again gives the same verdict`(path: String) {
    let file = Corpus.load(path)
    for run in Corpus.runs(of: file)
    where run.plan.skip == nil && run.plan.declaredSources.isEmpty {
      let first = run.run()
      let judge = ScenarioJudge(run.plan)
      for event in first.log.events { judge.observe(event) }
      let again = judge.verdict(on: first.log, sources: file.sources)
      #expect(again.outcome == first.verdict.outcome, "\(run.title)")
      #expect(withoutRerun(again) == withoutRerun(first.verdict), "\(run.title)")
      #expect(again.assertionsMet == first.verdict.assertionsMet, "\(run.title)")
    }
  }

  @Test(arguments: Corpus.passing + Corpus.failing)
  func `a file names the schema its editor checks it with`(path: String) {
    let firstLine = (fileText(path) ?? "").prefix { $0 != "\n" }
    let up = String(repeating: "../", count: path.split(separator: "/").count - 1)
    #expect(
      firstLine == "# yaml-language-server: $schema=\(up)schemas/scenario.schema.json")
  }

  @Test(arguments: Corpus.components)
  func `a component is right by itself, and names its schema`(path: String) {
    let file = Corpus.load(path)
    #expect(report(file.diagnostics, file) == "")
    #expect(file.kind == .component)
    let firstLine = (fileText(path) ?? "").prefix { $0 != "\n" }
    let up = String(repeating: "../", count: path.split(separator: "/").count - 1)
    #expect(firstLine == "# yaml-language-server: $schema=\(up)schemas/component.schema.json")
  }

  @Test(arguments: Corpus.passing)
  func `no two scenarios of a file have one title`(path: String) {
    let titles = Corpus.load(path).plans.map(\.title)
    #expect(Set(titles).count == titles.count)
  }

  /// Returns the failures of a verdict without the rerun command, which a new judge does not have.
  private func withoutRerun(_ verdict: Verdict) -> [Diagnostic] {
    verdict.failures.map { failure in
      var failure = failure
      failure.notes.removeAll { $0.name == "rerun" }
      return failure
    }
  }

  private func report(_ diagnostics: [Diagnostic], _ file: LoadedFile) -> String {
    render(diagnostics, in: file.sources)
  }
}
