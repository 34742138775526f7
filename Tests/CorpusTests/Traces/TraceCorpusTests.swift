import JSONSchemas
import ScenarioRuns
import TestKit
import Testing
import Traces
import Values
import Verdicts

/// What holds for the traces of all scenarios.
@Suite struct TraceCorpusTests {
  private static let schema = try? JSONSchema.compile(parseJSON(traceSchema()).get()).get()

  @Test(arguments: Corpus.recorded)
  func `a recorded run is the run without its record, and its trace is read to the byte`(
    path: String
  ) throws {
    for recorded in TracedRun.recorded(path) {
      let corpusRun = recorded.run
      let plain = corpusRun.run()
      #expect(recorded.log == lines(of: plain.log), "\(corpusRun.title)")
      #expect(recorded.outcome == plain.verdict.outcome)
      let items = TraceReader.read(Array(recorded.trace.utf8))
      #expect(written(items) == recorded.trace, "\(corpusRun.title)")
      expectOrder(items, corpusRun.title)
    }
  }

  @Test func `a debug build says which scenarios it records and compares`() {
    if Corpus.everyTenth {
      print(
        "*** DEBUG BUILD: traces of \(Corpus.recorded.count) of \(Corpus.passing.count) scenario "
          + "files, \(Corpus.compared.count) that are compared with other runs of themselves, a "
          + "third of those that are damaged or struck by faults, with a fifth of the "
          + "mutants and 3 of 20 faults; an optimised build has all")
      #expect(Corpus.recorded.count >= Corpus.replayable.count / 10)
    } else {
      #expect(Corpus.recorded == Corpus.replayable)
    }
  }

  /// Numbers rise by one, times never fall, causes come first, and the verdict is last.
  private func expectOrder(_ items: [TraceReader.Item], _ title: String) {
    let entries = items.compactMap { if case .line(let entry) = $0 { entry } else { nil } }
    #expect(entries.count == items.count - 1, "\(title): a line that cannot be read")
    #expect(entries.compactMap(\.line.number) == Array(1...max(1, entries.count)), "\(title)")
    #expect(entries.allSatisfy { !$0.isEarlier }, "\(title)")
    #expect(entries.allSatisfy { ($0.line.cause ?? 0) < $0.number }, "\(title)")
    #expect(entries.last?.line.knownKind == .verdict, "\(title)")
    #expect(entries.last?.line.hash != nil, "\(title)")
  }

  private func written(_ items: [TraceReader.Item]) -> String {
    var writer = TraceWriter()
    var bytes: [UInt8] = []
    for item in items {
      switch item {
      case .header(let header, _): bytes += writer.write(header).bytes
      case .line(let entry): bytes += writer.write(entry.line, splits: false).bytes
      case .problem, .cut: break
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Traces that show what a recorded conversation looks like.
  private static let golden = [
    "scenarios/reactors/cat-facts.scenario.yaml", "scenarios/live/chat.scenario.yaml",
    "scenarios/live/prices.scenario.yaml", "scenarios/language/computed-of-sources.scenario.yaml",
  ]

  @Test(arguments: golden)
  func `the trace of a scenario is the one that was recorded`(path: String) {
    for corpusRun in TracedRun.runs(of: path) {
      let names = TraceNames(
        of: [path, corpusRun.sources.file(of: corpusRun.plan.range)?.path ?? ""],
        in: TracedRun.folder)
      let name = names.path(
        of: corpusRun.plan, among: [corpusRun.plan], corpusRun.row, in: corpusRun.sources)
      let text = TracedRun(corpusRun).text
      #expect(goldenText(name, made: text) == text, "run the tests once with UPDATE_EXPECTED=1")
    }
  }

  @Test func `each trace of the repository is valid against the schema`() throws {
    let schema = try #require(Self.schema)
    let paths = filePaths(below: "scenarios").filter { $0.hasSuffix(".trace.jsonl") }
    #expect(!paths.isEmpty)
    for path in paths {
      for line in (fileText(path) ?? "").split(separator: "\n") {
        let problems = schema.validate(try parseJSON(String(line)).get())
        #expect(problems.isEmpty, "\(path): \(line)")
      }
    }
  }
}
