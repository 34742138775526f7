import Glibc

/// The time that this thread waited for a processor, although it had something to do.
///
/// Linux counts it for each thread. On a machine with too much work, it is why things happen late
/// which no timer shows, such as an answer that nobody reads yet.
struct ProcessorWait: ~Copyable {
  /// The file of the count; -1 if the system has none.
  private let file: Int32
  /// The beginning of the time that is looked at, and the count at it.
  private var beginning: Int64 = 0
  private var countAtBeginning: Int64
  private var lastRead: Int64 = 0

  /// The time that is looked at as a whole, in microseconds: delays in it add up.
  private static let window: Int64 = 100_000
  /// The time between two looks.
  private static let pause: Int64 = 5_000

  /// Counts the waits of the thread that makes it.
  init() {
    file = open("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC)
    countAtBeginning = ProcessorWait.count(in: file)
  }

  deinit { if file >= 0 { close(file) } }

  /// Returns how long the thread waited in the last tenth of a second; 0 if it is too soon to look.
  mutating func length(at time: Int64) -> Int64 {
    guard file >= 0, time - lastRead >= ProcessorWait.pause else { return 0 }
    lastRead = time
    let count = ProcessorWait.count(in: file)
    let length = count - countAtBeginning
    if time - beginning >= ProcessorWait.window { (beginning, countAtBeginning) = (time, count) }
    return length
  }

  /// Reads the second number of the file, which is in nanoseconds; returns microseconds.
  private static func count(in file: Int32) -> Int64 {
    guard file >= 0 else { return 0 }
    return withUnsafeTemporaryAllocation(byteCount: 96, alignment: 1) { buffer in
      let length = pread(file, buffer.baseAddress, buffer.count, 0)
      var number: Int64 = 0
      var spaces = 0
      for byte in buffer.prefix(max(0, length)) {
        if byte == UInt8(ascii: " ") { spaces += 1 }
        guard spaces == 1, (48...57).contains(byte) else { continue }
        number = number &* 10 &+ Int64(byte &- 48)
      }
      return number / 1_000
    }
  }
}
