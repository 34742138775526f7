import Glibc

/// The threads of this process, as the system shows them.
enum ProcessThreads {
  /// Returns the number of threads that compute, or would if they had a processor: this one, and
  /// any that has been woken.
  static func computing() -> Int {
    guard let directory = opendir("/proc/self/task") else { return 1 }
    defer { closedir(directory) }
    var computing = 0
    while let entry = readdir(directory) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) { name in
        String(decoding: name.prefix { $0 != 0 }, as: UTF8.self)
      }
      if state(ofThread: name) == UInt8(ascii: "R") { computing += 1 }
    }
    return computing
  }

  /// Returns the letter of a thread's state, which follows its name in parentheses.
  private static func state(ofThread id: String) -> UInt8? {
    let file = open("/proc/self/task/\(id)/stat", O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 128) { buffer in
      let count = read(file, buffer.baseAddress, buffer.count)
      guard let end = buffer.prefix(max(count, 0)).lastIndex(of: UInt8(ascii: ")")) else {
        return nil
      }
      return end + 2 < count ? buffer[end + 2] : nil
    }
  }
}
