import TextSearch

/// An incremental check of bytes for UTF-8, which fails at the first wrong byte.
struct UTF8Check {
  /// The number of missing bytes of a character.
  private var missing = 0
  /// The lowest value of the next byte; after some first bytes fewer values are valid.
  private var lowest: UInt8 = 0x80
  private var highest: UInt8 = 0xBF

  /// True if the bytes do not end inside a character.
  var isComplete: Bool { missing == 0 }

  /// Checks the next bytes; returns false if the bytes so far cannot begin a text.
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
    // Shortest form only, and no surrogates.
    case 0xE0: begin(2, from: 0xA0)
    case 0xED: begin(2, to: 0x9F)
    case 0xE1...0xEF: begin(2)
    // Shortest form only, and not after the last character.
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
