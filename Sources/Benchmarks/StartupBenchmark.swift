import Glibc

/// Measures processor time and memory of `rehearse run` on one small scenario, as a process of its
/// own.
///
/// The program is the given one, or the one beside this program.
func startupBenchmark(program: String?) {
  let own = CommandLine.arguments[0]
  let folder = own.lastIndex(of: "/").map { String(own[..<$0]) } ?? "."
  let path = program ?? folder + "/rehearse"
  let scenario = "/tmp/startup-\(getpid()).scenario.yaml"
  guard writeText(smallScenario, to: scenario) else { return print("cannot write \(scenario)") }
  defer { unlink(scenario) }
  let runs = (0..<20).compactMap { _ in runOnce(path, scenario) }.sorted { $0.seconds < $1.seconds }
  guard let median = runs.dropFirst(runs.count / 2).first else {
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

/// Returns the resources that a child process used; nil if it could not be started or failed.
private func runOnce(_ program: String, _ scenario: String) -> (seconds: Double, kilobytes: Int)? {
  var child = pid_t()
  var actions = posix_spawn_file_actions_t()
  posix_spawn_file_actions_init(&actions)
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0)
  defer { posix_spawn_file_actions_destroy(&actions) }
  var words: [UnsafeMutablePointer<CChar>?] = []
  for word: String in [program, "run", scenario] { words.append(strdup(word)) }
  words.append(nil)
  defer { for word in words { free(word) } }
  guard posix_spawn(&child, program, &actions, nil, &words, environ) == 0 else { return nil }
  var status: Int32 = 0
  var usage = rusage()
  guard wait4(child, &status, 0, &usage) == child, status == 0 else { return nil }
  let time = [usage.ru_utime, usage.ru_stime].map { Double($0.tv_sec) + Double($0.tv_usec) / 1e6 }
  return (time[0] + time[1], usage.ru_maxrss)
}

private func writeText(_ text: String, to path: String) -> Bool {
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
