import TextSearch

/// Bytes as text of 64 letters (RFC 4648) and back.
public enum Base64 {
  private static let letters = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
  private static let urlSafeLetters = Array(letters.dropLast(2)) + Array("-_".utf8)

  /// Returns the text of bytes, padded with `=`. The URL-safe form has `-` and `_` and no padding.
  public static func encode(_ bytes: some Sequence<UInt8>, urlSafe: Bool = false) -> String {
    bytes.withContiguousStorageIfAvailable { encoded($0, urlSafe) }
      ?? Array(bytes).withUnsafeBufferPointer { encoded($0, urlSafe) }
  }

  /// Three bytes are four letters; what is left at the end is filled up.
  private static func encoded(_ bytes: UnsafeBufferPointer<UInt8>, _ urlSafe: Bool) -> String {
    (urlSafe ? urlSafeLetters : letters).withUnsafeBufferPointer { alphabet in
      String(unsafeUninitializedCapacity: (bytes.count + 2) / 3 * 4) { text in
        var count = 0
        for start in stride(from: 0, to: bytes.count - 2, by: 3) {
          let bits = bits(of: bytes[start], bytes[start + 1], bytes[start + 2])
          for letter in 0..<4 {
            text[count + letter] = alphabet[Int(bits >> UInt32(18 - 6 * letter) & 63)]
          }
          count += 4
        }
        for letter in lastLetters(bytes.suffix(bytes.count % 3), alphabet, urlSafe) {
          text[count] = letter
          count += 1
        }
        return count
      }
    }
  }

  /// Returns the letters of the one or two bytes that are left at the end.
  private static func lastLetters(
    _ bytes: Slice<UnsafeBufferPointer<UInt8>>, _ alphabet: UnsafeBufferPointer<UInt8>,
    _ urlSafe: Bool
  ) -> [UInt8] {
    guard let first = bytes.first, let last = bytes.last else { return [] }
    let bits = bits(of: first, bytes.count > 1 ? last : 0, 0)
    let letters = (0...bytes.count).map { alphabet[Int(bits >> UInt32(18 - 6 * $0) & 63)] }
    let filling = urlSafe ? 0 : 4 - letters.count
    return letters + Array(repeating: UInt8(ascii: "="), count: filling)
  }

  @inline(__always)
  private static func bits(of first: UInt8, _ second: UInt8, _ third: UInt8) -> UInt32 {
    UInt32(first) << 16 | UInt32(second) << 8 | UInt32(third)
  }

  /// Returns the bytes of a text in either alphabet, padded or not; nil if it is not Base64.
  public static func decode(_ text: String) -> [UInt8]? {
    let utf8 = text.utf8
    let filling = utf8.reversed().prefix { $0 == UInt8(ascii: "=") }.count
    let significant = utf8.dropLast(filling)
    guard filling == 0 || (filling <= 2 && utf8.count % 4 == 0), significant.count % 4 != 1
    else { return nil }
    var bytes: [UInt8] = []
    var bits: UInt32 = 0
    var bitCount = 0
    for letter in significant {
      guard let value = value(of: letter) else { return nil }
      bits = bits << 6 | value
      bitCount += 6
      if bitCount >= 8 {
        bitCount -= 8
        bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(bitCount)))
      }
    }
    return bytes
  }

  private static func value(of letter: UInt8) -> UInt32? {
    switch letter {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(letter - UInt8(ascii: "A"))
    case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(letter - UInt8(ascii: "a") + 26)
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(letter - UInt8(ascii: "0") + 52)
    case UInt8(ascii: "+"), UInt8(ascii: "-"): 62
    case UInt8(ascii: "/"), UInt8(ascii: "_"): 63
    default: nil
    }
  }
}
