/// Bytes as text of 64 letters (RFC 4648) and back.
public enum Base64 {
  private static let letters = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
  private static let urlSafeLetters = Array(letters.dropLast(2)) + Array("-_".utf8)

  /// Returns the text of bytes, padded with `=`. The URL-safe form has `-` and `_` and no padding.
  public static func encode(_ bytes: some Sequence<UInt8>, urlSafe: Bool = false) -> String {
    let alphabet = urlSafe ? urlSafeLetters : letters
    var text: [UInt8] = []
    var bits: UInt32 = 0
    var bitCount = 0
    for byte in bytes {
      bits = bits << 8 | UInt32(byte)
      bitCount += 8
      while bitCount >= 6 {
        bitCount -= 6
        text.append(alphabet[Int(bits >> UInt32(bitCount) & 63)])
      }
    }
    if bitCount > 0 { text.append(alphabet[Int(bits << UInt32(6 - bitCount) & 63)]) }
    while !urlSafe, text.count % 4 != 0 { text.append(UInt8(ascii: "=")) }
    return String(decoding: text, as: UTF8.self)
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
