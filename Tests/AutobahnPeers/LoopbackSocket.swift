import Glibc

/// A blocking socket on this machine's own address, for testing codecs against other programs. Each
/// call waits ten seconds at most, so that a run always ends.
final class LoopbackSocket {
  enum Arrival {
    case bytes([UInt8])
    case ended
    case failed
  }

  private let descriptor: Int32
  private var buffer = [UInt8](repeating: 0, count: 65_536)

  private init(_ descriptor: Int32) {
    self.descriptor = descriptor
    var patience = timeval(tv_sec: 10, tv_usec: 0)
    set(SOL_SOCKET, SO_RCVTIMEO, &patience)
    set(SOL_SOCKET, SO_SNDTIMEO, &patience)
    var on: Int32 = 1
    set(Int32(IPPROTO_TCP), TCP_NODELAY, &on)
  }

  deinit { close(descriptor) }

  static func connected(to port: UInt16) -> LoopbackSocket? {
    let made = LoopbackSocket(socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0))
    return withAddress(port) { connect(made.descriptor, $0, $1) } == 0 ? made : nil
  }

  static func listening(on port: UInt16) -> LoopbackSocket? {
    let made = LoopbackSocket(socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0))
    var on: Int32 = 1
    made.set(SOL_SOCKET, SO_REUSEADDR, &on)
    guard withAddress(port, { bind(made.descriptor, $0, $1) }) == 0 else { return nil }
    return listen(made.descriptor, 16) == 0 ? made : nil
  }

  /// Returns the next connection; nil if none arrives in time.
  func accepted() -> LoopbackSocket? {
    let made = accept(descriptor, nil, nil)
    return made < 0 ? nil : LoopbackSocket(made)
  }

  func receive() -> Arrival {
    let count = recv(descriptor, &buffer, buffer.count, 0)
    return count > 0 ? .bytes(Array(buffer[..<count])) : count == 0 ? .ended : .failed
  }

  func send(_ bytes: [UInt8]) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes {
        Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { return }
      rest = rest.dropFirst(count)
    }
  }

  /// Closes after the other side has read everything: closing with unread bytes would be a reset.
  func leave() {
    shutdown(descriptor, Int32(SHUT_WR))
    while case .bytes = receive() {}
  }

  private func set<T: BitwiseCopyable>(_ level: Int32, _ option: Int32, _ value: inout T) {
    setsockopt(descriptor, level, option, &value, socklen_t(MemoryLayout<T>.size))
  }
}

private func withAddress(
  _ port: UInt16, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
) -> Int32 {
  var address = sockaddr_in()
  address.sin_family = sa_family_t(AF_INET)
  address.sin_port = port.bigEndian
  address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
  return withUnsafePointer(to: &address) {
    $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
      body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
    }
  }
}
