import Glibc

/// The program under measurement, as a process.
struct Program: Sendable {
  var path: String

  /// What a process used, with all that it started and waited for.
  struct Usage {
    var seconds: Double
    var megabytes: Double
  }

  /// Runs the program, and returns what it used. Throws if it fails.
  func run(_ arguments: [String]) throws -> Usage {
    let words = [path] + arguments
    var pid = pid_t()
    var files = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&files)
    defer { posix_spawn_file_actions_destroy(&files) }
    posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, "/dev/null", O_WRONLY, 0)
    var argv = words.map { strdup($0) } + [nil]
    defer { for word in argv { free(word) } }
    guard posix_spawn(&pid, path, &files, nil, &argv, environ) == 0 else {
      throw Failure("cannot start \(path)")
    }
    var (status, used) = (Int32(0), rusage())
    guard wait4(pid, &status, 0, &used) == pid, status == 0 else {
      throw Failure("failed: \(words.joined(separator: " "))")
    }
    return Usage(
      seconds: used.ru_utime.seconds + used.ru_stime.seconds,
      megabytes: Double(used.ru_maxrss) / 1_024)
  }

  /// Runs the program some times, and returns the least that it used.
  func best(_ arguments: [String]) throws -> Usage {
    var best = Usage(seconds: .infinity, megabytes: .infinity)
    for _ in 0..<rounds {
      let usage = try run(arguments)
      best.seconds = min(best.seconds, usage.seconds)
      best.megabytes = min(best.megabytes, usage.megabytes)
    }
    return best
  }
}

struct Failure: Error, CustomStringConvertible {
  var description: String

  init(_ description: String) { self.description = description }
}

extension timeval {
  fileprivate var seconds: Double { Double(tv_sec) + Double(tv_usec) / 1e6 }
}

/// Returns the seconds of processor time that this process has used.
func processorTime() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

/// A folder for the files of one benchmark, which goes with it.
final class Folder {
  let path: String

  init() throws {
    var template = Array("/tmp/benchmarks-XXXXXX".utf8CString)
    guard let made = mkdtemp(&template) else { throw Failure("cannot make a folder in /tmp") }
    path = String(cString: made)
  }

  deinit { _ = system("rm -rf '\(path)'") }

  func write(_ text: String, to name: String) throws {
    guard let file = fopen("\(path)/\(name)", "w") else { throw Failure("cannot write \(name)") }
    fputs(text, file)
    fclose(file)
  }
}
