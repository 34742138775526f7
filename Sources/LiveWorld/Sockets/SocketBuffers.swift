import Glibc

/// Bytes that the system has not accepted yet, in the pieces in which they were sent.
struct OutgoingBytes {
  private(set) var count = 0
  private var pieces: [[UInt8]] = []
  private var first = 0
  private var offset = 0

  var isEmpty: Bool { count == 0 }

  mutating func append(_ bytes: [UInt8]) {
    pieces.append(bytes)
    count += bytes.count
  }

  func withNext(_ body: (UnsafeRawPointer?, Int) -> Int) -> Int {
    pieces[first].withUnsafeBytes { body($0.baseAddress.map { $0 + offset }, $0.count - offset) }
  }

  /// Drops bytes of the next piece, and the piece with its last byte.
  mutating func drop(_ taken: Int) {
    count -= taken
    offset += taken
    guard offset == pieces[first].count else { return }
    pieces[first] = []
    offset = 0
    first += 1
    // Taking pieces off the front one by one would move the others each time.
    if first == pieces.count || first > 64 && first > pieces.count / 2 {
      pieces.removeFirst(first)
      first = 0
    }
  }
}

/// The buffer into which all sockets of a loop read, one after the other.
final class ReceivedBytes {
  /// The most bytes that one call reads.
  static let size = 64 << 10
  /// The number of unread pieces that are dropped before a socket is closed. If the other side sent
  /// more, it receives a reset.
  static let piecesSkipped = 64

  private let buffer = UnsafeMutableRawPointer.allocate(
    byteCount: ReceivedBytes.size, alignment: 16)

  deinit { buffer.deallocate() }

  func read(_ descriptor: Int32, atMost count: Int = .max) -> Int {
    recv(descriptor, buffer, min(count, ReceivedBytes.size), 0)
  }

  /// Reads from a pipe; with the error number, if there is one.
  func readPipe(_ descriptor: Int32) -> (count: Int, problem: Int32, bytes: [UInt8]) {
    let count = Glibc.read(descriptor, buffer, ReceivedBytes.size)
    return (count, count < 0 ? errno : 0, count > 0 ? bytes(count) : [])
  }

  func bytes(_ count: Int) -> [UInt8] {
    Array(UnsafeRawBufferPointer(start: buffer, count: count))
  }
}
