import Diagnostics
import Glibc

switch parseArguments(Array(CommandLine.arguments.dropFirst())) {
case .success(.help(let text)):
  print(text, terminator: "")
case .success(.version):
  print("rehearse \(programVersion)")
case .success:
  print("nothing yet")
  exit(ExitCode.couldNotRun.rawValue)
case .failure(let problem):
  let text = problem.rendered()
  _ = write(STDERR_FILENO, text, text.utf8.count)
  exit(ExitCode.badInput.rawValue)
}
