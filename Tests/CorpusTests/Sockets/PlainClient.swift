import Glibc

/// A client that uses none of our code: a blocking socket that times out after some seconds.
final class PlainClient {
  private let descriptor: Int32

  init?(port: UInt16) {
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var patience = timeval(tv_sec: 5, tv_usec: 0)
    setsockopt(
      descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    inet_pton(AF_INET, "127.0.0.1", &address.sin_addr)
    let connected = withUnsafePointer(to: address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    if connected != 0 { return nil }
  }

  deinit { close(descriptor) }

  func send(_ text: String) { send(bytes: Array(text.utf8)) }

  func send(bytes: [UInt8]) { _ = Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) }

  /// Returns the text that arrives, until it holds these words or no more arrives.
  func read(until words: String) -> String {
    var text = ""
    var chunk = [UInt8](repeating: 0, count: 4_096)
    while !text.contains(words), case let count = recv(descriptor, &chunk, chunk.count, 0),
      count > 0
    {
      text += String(decoding: chunk[..<count], as: UTF8.self)
    }
    return text
  }

  func get(_ path: String) -> String {
    send("GET \(path) HTTP/1.1\r\nHost: here\r\nConnection: close\r\n\r\n")
    return read(until: "\u{0}")
  }

  /// Ends sending and goes on reading, as `nc -N` does.
  func shutDownWriting() { shutdown(descriptor, Int32(SHUT_WR)) }

  /// Closes the connection as if the process had been killed.
  func vanish() {
    var noTime = linger(l_onoff: 1, l_linger: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &noTime, socklen_t(MemoryLayout<linger>.size))
  }

  static let webSocketOpening = """
    GET /room HTTP/1.1\r\nHost: here\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\
    Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n
    """

  /// The close frame of a client that is done, masked with zeros.
  static let farewell: [UInt8] = [0x88, 0x82, 0, 0, 0, 0, 0x03, 0xE8]

  /// Returns a short text message, masked with zeros.
  static func message(_ text: String) -> [UInt8] {
    [0x81, 0x80 | UInt8(text.utf8.count), 0, 0, 0, 0] + Array(text.utf8)
  }
}
