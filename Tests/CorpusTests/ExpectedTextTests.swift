import Diagnostics
import ScenarioRuns
import TestKit
import Testing
import Verdicts

/// The diagnostics of files that are wrong, to the letter.
@Suite struct ExpectedTextTests {
  @Test func `there are files of both kinds`() {
    #expect(Corpus.failing.count >= 25)
    #expect(Corpus.broken.count >= 40)
  }

  @Test(arguments: Corpus.failing)
  func `a scenario that is not as expected fails for one reason, and this is the report`(
    path: String
  ) {
    let file = Corpus.load(path)
    // A step that cannot run fails a scenario that asserts nothing.
    #expect(file.complaints == [])
    var failures = 0
    var report = ""
    // A scenario that holds, with a warning, has the one in place of the other.
    let isWarning = path.contains("/warning-")
    for run in Corpus.runs(of: file) {
      let verdict = run.run().verdict
      #expect(!isWarning || verdict.outcome == .passed)
      let found = isWarning ? verdict.warnings : verdict.failures
      guard !found.isEmpty else { continue }
      failures += found.count
      report += "\(run.title)\n\n" + render(found, in: file.sources)
    }
    #expect(failures == numbersOfReasons[path] ?? 1)
    compare(report, with: path)
  }

  @Test(arguments: Corpus.broken)
  func `a file that is wrong is refused with this text`(path: String) {
    let file = Corpus.load(path)
    let isWarning = path.contains("/warning-")
    #expect(file.diagnostics.hasErrors != isWarning)
    compare(render(file.diagnostics.sortedForReport(), in: file.sources), with: path)
  }

  @Test func `the files a schema is to refuse are there`() {
    let list = fileText("scenarios/broken/refused-by-schema.txt") ?? ""
    let names = list.split(separator: "\n").map { "scenarios/broken/\($0)" }
    #expect(!names.isEmpty)
    #expect(names.filter { !Corpus.broken.contains($0) } == [])
  }

  @Test func `no expected text is left without its file`() {
    let texts = (Corpus.failing + Corpus.broken).map(expectedPath)
    let known = Set(texts)
    #expect(Corpus.expectedTexts.filter { !known.contains($0) } == [])
  }

  private func compare(_ report: String, with path: String) {
    #expect(report == goldenText(expectedPath(path), made: report))
  }

  private func expectedPath(_ path: String) -> String { path.dropLast(5) + ".expected" }
}

/// The scenarios with more than one failure: diagrams of two streams, and soft assertions.
private let numbersOfReasons = [
  "scenarios/failing/marble-beside-other-events.yaml": 2,
  "scenarios/failing/marble-two-streams-differ.yaml": 2,
  "scenarios/failing/soft-assertions.yaml": 5,
]
