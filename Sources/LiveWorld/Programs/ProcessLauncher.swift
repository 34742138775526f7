import CLinux
import Glibc
import TextSearch
import World

/// A launcher of processes, whose pipes an event loop watches.
package final class ProcessLauncher: ProgramLauncher {
  private let loop: EventLoop
  /// Probes whose server has answered and has not closed the connection yet.
  private var answered: [SocketTransport] = []
  private var folders: [TemporaryFolder] = []

  /// Starts a program, as `clinux_start_program` does.
  package typealias Start = (
    _ path: String, _ arguments: [UnsafeMutablePointer<CChar>?],
    _ environment: [UnsafeMutablePointer<CChar>?], _ folder: String,
    _ program: inout clinux_program
  ) -> Int32

  private let start: Start

  package init(on loop: EventLoop, starting start: Start? = nil) {
    self.loop = loop
    self.start = start ?? { clinux_start_program($0, $1, $2, $3, &$4) }
  }

  package func start(
    _ command: ProgramCommand
  ) -> Result<any RunningProgram, ProgramStartFailure> {
    let environment = ProcessEnvironment(
      adding: command.environment, hasVirtualTime: loop.isVirtual)
    let path = environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin"
    guard isFolder(command.folder) else { return .failure(.noFolder(command.folder)) }
    return ProgramFile.find(command.arguments.first ?? "", in: command.folder, searching: path)
      .flatMap { start($0.path, command, environment.lines) }
  }

  private func start(
    _ path: String, _ command: ProgramCommand, _ environment: [String]
  ) -> Result<any RunningProgram, ProgramStartFailure> {
    var started = clinux_program()
    let problem = withCStrings(command.arguments) { arguments in
      withCStrings(environment) { environment in
        start(path, arguments, environment, command.folder, &started)
      }
    }
    guard problem == 0 else { return .failure(.system(String(cString: strerror(problem)))) }
    let process = ProgramProcess(started, on: loop)
    switch Int(started.failure.kind) {
    case clinux_program_started: break
    case clinux_program_no_folder: return failure(.noFolder(command.folder), of: process)
    default:
      return failure(
        ProgramStartFailure(executing: path, errno: started.failure.value), of: process)
    }
    return process.watch() ? .success(process) : failure(.system("no file is left"), of: process)
  }

  private func failure(
    _ failure: ProgramStartFailure, of process: ProgramProcess
  ) -> Result<any RunningProgram, ProgramStartFailure> {
    process.release()
    return .failure(failure)
  }

  private func isFolder(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }
}

// Folders and ports.
extension ProcessLauncher {
  package func makeFolder(named names: [String]) -> String? {
    guard let folder = TemporaryFolder(named: names) else { return nil }
    folders.append(folder)
    return folder.path
  }

  package func removeFolders() { folders = [] }

  package func freePort() -> UInt16? {
    let any = Address.internet(host: "127.0.0.1", port: 0)
    guard
      case .success(let listener) = SocketListener.open(
        loop, at: any,
        accept: {
          _ = Glibc.close($0)
          _ = $1
        })
    else { return nil }
    defer { listener.close() }
    return listener.port
  }

  package func probe(
    port: UInt16, request: [UInt8]?, _ completion: @escaping (ProbeOutcome) -> Void
  ) {
    let socket = SocketTransport(loop, connection: 0)
    // A reset would look like a mistake in the server's log.
    let finish = { (outcome: ProbeOutcome) in
      socket.onEvent = nil
      socket.close()
      completion(outcome)
    }
    socket.onEvent = { [weak self] event in
      switch event {
      case .connected: if let request { socket.send(request) } else { finish(.connected) }
      case .received(let bytes):
        self?.drain(socket)
        completion(.answered(bytes))
      case .failed, .ended, .halfClosed: finish(.failed)
      case .writable: break
      }
    }
    guard case .success(let found)? = Address.internet(host: "127.0.0.1", port: port).known else {
      return finish(.failed)
    }
    socket.connect(.success(found))
  }

  /// Reads the rest of an answer until the server closes the connection, as the request asks for.
  private func drain(_ socket: SocketTransport) {
    answered.append(socket)
    socket.onEvent = { [unowned self, unowned socket] event in
      switch event {
      case .connected, .writable, .received: return
      case .ended, .halfClosed: socket.close()
      case .failed: break
      }
      answered.removeAll { $0 === socket }
    }
  }
}

/// The environment of a program: that of this process, with changes.
package struct ProcessEnvironment {
  package private(set) var lines: [String] = []

  /// - Parameter hasVirtualTime: True if pools of threads have one thread, unless the environment
  ///   says otherwise: the order of several that work side by side is the machine's.
  package init(adding variables: [(name: String, value: String)], hasVirtualTime: Bool = false) {
    var place = environ
    while let line = place.pointee {
      lines.append(String(cString: line))
      place += 1
    }
    if hasVirtualTime {
      for pool in ["UV_THREADPOOL_SIZE", "GOMAXPROCS"] where self[pool] == nil { set(pool, "1") }
    }
    for variable in variables { set(variable.name, variable.value) }
    keepLoopbackOffProxies()
  }

  package subscript(name: String) -> String? {
    lines.first { $0.hasPrefix(name + "=") }.map { String($0.dropFirst(name.count + 1)) }
  }

  private mutating func set(_ name: String, _ value: String) {
    lines.removeAll { $0.hasPrefix(name + "=") }
    lines.append("\(name)=\(value)")
  }

  /// Mocks are on this machine, and no proxy leads there.
  private mutating func keepLoopbackOffProxies() {
    let proxies = ["http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"]
    guard proxies.contains(where: { self[$0]?.isEmpty == false }) else { return }
    let known = self["no_proxy"] ?? self["NO_PROXY"]
    guard known?.contains("127.0.0.1") != true else { return }
    let all = ([known].compactMap(\.self) + ["127.0.0.1", "localhost"]).joined(separator: ",")
    for name in ["no_proxy", "NO_PROXY"] { set(name, all) }
  }
}

/// Calls a function with texts as C has them, ended by nil.
package func withCStrings<Result>(
  _ texts: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
) -> Result {
  let copies = texts.map { strdup($0) } + [nil]
  defer { for copy in copies { free(copy) } }
  return body(copies)
}
