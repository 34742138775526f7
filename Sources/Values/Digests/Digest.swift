/// A digest of bytes, by one of the algorithms that messages of the web use.
package enum Digest: String, CaseIterable, Sendable {
  case sha256, sha1, md5

  /// The bytes that each algorithm mixes at once.
  private static let blockSize = 64

  package func digest(of bytes: [UInt8]) -> [UInt8] {
    switch self {
    case .sha256:
      var hash = SHA256()
      hash.append(bytes)
      return hash.digestBytes()
    case .sha1: return sha1Digest(bytes)
    case .md5: return md5Digest(bytes)
    }
  }

  /// Returns the code by which the owner of a key signs bytes (HMAC, RFC 2104).
  package func code(of bytes: [UInt8], key: [UInt8]) -> [UInt8] {
    var key = key.count > Digest.blockSize ? digest(of: key) : key
    key += [UInt8](repeating: 0, count: Digest.blockSize - key.count)
    return digest(of: key.map { $0 ^ 0x5C } + digest(of: key.map { $0 ^ 0x36 } + bytes))
  }
}

/// Returns bytes in hexadecimal digits, two for each.
package func hexadecimal(_ bytes: some Collection<UInt8>, upperCase: Bool = false) -> String {
  let digits = Array((upperCase ? "0123456789ABCDEF" : "0123456789abcdef").utf8)
  var text: [UInt8] = []
  text.reserveCapacity(bytes.count * 2)
  for byte in bytes {
    text.append(digits[Int(byte >> 4)])
    text.append(digits[Int(byte & 15)])
  }
  return String(decoding: text, as: UTF8.self)
}
