import Diagnostics
import Events
import Glibc
import ScenarioEngine
import ScenarioRuns

for path in CommandLine.arguments.dropFirst() {
  guard case .success(let bytes) = readFile(path) else { continue }
  let loaded = loadScenarios(SourceFile(path: path, bytes: bytes))
  for d in loaded.diagnostics { print(render(d, in: loaded.sources)) }
  for plan in loaded.plans {
    let run = runScenario(plan, inputs: RunInputs(seed: 1))
    print(plan.title, run.judge.failures.count)
    for f in run.judge.failures { print(f) }
    if CommandLine.arguments.count < 3 { for e in run.log.events { print(e) } }
  }
}
