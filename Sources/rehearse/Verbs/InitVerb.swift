import Diagnostics
import Glibc
import ScenarioRuns

/// Writes a first scenario into a folder, ready to run. Existing files stay as they are.
func initVerb(_ arguments: InitArguments) -> ExitCode {
  let folder = arguments.directory
  let path = folder + "/counter.scenario.yaml"
  guard access(path, F_OK) != 0 else {
    Terminal.complain(
      render(
        Diagnostic("file-exists", "`\(path)` exists already and was left as it is"),
        in: SourceMap()))
    return .couldNotRun
  }
  makeFolders(folder)
  if let problem = writeFile(path, firstScenario) {
    Terminal.complain(render(.unwritable(path, problem.message), in: SourceMap()))
    return .couldNotRun
  }
  return Terminal.show("wrote \(path)\nrun it: rehearse run \(folder)\n")
}

/// Makes a folder and those above it. A failure shows when the file is written.
private func makeFolders(_ path: String) {
  for (place, letter) in zip(path.indices, path) where letter == "/" && place > path.startIndex {
    mkdir(String(path[..<place]), 0o755)
  }
  mkdir(path, 0o755)
}

/// The first scenario: a stage, steps and expectations, to be read in a minute.
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
