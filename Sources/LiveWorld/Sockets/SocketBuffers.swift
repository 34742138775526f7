import Glibc

/// Bytes that the system did not take yet, in the pieces they were handed over in.
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

  /// Forgets bytes of the next piece, and the piece with its last byte.
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

/// Where bytes arrive, for one socket after the other.
final class ReceivedBytes {
  /// How much one reading takes at most.
  static let size = 64 << 10
  /// So many pieces are thrown away before a socket is closed; who sends more gets a reset.
  static let piecesSkipped = 64

  private let buffer = UnsafeMutableRawPointer.allocate(
    byteCount: ReceivedBytes.size, alignment: 16)

  deinit { buffer.deallocate() }

  func read(_ descriptor: Int32, atMost count: Int = .max) -> Int {
    recv(descriptor, buffer, min(count, ReceivedBytes.size), 0)
  }

  func bytes(_ count: Int) -> [UInt8] {
    Array(UnsafeRawBufferPointer(start: buffer, count: count))
  }
}
