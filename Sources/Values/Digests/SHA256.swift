import CDigests
import TextSearch

/// The SHA-256 digest (FIPS 180-4) of bytes that arrive in pieces.
///
/// It names the bodies of a trace, compares traces and identifies devices. It uses the
/// processor's own instructions, if there are any.
package struct SHA256: Sendable {
  private var hash = digests_sha256()
  private static let size = 32

  /// - Parameter isPortable: True if the processor's own instructions are not used.
  package init(isPortable: Bool = false) { digests_sha256_begin(&hash, isPortable) }

  /// Adds a piece of the bytes.
  package mutating func append(_ bytes: some Sequence<UInt8>) {
    let direct: Void? = bytes.withContiguousStorageIfAvailable { append($0) }
    if direct == nil { Array(bytes).withUnsafeBufferPointer { append($0) } }
  }

  /// Adds a byte.
  package mutating func append(_ byte: UInt8) {
    withUnsafePointer(to: byte) { append(UnsafeBufferPointer(start: $0, count: 1)) }
  }

  package mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) {
    digests_sha256_append(&hash, bytes.baseAddress, bytes.count)
  }

  /// Returns the digest of the bytes so far, in hexadecimal digits.
  package func digest() -> String { hexadecimal(digestBytes()) }

  /// Returns the digest of the bytes so far: 32 bytes.
  package func digestBytes() -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: SHA256.size) { memory, count in
      guard let first = memory.baseAddress else { return }
      withUnsafePointer(to: hash) { digests_sha256_digest($0, first) }
      count = SHA256.size
    }
  }

  /// Returns the digest of bytes that are complete.
  package static func digest(of bytes: some Sequence<UInt8>) -> String {
    var hash = SHA256()
    hash.append(bytes)
    return hash.digest()
  }
}
