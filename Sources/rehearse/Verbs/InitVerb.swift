import Diagnostics
import Glibc
import ScenarioRuns

/// Puts a first scenario into a folder, ready to run; nothing that is there is touched.
func initVerb(_ arguments: InitArguments) -> ExitCode {
  let folder = arguments.directory
  let path = folder + "/counter.scenario.yaml"
  guard access(path, F_OK) != 0 else {
    Terminal.complain(
      render(
        Diagnostic("file-exists", "`\(path)` is there already and was left as it is"),
        in: SourceMap()))
    return .couldNotRun
  }
  makeFolders(folder)
  if let problem = writeFile(path, firstScenario) {
    Terminal.complain(render(.unwritable(path, problem.message), in: SourceMap()))
    return .couldNotRun
  }
  return Terminal.say("wrote \(path)\nrun it: rehearse run \(folder)\n")
}

/// Makes a folder and those above it; what cannot be made shows when the file is written.
private func makeFolders(_ path: String) {
  for (place, letter) in zip(path.indices, path) where letter == "/" && place > path.startIndex {
    mkdir(String(path[..<place]), 0o755)
  }
  mkdir(path, 0o755)
}

/// Small enough to read in a minute, and it shows the stage, a step, and an expectation.
let firstScenario = """
  scenario: A counter tells its parity

  graph:
    count: 0
    isEven: { computed: count % 2 == 0 }

  steps:
    - check: isEven
    - set: { count: 1 }
    - expect:
        count: 1
        isEven: false
    - set: { count: 3 }
    - expect: { count: 3 }

  """
