import Glibc

/// Measures processor time and memory of `rehearse run` on one small scenario, as a process of its
/// own.
///
/// The program is the given one, or the one beside this program.
func startupBenchmark(program: String?) {
  let path = program ?? builtProgram
  let scenario = "/tmp/startup-\(getpid()).scenario.yaml"
  guard writeText(smallScenario, to: scenario) else { return print("cannot write \(scenario)") }
  defer { unlink(scenario) }
  guard let median = medianUsage(of: [path, "run", scenario], runs: 20) else {
    return print("\(path) did not run; build it first")
  }
  printFigure("startup", "cpu", (median.seconds * 1e6).rounded() / 1e3, "ms")
  printFigure("startup", "memory", (Double(median.kilobytes) / 102.4).rounded() / 10, "MB")
}

/// Prints one figure as a line of JSON.
func printFigure(_ benchmark: String, _ figure: String, _ value: Double, _ unit: String) {
  print(
    "{\"benchmark\":\"\(benchmark)\",\"figure\":\"\(figure)\",\"value\":\(value),"
      + "\"unit\":\"\(unit)\"}")
}

func writeText(_ text: String, to path: String) -> Bool {
  guard let file = fopen(path, "w") else { return false }
  defer { fclose(file) }
  return fputs(text, file) >= 0
}

private let smallScenario = """
  scenario: A counter counts
  graph: { count: 0, isEven: { computed: count % 2 == 0 } }
  steps:
    - set: { count: 1 }
    - expect: { count: 1, isEven: false }

  """
