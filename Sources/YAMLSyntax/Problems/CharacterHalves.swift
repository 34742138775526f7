/// Returns the escape of YAML, such as `\U0001F600`, for a character that JSON writes as two
/// halves, such as `\ud83d\ude00`, from the first backslash on; nil if there are none.
package func escape<Bytes: RandomAccessCollection>(
  ofHalvesAt position: Int, in bytes: Bytes
) -> String? where Bytes.Element == UInt8, Bytes.Index == Int {
  guard let high = half(at: position, in: bytes), (0xD800..<0xDC00).contains(high),
    let low = half(at: position + 6, in: bytes), (0xDC00..<0xE000).contains(low)
  else { return nil }
  let character = 0x10000 + (high - 0xD800) << 10 + (low - 0xDC00)
  let digits = String(character, radix: 16, uppercase: true)
  return "\\U" + String(repeating: "0", count: 8 - digits.utf8.count) + digits
}

/// Returns the number in an escape of four digits, such as `\ud83d`.
private func half<Bytes: RandomAccessCollection>(
  at position: Int, in bytes: Bytes
) -> UInt32? where Bytes.Element == UInt8, Bytes.Index == Int {
  guard position >= bytes.startIndex, position + 6 <= bytes.endIndex,
    bytes[position] == UInt8(ascii: "\\"), bytes[position + 1] == UInt8(ascii: "u")
  else { return nil }
  return UInt32(String(decoding: bytes[position + 2..<position + 6], as: UTF8.self), radix: 16)
}
