import Glibc
import TestKit
import Testing

/// A command that ran in virtual time.
struct TimedCommand {
  var said: String
  /// The exit code; nil if it had to be killed.
  var code: Int32?

  /// Runs a script of bash, in which `"$R"` is `rehearse` and `"$M"` the program of mechanisms.
  init?(_ script: String, in folder: TemporaryFolder? = nil, patience: Int = 60_000_000) {
    let place = folder.map { "cd '\($0.path)' && " } ?? ""
    let programs =
      "R='\(SpawnedCommand.built("rehearse"))'; M='\(SpawnedCommand.built("TimeMechanisms"))'; "
      + "T='\(SpawnedCommand.built("WardenTrial"))'; "
    guard
      let command = SpawnedCommand(
        ["-c", place + programs + script + " < /dev/null"], program: "bash", patience: patience)
    else { return nil }
    code = command.exitCode()
    said = command.said
  }
}

/// Whether a program is installed here.
func isInstalled(_ program: String) -> Bool {
  let path = String(cString: getenv("PATH"))
  return path.split(separator: ":").contains { access("\($0)/\(program)", X_OK) == 0 }
}

/// A server outside of virtual time that takes connections and never answers.
final class SilentServer {
  private let listener: Int32
  private(set) var port = 0

  init?() {
    listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &address) { address in
      address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(listener, $0, length) == 0 && listen(listener, 8) == 0
          && getsockname(listener, $0, &length) == 0
      }
    }
    guard isBound else { return nil }
    port = Int(UInt16(bigEndian: address.sin_port))
  }

  deinit { close(listener) }
}
