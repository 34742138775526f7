import Diagnostics
import Reports
import Testing

/// A file of one scenario, with `count` notes at its first line.
private func report(notes count: Int) -> RunReport {
  var sources = SourceMap()
  _ = sources.add(SourceFile(path: "a.yaml", text: "scenario: Notes\nsteps: []\n"))
  let notes = (0..<count).map { number in
    let place = SourceRange(file: 0, start: Int32(number), end: Int32(number + 1))
    return Diagnostic(
      "changed", severity: .note, "it is new", labels: [.init(place)], help: "write `\(number)`")
  }
  return RunReport(
    files: [FileReport(path: "a.yaml", sources: sources, diagnostics: notes, scenarios: [])],
    wall: nil)
}

@Suite struct NoteTests {
  @Test func `a note is a line, and after three there is a line for the rest`() {
    let line = { (number: Int) in
      "note[changed]: a.yaml:1:\(number): it is new; write `\(number - 1)`\n"
    }
    let first = line(1) + line(2) + line(3)
    let summary = humanSummary(report(notes: 0))
    #expect(humanReport(report(notes: 3)) == first + summary)
    let rest = "note[changed]: a.yaml has 2 more; `rehearse validate` shows them\n"
    #expect(humanReport(report(notes: 5)) == first + rest + summary)
    let all = (1...5).map(line).joined()
    #expect(humanReport(report(notes: 5), detail: .verbose) == all + summary)
    #expect(humanReport(report(notes: 5), detail: .quiet) == summary)
  }

  @Test func `reports for programs have all notes, and build servers do not warn of them`() throws {
    let run = report(notes: 5)
    #expect(jsonReport(run).ranges(of: #""severity":"note""#).count == 5)
    #expect(gitHubAnnotations(run).ranges(of: "::notice file=a.yaml,line=1").count == 5)
    #expect(codeQualityReport(run).ranges(of: #""severity":"info""#).count == 5)
    #expect(junitReport(run) == junitReport(report(notes: 0)))
    #expect(run.files[0].diagnostics.countBesidesNotes == 0)
    let part = ReportPart(path: "p.ndjson", bytes: Array(reportEvents(run).utf8))
    let merged = mergeReports([part]).run.files[0].diagnostics
    #expect(merged.map(\.severity) == Array(repeating: .note, count: 5))
  }
}
