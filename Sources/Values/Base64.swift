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
    let alphabet = urlSafe ? urlSafeLetters : letters
    return String(unsafeUninitializedCapacity: (bytes.count + 2) / 3 * 4) { text in
      var count = 0
      for start in stride(from: 0, to: bytes.count, by: 3) {
        let left = min(3, bytes.count - start)
        let bits = (0..<3).reduce(UInt32(0)) { bits, place in
          bits << 8 | (place < left ? UInt32(bytes[start + place]) : 0)
        }
        for letter in 0..<4 where letter <= left || !urlSafe {
          let place = Int(bits >> UInt32(18 - 6 * letter) & 63)
          text[count] = letter <= left ? alphabet[place] : UInt8(ascii: "=")
          count += 1
        }
      }
      return count
    }
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
