import CLinux
import Glibc
import World

/// A socket that accepts connections.
final class SocketListener {
  let address: SocketAddress
  /// The port as others call it.
  let port: UInt16
  private let descriptor: Int32
  private let loop: EventLoop
  private let accept: (Int32, SocketAddress?) -> Void
  private var isAwake = false
  private var isClosed = false
  private let path: String?

  /// Microseconds to wait for other files to be closed if there is no room for a connection.
  private static let pauseWithoutRoom: Int64 = 20_000
  /// The number of connections that may wait to be accepted. Systems have a limit of their own,
  /// often 4,096; one more connection would be made a second later.
  private static let backlog: Int32 = 65_535

  static func open(
    _ loop: EventLoop, at address: Address, accept: @escaping (Int32, SocketAddress?) -> Void
  ) -> Result<SocketListener, TransportFailure> {
    guard let known = address.known else {
      return .failure(.badAddress("only addresses of this machine can be listened at"))
    }
    switch known.flatMap({ bound($0[0]) }) {
    case .failure(let failure): return .failure(failure)
    case .success(let descriptor):
      return SocketListener(loop, descriptor, address, accept).begin()
    }
  }

  private static func bound(_ address: SocketAddress) -> Result<Int32, TransportFailure> {
    let kind = SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue
    let descriptor = socket(address.family, Int32(kind), 0)
    guard descriptor >= 0 else { return .failure(TransportFailure(systemError: errno)) }
    var on: Int32 = 1
    setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &on, socklen_t(MemoryLayout<Int32>.size))
    guard address.use({ bind(descriptor, $0, $1) }) == 0, Glibc.listen(descriptor, backlog) == 0
    else {
      let failure = TransportFailure(systemError: errno)
      _ = Glibc.close(descriptor)
      return .failure(failure)
    }
    return .success(descriptor)
  }

  private init(
    _ loop: EventLoop, _ descriptor: Int32, _ address: Address,
    _ accept: @escaping (Int32, SocketAddress?) -> Void
  ) {
    self.loop = loop
    self.descriptor = descriptor
    self.accept = accept
    path = if case .unix(let path) = address, !path.hasPrefix("@") { path } else { nil }
    let bound = SocketAddress(asking: { getsockname(descriptor, $0, &$1) })
    // A socket that was bound has an address.
    self.address = bound ?? SocketAddress(literal: "0.0.0.0", port: 0)!
    port = loop.own(port: self.address.port)
  }

  private func begin() -> Result<SocketListener, TransportFailure> {
    let isWatched = loop.watch(descriptor) { [unowned self] _ in wake(after: 0) }
    guard isWatched else {
      close()
      return .failure(.tooManyFiles)
    }
    return .success(self)
  }

  deinit { close() }

  func close() {
    guard !isClosed else { return }
    isClosed = true
    loop.stopWatching(descriptor)
    _ = Glibc.close(descriptor)
    if let path { unlink(path) }
  }

  private func wake(after delay: Int64) {
    guard !isAwake else { return }
    isAwake = true
    loop.scheduler.schedule(after: delay, phase: .source) { [weak self] in
      self?.isAwake = false
      self?.takeConnections()
    }
  }

  private func takeConnections() {
    while !isClosed {
      var taken: Int32 = -1
      let peer = SocketAddress(asking: { address, length in
        taken = clinux_accept(descriptor, address, &length)
        return taken < 0 ? -1 : 0
      })
      if taken >= 0 {
        accept(taken, peer)
      } else if errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM {
        // The socket would not report again the connections that wait already.
        return wake(after: SocketListener.pauseWithoutRoom)
      } else if errno != EINTR, errno != ECONNABORTED {
        return
      }
    }
  }
}
