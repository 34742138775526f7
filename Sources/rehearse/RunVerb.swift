import Diagnostics
import Glibc
import ScenarioRuns
import Verdicts

/// Runs scenarios and reports what became of them.
func runVerb(_ arguments: RunArguments) -> ExitCode {
  let selected = SelectedFiles(arguments.scenarios)
  let inputs = loadInputs(
    variables: arguments.variables, environmentFiles: arguments.environmentFiles)
  let suite = Suite(
    files: selected.files, inputs: inputs.value, seed: arguments.seed.map { Int(truncatingIfNeeded: $0) },
    jobs: arguments.jobs ?? Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))), failsFast: arguments.failsFast)
  let style = Terminal.style(of: STDOUT_FILENO, color: arguments.color)
  var passed = 0
  var failed = 0
  var bad = 0
  for problem in selected.problems { print(render(problem, in: SourceMap(), style: style)) }
  runSuite(suite) { file in
    if let problem = file.problem { print(file.path, problem.message) }
    for d in file.diagnostics.sortedForReport() {
      bad += d.severity == .error ? 1 : 0
      print(render(d, in: file.sources, style: style))
    }
    for s in file.scenarios {
      switch s.verdict.outcome {
      case .passed, .skipped: passed += 1
      case .failed, .couldNotRun:
        failed += 1
        print("FAILED \(s.plan.title)")
        for d in s.verdict.failures { print(render(d, in: file.sources, style: style)) }
      }
    }
  }
  print("\(passed) passed, \(failed) failed, \(bad) bad")
  return bad > 0 ? .badInput : failed > 0 ? .failed : .passed
}
