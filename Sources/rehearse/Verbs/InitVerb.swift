import Diagnostics
import Glibc
import ScenarioRuns

/// Writes a first suite into a folder, ready to run. If one of its files exists, nothing is
/// written.
func initVerb(_ arguments: InitArguments) -> ExitCode {
  let suite = arguments.purpose?.files ?? firstSuite
  let files = suite.map { (path: "\(arguments.directory)/\($0.name)", file: $0) }
  if let taken = files.first(where: { access($0.path, F_OK) == 0 }) {
    Terminal.complain(
      render(
        Diagnostic("file-exists", "`\(taken.path)` exists already and was left as it is"),
        in: SourceMap()))
    return .couldNotRun
  }
  makeFolders(arguments.directory)
  for (path, file) in files {
    if let problem = writeFile(path, file.text(arguments.directory)) {
      Terminal.complain(render(.unwritable(path, problem.message), in: SourceMap()))
      return .couldNotRun
    }
    if file.isScript { chmod(path, 0o755) }
  }
  let page = arguments.purpose.map { "how it goes on: rehearse docs \($0.page.name)" }
  return Terminal.show(
    files.map { "wrote \($0.path): \($0.file.purpose)\n" }.joined() + """

      next: rehearse run \(arguments.directory)
      \(page ?? "a failure to read: rehearse run \(arguments.directory)/failure.yaml")

      """)
}

/// Makes a folder and those above it. A failure shows when the file is written.
func makeFolders(_ path: String) {
  for (place, letter) in zip(path.indices, path) where letter == "/" && place > path.startIndex {
    mkdir(String(path[..<place]), 0o755)
  }
  mkdir(path, 0o755)
}
