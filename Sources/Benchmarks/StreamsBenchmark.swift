import Diagnostics
import Glibc
import ScenarioEngine
import ScenarioPlan
import ScenarioRuns
import Values

/// Measures whole scenarios about streams, from the text to the verdict, in milliseconds of
/// processor time.
///
/// `folder` holds the shipped scenarios.
func streamsBenchmark(folder: String) {
  measureRun("ten-thousand-events", SourceFile(path: "a.scenario.yaml", text: manyItems))
  measureRun("ten-thousand-ticks", SourceFile(path: "b.scenario.yaml", text: manyTicks))
  let path = "\(folder)/licensing/hour.scenario.yaml"
  guard case .success(let bytes) = readFile(path) else { return print("no \(path)") }
  measureRun("licensed-hour", SourceFile(path: path, bytes: bytes))
}

/// Loads and runs a scenario again and again, and prints the best time.
private func measureRun(_ figure: String, _ file: SourceFile) {
  var best = Double.infinity
  let began = processorTime()
  while processorTime() - began < 2 {
    let start = processorTime()
    let loaded = loadScenarios(file)
    for diagnostic in loaded.diagnostics { fatalError(render(diagnostic, in: loaded.sources)) }
    for plan in loaded.plans {
      let run = runScenario(plan, inputs: RunInputs(seed: 1), sources: loaded.sources)
      for failure in run.verdict.failures { fatalError(render(failure, in: loaded.sources)) }
    }
    best = min(best, processorTime() - start)
  }
  printFigure("streams", figure, best * 1_000, "ms")
}

/// 10,000 values through two operators, each one expected.
private let manyItems = """
  scenario: Ten thousand events

  streams:
    numbers: { items: [\((0..<10_000).map(String.init).joined(separator: ", "))] }
    doubled: { from: numbers, through: [map: value * 2, filter: value >= 0] }

  steps:
    - expect: { doubled: [\((0..<10_000).map { String($0 * 2) }.joined(separator: ", "))] }
  """

/// 10,000 values, one in each millisecond, asserted as a diagram.
private let manyTicks = """
  scenario: Ten thousand ticks

  streams:
    ticks: { interval: 1ms, through: [prefix: 10000, map: "value % 2 == 0"] }

  steps:
    - expect:
        ticks:
          marble: "-\(String(repeating: "ab", count: 4_999))a(b|)"
          values: { a: true, b: false }
  """
