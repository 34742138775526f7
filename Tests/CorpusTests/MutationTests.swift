import Diagnostics
import ScenarioRuns
import Testing

/// Texts that are nearly scenarios must be refused with a place, or run to a verdict; whatever they
/// hold, nothing may stop the program.
@Suite struct MutationTests {
  private static let mutantsOfEach = 10

  @Test(arguments: Corpus.passing + Corpus.failing + Corpus.broken)
  func `a damaged scenario is refused with a place, or runs to a verdict`(path: String) {
    let text = Corpus.text(path) ?? []
    var mutation = ScenarioMutation(seed: UInt64(text.count))
    for _ in 0..<MutationTests.mutantsOfEach {
      let mutant = mutation.next(text)
      let file = loadScenarios(SourceFile(path: path, bytes: mutant))
      for complaint in file.diagnostics where complaint.severity == .error {
        #expect(hasPlace(complaint, within: mutant.count), "\(render(complaint, in: file.sources))")
      }
      #expect(!file.plans.isEmpty || file.diagnostics.hasErrors || mutant.isEmpty)
      for run in Corpus.runs(of: file).prefix(40) { _ = run.run() }
    }
  }

  private func hasPlace(_ complaint: Diagnostic, within count: Int) -> Bool {
    guard let range = complaint.labels.first?.range else { return false }
    return 0 <= range.start && range.start <= range.end && Int(range.start) <= count
  }
}
