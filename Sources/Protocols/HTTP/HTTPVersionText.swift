import TextSearch

/// Reads the first line of an answer, up to its version. A client treats `HTTP/1.2` and later minor
/// versions as `HTTP/1.1` (RFC 9110, 2.5), which llhttp refuses.
struct HTTPVersionText: Sendable {
  private var matched = 0
  private var isRead = false

  /// Returns the next bytes of the answer with a version that llhttp accepts.
  mutating func readable(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    guard !isRead else { return bytes }
    for index in bytes.indices {
      let byte = bytes[index]
      // Blank lines before an answer are ignored.
      if matched == 0, byte == 0x0D || byte == 0x0A { continue }
      if matched < prefix.count, byte == prefix[matched] {
        matched += 1
        continue
      }
      isRead = true
      guard matched == prefix.count, (0x32...0x39).contains(byte) else { return bytes }
      var bytes = bytes
      bytes[index] = 0x31
      return bytes
    }
    return bytes
  }
}

private let prefix: [UInt8] = Array("HTTP/1.".utf8)
