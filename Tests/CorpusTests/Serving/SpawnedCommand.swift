import Glibc
import ScenarioRuns

/// `rehearse` as a process of its own, as a shell runs it; it is ended with its owner.
final class SpawnedCommand {
  private let id: pid_t
  private let output: Int32
  private var status: Int32?
  /// All it has said so far, on standard output and standard error, in the order it came.
  private(set) var said = ""

  /// It is built beside the tests.
  private static let program: String = {
    guard let path = realpath("/proc/self/exe", nil) else { return "rehearse" }
    defer { free(path) }
    let own = String(cString: path)
    return (own.lastIndex(of: "/").map { String(own[..<$0]) } ?? ".") + "/rehearse"
  }()

  /// Whoever hangs longer than this has failed, and is killed.
  private static let patience = 10_000_000

  init?(_ arguments: [String]) {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return nil }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    output = ends[0]
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    for descriptor in [STDOUT_FILENO, STDERR_FILENO] {
      posix_spawn_file_actions_adddup2(&actions, ends[1], descriptor)
    }
    // The threads of tests block signals, and a child would inherit that.
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
    var words = ([SpawnedCommand.program] + arguments).map { strdup($0) } + [nil]
    var child = pid_t()
    let problem = posix_spawn(
      &child, SpawnedCommand.program, &actions, &attributes, &words, environ)
    for word in words { free(word) }
    posix_spawn_file_actions_destroy(&actions)
    posix_spawnattr_destroy(&attributes)
    close(ends[1])
    id = child
    guard problem == 0 else {
      close(output)
      return nil
    }
  }

  deinit {
    if status == nil, id > 0 {
      kill(id, SIGKILL)
      waitpid(id, nil, 0)
    }
    close(output)
  }

  /// Reads on until these words have come; false where they do not.
  func says(_ words: String) -> Bool {
    let end = wallClock() + SpawnedCommand.patience
    while !said.contains(words), wallClock() < end, readSome() {}
    return said.contains(words)
  }

  func interrupt(by signal: Int32) { kill(id, signal) }

  /// Waits for its end, and gives the code it exits with; nil where it had to be killed.
  func exitCode() -> Int32? {
    let end = wallClock() + SpawnedCommand.patience
    while wallClock() < end, readSome() {}
    var status: Int32 = 0
    while waitpid(id, &status, WNOHANG) == 0 {
      if wallClock() >= end { kill(id, SIGKILL) }
      usleep(1_000)
    }
    self.status = status
    return status & 0x7F == 0 ? status >> 8 & 0xFF : nil
  }

  /// False once nothing more can come.
  private func readSome() -> Bool {
    var waiting = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
    guard poll(&waiting, 1, 100) != 0 else { return true }
    var chunk = [UInt8](repeating: 0, count: 4_096)
    let count = read(output, &chunk, chunk.count)
    if count > 0 { said += String(decoding: chunk[..<count], as: UTF8.self) }
    return count > 0
  }
}
