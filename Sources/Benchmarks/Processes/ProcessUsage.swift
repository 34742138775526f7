import Glibc

/// The resources that a process used.
struct ProcessUsage {
  var seconds: Double
  var kilobytes: Int
}

/// The command `rehearse` beside this program.
var builtProgram: String {
  let own = CommandLine.arguments[0]
  let folder = own.lastIndex(of: "/").map { String(own[..<$0]) } ?? "."
  return folder + "/rehearse"
}

/// Runs a command several times, and returns what the median run used; nil if it did not run.
func medianUsage(of command: [String], runs: Int) -> ProcessUsage? {
  let usages = (0..<runs).compactMap { _ in usage(of: command) }.sorted { $0.seconds < $1.seconds }
  return usages.dropFirst(usages.count / 2).first
}

/// Runs a command, and returns what it used; nil if it could not be started or failed.
func usage(of command: [String], showsOutput: Bool = false) -> ProcessUsage? {
  var child = pid_t()
  var actions = posix_spawn_file_actions_t()
  posix_spawn_file_actions_init(&actions)
  if !showsOutput {
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0)
  }
  defer { posix_spawn_file_actions_destroy(&actions) }
  var words = command.map { strdup($0) } + [nil]
  defer { for word in words { free(word) } }
  guard posix_spawn(&child, command[0], &actions, nil, &words, environ) == 0 else { return nil }
  var status: Int32 = 0
  var usage = rusage()
  guard wait4(child, &status, 0, &usage) == child, status == 0 else { return nil }
  let time = [usage.ru_utime, usage.ru_stime].map { Double($0.tv_sec) + Double($0.tv_usec) / 1e6 }
  return ProcessUsage(seconds: time[0] + time[1], kilobytes: usage.ru_maxrss)
}
