/// Checks bytes for being UTF-8 as they come, and knows at the first wrong byte.
struct UTF8Check {
  /// How many bytes of a character are still to come.
  private var missing = 0
  /// What the next of them may be: after some first bytes fewer are right than later.
  private var lowest: UInt8 = 0x80
  private var highest: UInt8 = 0xBF

  /// True when the bytes do not end inside a character.
  var isComplete: Bool { missing == 0 }

  /// False when what came so far is the beginning of no text.
  mutating func take(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    let bytes = UnsafeRawBufferPointer(bytes)
    var index = 0
    while index < bytes.count {
      if missing == 0, index + 8 <= bytes.count,
        bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self) & 0x8080_8080_8080_8080 == 0
      {
        index += 8
        continue
      }
      guard take(bytes[index]) else { return false }
      index += 1
    }
    return true
  }

  private mutating func take(_ byte: UInt8) -> Bool {
    guard missing == 0 else { return goOn(byte) }
    switch byte {
    case ..<0x80: return true
    case 0xC2...0xDF: begin(1)
    // No longer than needed, and none of the numbers that pairs in UTF-16 use.
    case 0xE0: begin(2, from: 0xA0)
    case 0xED: begin(2, to: 0x9F)
    case 0xE1...0xEF: begin(2)
    // No longer than needed, and not beyond the last character.
    case 0xF0: begin(3, from: 0x90)
    case 0xF4: begin(3, to: 0x8F)
    case 0xF1...0xF3: begin(3)
    default: return false
    }
    return true
  }

  private mutating func begin(_ count: Int, from lowest: UInt8 = 0x80, to highest: UInt8 = 0xBF) {
    missing = count
    self.lowest = lowest
    self.highest = highest
  }

  private mutating func goOn(_ byte: UInt8) -> Bool {
    guard byte >= lowest, byte <= highest else { return false }
    begin(missing - 1)
    return true
  }
}
