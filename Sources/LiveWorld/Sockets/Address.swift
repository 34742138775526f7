import Glibc
import World

/// The address of a socket, as people write it.
package enum Address: Sendable, Hashable {
  /// A host name or a literal address, and a port.
  case internet(host: String, port: UInt16)
  /// The path of a unix socket; after `@`, a name without a file.
  case unix(path: String)
}

/// The address of a socket, as the system takes it.
struct SocketAddress: Sendable {
  private var storage = sockaddr_storage()
  private(set) var length: socklen_t

  var family: Int32 { Int32(storage.ss_family) }

  /// Reads a literal address of IPv4 or IPv6; nil for anything else.
  init?(literal host: String, port: UInt16) {
    var four = sockaddr_in()
    if inet_pton(AF_INET, host, &four.sin_addr) == 1 {
      four.sin_family = sa_family_t(AF_INET)
      four.sin_port = port.bigEndian
      self.init(copying: four)
      return
    }
    var six = sockaddr_in6()
    guard inet_pton(AF_INET6, host, &six.sin6_addr) == 1 else { return nil }
    six.sin6_family = sa_family_t(AF_INET6)
    six.sin6_port = port.bigEndian
    self.init(copying: six)
  }

  /// Makes the address of a unix socket; nil if the path is longer than the system takes.
  init?(path: String) {
    var unix = sockaddr_un()
    let bytes = path.hasPrefix("@") ? [0] + path.utf8.dropFirst() : Array(path.utf8)
    let room = MemoryLayout.size(ofValue: unix.sun_path) - 1
    guard !bytes.isEmpty, bytes.count <= room else { return nil }
    unix.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &unix.sun_path) { $0.copyBytes(from: bytes) }
    self.init(copying: unix)
    length = socklen_t(MemoryLayout<sa_family_t>.size + bytes.count + (path.hasPrefix("@") ? 0 : 1))
  }

  /// Asks the system for the address of one end of a socket; nil if there is none.
  init?(asking question: (UnsafeMutablePointer<sockaddr>, inout socklen_t) -> Int32) {
    length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    var count = length
    let answer = withUnsafeMutablePointer(to: &storage) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { question($0, &count) }
    }
    guard answer == 0 else { return nil }
    length = count
  }

  init(_ address: UnsafePointer<sockaddr>, _ count: socklen_t) {
    length = count
    withUnsafeMutableBytes(of: &storage) {
      $0.copyMemory(from: UnsafeRawBufferPointer(start: address, count: Int(count)))
    }
  }

  private init<Particular>(copying address: Particular) {
    length = socklen_t(MemoryLayout<Particular>.size)
    withUnsafeMutableBytes(of: &storage) { into in
      withUnsafeBytes(of: address) { into.copyMemory(from: $0) }
    }
  }

  func use<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
    withUnsafePointer(to: storage) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, length) }
    }
  }

  /// The bytes that identify this address.
  var key: [UInt8] { withUnsafeBytes(of: storage) { Array($0.prefix(Int(length))) } }

  /// The port; 0 of an address without one, which none is given.
  var port: UInt16 {
    get { hasPort ? withUnsafeBytes(of: storage) { UInt16($0[2]) << 8 | UInt16($0[3]) } : 0 }
    set {
      guard hasPort else { return }
      withUnsafeMutableBytes(of: &storage) {
        ($0[2], $0[3]) = (UInt8(newValue >> 8), UInt8(truncatingIfNeeded: newValue))
      }
    }
  }

  /// True for both kinds of address in which a port stands, at the same place.
  private var hasPort: Bool { family == AF_INET || family == AF_INET6 }
}

extension Address {
  /// The addresses that need no lookup: literal addresses, this machine, paths. Nil for a name.
  var known: Result<[SocketAddress], TransportFailure>? {
    switch self {
    case .unix(let path):
      return SocketAddress(path: path).map { .success([$0]) }
        ?? .failure(.badAddress("the path of a unix socket has 1 to 107 bytes: \(path)"))
    case .internet("localhost", let port):
      return .success(
        ["127.0.0.1", "::1"].compactMap { SocketAddress(literal: $0, port: port) })
    case .internet(let host, let port):
      return SocketAddress(literal: host, port: port).map { .success([$0]) }
    }
  }
}

/// Looks up the addresses of a name, which may take seconds.
func resolve(_ host: String, port: UInt16) -> Result<[SocketAddress], TransportFailure> {
  var hints = addrinfo()
  hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
  hints.ai_flags = AI_ADDRCONFIG
  var found: UnsafeMutablePointer<addrinfo>?
  let problem = getaddrinfo(host, String(port), &hints, &found)
  guard problem == 0 else {
    return .failure(.nameNotFound("\(host): \(String(cString: gai_strerror(problem)))"))
  }
  defer { freeaddrinfo(found) }
  var addresses: [SocketAddress] = []
  var next = found
  while let entry = next?.pointee {
    if let address = entry.ai_addr { addresses.append(SocketAddress(address, entry.ai_addrlen)) }
    next = entry.ai_next
  }
  return .success(addresses)
}
