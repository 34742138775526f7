import Glibc

/// The time in which programs wanted to run and had no processor.
///
/// Linux counts it for each thread. A clock that leaves it out gives a program as much time on a
/// busy machine as on an idle one.
struct BusyTime: ~Copyable {
  /// The processes whose descendants are watched.
  private var ancestors: [pid_t] = []
  /// The count of each thread at the last look, in nanoseconds.
  private var counts: [pid_t: Int64] = [:]
  private var lastLook: Int64 = 0
  private var lastCounted: Int64 = 0
  /// The time that is not left out yet, in microseconds: a thread that waits is counted when it has
  /// its turn, and the clock never goes back.
  private var debt: Int64 = 0
  /// The time that was left out, in microseconds.
  private(set) var length: Int64 = 0

  /// The time between two looks, in microseconds.
  private static let pause: Int64 = 20_000
  /// The most threads that are looked at, so that a look takes little time.
  private static let mostThreads = 256

  /// Watches the descendants of a process.
  mutating func watch(descendantsOf process: pid_t) { ancestors.append(process) }

  mutating func stopWatching(_ process: pid_t) { ancestors.removeAll { $0 == process } }

  /// Counts the time up to a point on the machine's clock.
  mutating func count(until time: Int64) {
    if time - lastLook >= BusyTime.pause, !ancestors.isEmpty {
      lastLook = time
      debt += look()
    }
    let left = min(debt, max(0, time - lastCounted))
    debt -= left
    length += left
    lastCounted = max(time, lastCounted)
  }

  /// Returns how long the thread that waited most has waited since the last look. Threads that wait
  /// at the same time are not added up.
  private mutating func look() -> Int64 {
    var longest: Int64 = 0
    var seen: [pid_t: Int64] = [:]
    var open = ancestors
    while let process = open.popLast(), seen.count < BusyTime.mostThreads {
      for thread in BusyTime.threads(of: process) {
        let place = "/proc/\(process)/task/\(thread)/"
        open += BusyTime.numbers(in: place + "children").map { pid_t(truncatingIfNeeded: $0) }
        let fields = BusyTime.numbers(in: place + "schedstat")
        guard fields.count >= 2, !ancestors.contains(process) else { continue }
        seen[thread] = fields[1]
        longest = max(longest, fields[1] - (counts[thread] ?? 0))
      }
    }
    counts = seen
    return longest / 1_000
  }

  private static func threads(of process: pid_t) -> [pid_t] {
    guard let folder = opendir("/proc/\(process)/task") else { return [] }
    defer { closedir(folder) }
    var threads: [pid_t] = []
    while let entry = readdir(folder) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if let thread = pid_t(name) { threads.append(thread) }
    }
    return threads
  }

  /// Returns the numbers of a file; none if it cannot be read.
  private static func numbers(in path: String) -> [Int64] {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return [] }
    defer { close(file) }
    return withUnsafeTemporaryAllocation(byteCount: 4_096, alignment: 1) { buffer in
      let length = read(file, buffer.baseAddress, buffer.count)
      let text = buffer.prefix(max(0, length))
      return text.split { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\n") }
        .compactMap { Int64(String(decoding: $0, as: UTF8.self)) }
    }
  }
}
