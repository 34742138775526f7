import Diagnostics
import ScenarioRuns
import TestKit
import Testing

/// Texts that are nearly scenarios are refused with a place, or run to a verdict. No text may stop
/// the program.
@Suite struct MutationTests {
  /// A debug build takes ten times as long for each.
  private static let mutantsOfEach = Corpus.everyTenth ? 2 : 10

  @Test(
    arguments: Corpus.sample(of: Corpus.passing + Corpus.failing + Corpus.broken, every: 3))
  func `a damaged scenario is refused with a place, or runs to a verdict`(path: String) {
    let text = fileBytes(path) ?? []
    var mutation = ScenarioMutation(seed: UInt64(text.count))
    let configuration = Corpus.configuration(of: path)
    for _ in 0..<MutationTests.mutantsOfEach {
      let mutant = mutation.next(text)
      let file = loadScenarios(
        SourceFile(path: path, bytes: mutant), components: Corpus.disk,
        configuration: configuration)
      for complaint in file.diagnostics where complaint.severity == .error {
        #expect(hasPlace(complaint, in: file.sources), "\(render(complaint, in: file.sources))")
      }
      #expect(!file.plans.isEmpty || file.diagnostics.hasErrors || mutant.isEmpty)
      // What takes seconds as it is would take minutes here; that it loads has been seen.
      if file.plans.contains(where: { $0.tags.contains("performance") }) { continue }
      // A damaged scenario must start nothing.
      if file.plans.contains(where: { !$0.programs.isEmpty }) { continue }
      for run in Corpus.runs(of: file).prefix(40) { _ = run.run() }
    }
  }

  @Test(arguments: Corpus.components)
  func `a damaged component is refused with a place, or checked`(path: String) {
    let text = fileBytes(path) ?? []
    var mutation = ScenarioMutation(seed: UInt64(text.count))
    for _ in 0..<(10 * MutationTests.mutantsOfEach) {
      let file = SourceFile(path: path, bytes: mutation.next(text))
      let loaded = loadScenarios(file, components: Corpus.disk)
      for complaint in loaded.diagnostics where complaint.severity == .error {
        #expect(hasPlace(complaint, in: loaded.sources), "\(complaint)")
      }
    }
  }

  private func hasPlace(_ complaint: Diagnostic, in sources: SourceMap) -> Bool {
    guard let range = complaint.labels.first?.range, let file = sources.file(of: range) else {
      return false
    }
    return 0 <= range.start && range.start <= range.end && Int(range.start) <= file.bytes.count
  }
}
