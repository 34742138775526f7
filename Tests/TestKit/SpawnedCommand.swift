import Glibc
import ScenarioRuns

/// A program as a process of its own, as a shell runs it. The process ends with its owner.
package final class SpawnedCommand {
  package let id: pid_t
  private let output: Int32
  /// The writing end of standard input; nil if the process has that of the tests.
  private var input: Int32?
  private var status: Int32?
  /// The text written so far to standard output and standard error, in the order of arrival.
  package private(set) var said = ""
  /// The time after which a process that hangs is killed, in microseconds.
  private let patience: Int

  /// The path of a program that is built beside the tests.
  package static func built(_ name: String) -> String {
    guard let path = realpath("/proc/self/exe", nil) else { return name }
    defer { free(path) }
    let own = String(cString: path)
    return (own.lastIndex(of: "/").map { String(own[..<$0]) } ?? ".") + "/" + name
  }

  /// Returns nil if the program cannot be started.
  ///
  /// - Parameter listens: True if `tell` writes to its standard input.
  package init?(
    _ arguments: [String], program: String = SpawnedCommand.built("rehearse"),
    patience: Int = 10_000_000, listens: Bool = false
  ) {
    self.patience = patience
    var ends: [Int32] = [-1, -1]
    var inputEnds: [Int32] = [-1, -1]
    guard pipe(&ends) == 0, !listens || pipe(&inputEnds) == 0 else { return nil }
    for end in ends + inputEnds { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    output = ends[0]
    input = listens ? inputEnds[1] : nil
    defer { if listens { close(inputEnds[0]) } }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    if listens {
      posix_spawn_file_actions_adddup2(&actions, inputEnds[0], STDIN_FILENO)
    }
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
    var words = ([program] + arguments).map { strdup($0) } + [nil]
    var child = pid_t()
    var surroundings = Self.surroundings()
    let problem = posix_spawnp(&child, program, &actions, &attributes, &words, &surroundings)
    for word in words + surroundings { free(word) }
    posix_spawn_file_actions_destroy(&actions)
    posix_spawnattr_destroy(&attributes)
    close(ends[1])
    id = child
    guard problem == 0 else {
      close(output)
      return nil
    }
  }

  /// Runs a script of bash, in which `"$R"` is `rehearse`.
  package convenience init?(shell script: String, in folder: TemporaryFolder? = nil) {
    let place = folder.map { "cd '\($0.path)' && " } ?? ""
    let text = "\(place)R='\(SpawnedCommand.built("rehearse"))'; \(script)"
    self.init(["-c", text], program: "bash")
  }

  /// The variables of the tests' own process without those that change what the program does: a
  /// test promises the same at a desk and on a build server.
  private static func surroundings() -> [UnsafeMutablePointer<CChar>?] {
    var kept: [UnsafeMutablePointer<CChar>?] = []
    var next = environ
    while let variable = next.pointee {
      let name = String(cString: variable).prefix { $0 != "=" }
      if !steering.contains(String(name)) { kept.append(strdup(variable)) }
      next += 1
    }
    return kept + [nil]
  }

  private static let steering: Set<String> = [
    "CI", "NO_COLOR", "GITHUB_ACTIONS", "TF_BUILD", "TEAMCITY_VERSION",
  ]

  deinit {
    if status == nil, id > 0 {
      kill(id, SIGKILL)
      waitpid(id, nil, 0)
    }
    close(output)
    endInput()
  }

  /// Reads until the process has written these words so often. Returns false if it ends or hangs
  /// before.
  package func says(_ words: String, times: Int = 1) -> Bool {
    let end = wallClock() + patience
    while said.ranges(of: words).count < times, wallClock() < end, readSome() {}
    return said.ranges(of: words).count >= times
  }

  /// Writes a line to standard input.
  package func tell(_ line: String) {
    if let input { _ = writeAll(line + "\n", to: input) }
  }

  /// Ends standard input.
  package func endInput() {
    if let input { close(input) }
    input = nil
  }

  package func interrupt(by signal: Int32) { kill(id, signal) }

  /// Waits for the end, and returns the exit code; nil if the process had to be killed.
  package func exitCode() -> Int32? {
    let end = wallClock() + patience
    while wallClock() < end, readSome() {}
    var status: Int32 = 0
    while waitpid(id, &status, WNOHANG) == 0 {
      if wallClock() >= end { kill(id, SIGKILL) }
      usleep(1_000)
    }
    self.status = status
    return status & 0x7F == 0 ? status >> 8 & 0xFF : nil
  }

  /// Returns false once nothing more can arrive.
  private func readSome() -> Bool {
    var waiting = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
    guard poll(&waiting, 1, 100) != 0 else { return true }
    var chunk = [UInt8](repeating: 0, count: 4_096)
    let count = read(output, &chunk, chunk.count)
    if count > 0 { said += String(decoding: chunk[..<count], as: UTF8.self) }
    return count > 0
  }
}
