import TextSearch

/// Returns the SHA-1 digest of bytes (RFC 3174): 20 bytes. The opening handshake of WebSocket needs
/// it; it keeps nothing secret.
package func sha1Digest(_ message: [UInt8]) -> [UInt8] {
  var state: [UInt32] = [0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476, 0xC3D2_E1F0]
  let padded = padded(message)
  for start in stride(from: 0, to: padded.count, by: 64) {
    mix(padded[start..<(start + 64)], into: &state)
  }
  return state.flatMap(bigEndianBytes)
}

/// Returns the message with one bit after it, zeros up to the last eight bytes of a block, and its
/// length.
private func padded(_ message: [UInt8]) -> [UInt8] {
  var bytes = message + [0x80]
  while bytes.count % 64 != 56 { bytes.append(0) }
  let bits = UInt64(message.count) * 8
  return bytes + bigEndianBytes(UInt32(truncatingIfNeeded: bits >> 32))
    + bigEndianBytes(UInt32(truncatingIfNeeded: bits))
}

private func mix(_ block: ArraySlice<UInt8>, into state: inout [UInt32]) {
  let words = schedule(block)
  var (a, b, c, d, e) = (state[0], state[1], state[2], state[3], state[4])
  for (round, word) in words.enumerated() {
    let next = rotate(a, by: 5) &+ step(round / 20, b, c, d) &+ e &+ word
    (a, b, c, d, e) = (next, a, rotate(b, by: 30), c, d)
  }
  for (index, word) in [a, b, c, d, e].enumerated() { state[index] &+= word }
}

/// Returns the sixteen words of a block, and sixty-four derived from them.
private func schedule(_ block: ArraySlice<UInt8>) -> [UInt32] {
  var words = stride(from: block.startIndex, to: block.endIndex, by: 4).map { start in
    block[start..<(start + 4)].reduce(0) { $0 << 8 | UInt32($1) }
  }
  for index in 16..<80 {
    let mixed = words[index - 3] ^ words[index - 8] ^ words[index - 14] ^ words[index - 16]
    words.append(rotate(mixed, by: 1))
  }
  return words
}

/// Returns the function and the constant of each of the four quarters.
private func step(_ quarter: Int, _ b: UInt32, _ c: UInt32, _ d: UInt32) -> UInt32 {
  switch quarter {
  case 0: (b & c | ~b & d) &+ 0x5A82_7999
  case 1: (b ^ c ^ d) &+ 0x6ED9_EBA1
  case 2: (b & c | b & d | c & d) &+ 0x8F1B_BCDC
  default: (b ^ c ^ d) &+ 0xCA62_C1D6
  }
}

private func rotate(_ word: UInt32, by count: UInt32) -> UInt32 {
  word << count | word >> (32 - count)
}

private func bigEndianBytes(_ word: UInt32) -> [UInt8] {
  [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: word >> UInt32($0)) }
}
