/// The SHA-256 digest (FIPS 180-4) of bytes that arrive in pieces.
///
/// It names the bodies of a trace and compares traces; it keeps nothing secret.
package struct SHA256: Sendable {
  private var state: [UInt32] = [
    0x6A09_E667, 0xBB67_AE85, 0x3C6E_F372, 0xA54F_F53A, 0x510E_527F, 0x9B05_688C, 0x1F83_D9AB,
    0x5BE0_CD19,
  ]
  /// The bytes of a block that is not complete.
  private var pending: [UInt8] = []
  private var length: UInt64 = 0
  private static let blockSize = 64

  package init() {}

  /// Adds a piece of the bytes.
  package mutating func append(_ bytes: some Sequence<UInt8>) {
    let direct: Void? = bytes.withContiguousStorageIfAvailable { append($0) }
    if direct == nil { Array(bytes).withUnsafeBufferPointer { append($0) } }
  }

  /// Adds a byte.
  package mutating func append(_ byte: UInt8) {
    length += 1
    pending.append(byte)
    if pending.count == SHA256.blockSize { mixPending() }
  }

  private mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) {
    length += UInt64(bytes.count)
    var start = 0
    if !pending.isEmpty {
      start = min(bytes.count, SHA256.blockSize - pending.count)
      pending.append(contentsOf: UnsafeBufferPointer(rebasing: bytes[..<start]))
      guard pending.count == SHA256.blockSize else { return }
      mixPending()
    }
    while bytes.count - start >= SHA256.blockSize {
      SHA256.mix(UnsafeBufferPointer(rebasing: bytes[start...]), into: &state)
      start += SHA256.blockSize
    }
    pending.append(contentsOf: UnsafeBufferPointer(rebasing: bytes[start...]))
  }

  private mutating func mixPending() {
    pending.withUnsafeBufferPointer { SHA256.mix($0, into: &state) }
    pending.removeAll(keepingCapacity: true)
  }

  /// Returns the digest of the bytes so far, in hexadecimal digits.
  package func digest() -> String { hexadecimal(digestBytes()) }

  /// Returns the digest of the bytes so far: 32 bytes.
  func digestBytes() -> [UInt8] {
    var last = self
    let bits = length * 8
    last.append([0x80])
    while last.pending.count != 56 { last.append([0]) }
    last.append((0..<8).map { UInt8(truncatingIfNeeded: bits >> UInt64(56 - 8 * $0)) })
    return last.state.flatMap { word in
      [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: word >> UInt32($0)) }
    }
  }

  /// Returns the digest of bytes that are complete.
  package static func digest(of bytes: some Sequence<UInt8>) -> String {
    var hash = SHA256()
    hash.append(bytes)
    return hash.digest()
  }

  /// Mixes the first block of some bytes into a state.
  private static func mix(_ block: UnsafeBufferPointer<UInt8>, into state: inout [UInt32]) {
    withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 64) { words in
      schedule(UnsafeRawBufferPointer(block), words)
      state.withUnsafeMutableBufferPointer { state in
        var mixed = MixedState(state)
        roundConstants.withUnsafeBufferPointer { constants in
          for start in stride(from: 0, to: 64, by: 8) {
            mixed.mix(words, constants, from: start)
          }
        }
        mixed.add(to: state)
      }
    }
  }

  private static func schedule(
    _ block: UnsafeRawBufferPointer, _ words: UnsafeMutableBufferPointer<UInt32>
  ) {
    for index in 0..<16 {
      words[index] = UInt32(
        bigEndian: block.loadUnaligned(fromByteOffset: 4 &* index, as: UInt32.self))
    }
    for index in 16..<64 {
      let (near, far) = (words[index &- 2], words[index &- 15])
      let s0 = rotate(far, 7) ^ rotate(far, 18) ^ far &>> 3
      let s1 = rotate(near, 17) ^ rotate(near, 19) ^ near &>> 10
      words[index] = words[index &- 16] &+ s0 &+ words[index &- 7] &+ s1
    }
  }
}

/// The eight words of a state while a block is mixed into it.
private struct MixedState {
  private var a, b, c, d, e, f, g, h: UInt32

  init(_ state: UnsafeMutableBufferPointer<UInt32>) {
    (a, b, c, d) = (state[0], state[1], state[2], state[3])
    (e, f, g, h) = (state[4], state[5], state[6], state[7])
  }

  /// Does eight rounds. Their words change their roles instead of their places, since moving eight
  /// words takes as long as the round itself.
  @inline(__always)
  mutating func mix(
    _ words: UnsafeMutableBufferPointer<UInt32>, _ constants: UnsafeBufferPointer<UInt32>,
    from start: Int
  ) {
    @inline(__always)
    func word(_ place: Int) -> UInt32 { words[start &+ place] &+ constants[start &+ place] }
    round(a, b, c, &d, e, f, g, &h, word(0))
    round(h, a, b, &c, d, e, f, &g, word(1))
    round(g, h, a, &b, c, d, e, &f, word(2))
    round(f, g, h, &a, b, c, d, &e, word(3))
    round(e, f, g, &h, a, b, c, &d, word(4))
    round(d, e, f, &g, h, a, b, &c, word(5))
    round(c, d, e, &f, g, h, a, &b, word(6))
    round(b, c, d, &e, f, g, h, &a, word(7))
  }

  func add(to state: UnsafeMutableBufferPointer<UInt32>) {
    (state[0], state[1]) = (state[0] &+ a, state[1] &+ b)
    (state[2], state[3]) = (state[2] &+ c, state[3] &+ d)
    (state[4], state[5]) = (state[4] &+ e, state[5] &+ f)
    (state[6], state[7]) = (state[6] &+ g, state[7] &+ h)
  }
}

@inline(__always)
private func round(
  _ a: UInt32, _ b: UInt32, _ c: UInt32, _ d: inout UInt32,
  _ e: UInt32, _ f: UInt32, _ g: UInt32, _ h: inout UInt32, _ word: UInt32
) {
  let s1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)
  let first = h &+ s1 &+ (g ^ e & (f ^ g)) &+ word
  let s0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)
  d = d &+ first
  h = first &+ s0 &+ (a & b | c & (a | b))
}

@inline(__always)
private func rotate(_ word: UInt32, _ count: UInt32) -> UInt32 {
  word &>> count | word &<< (32 &- count)
}

private let roundConstants: [UInt32] = [
  0x428A_2F98, 0x7137_4491, 0xB5C0_FBCF, 0xE9B5_DBA5, 0x3956_C25B, 0x59F1_11F1, 0x923F_82A4,
  0xAB1C_5ED5, 0xD807_AA98, 0x1283_5B01, 0x2431_85BE, 0x550C_7DC3, 0x72BE_5D74, 0x80DE_B1FE,
  0x9BDC_06A7, 0xC19B_F174, 0xE49B_69C1, 0xEFBE_4786, 0x0FC1_9DC6, 0x240C_A1CC, 0x2DE9_2C6F,
  0x4A74_84AA, 0x5CB0_A9DC, 0x76F9_88DA, 0x983E_5152, 0xA831_C66D, 0xB003_27C8, 0xBF59_7FC7,
  0xC6E0_0BF3, 0xD5A7_9147, 0x06CA_6351, 0x1429_2967, 0x27B7_0A85, 0x2E1B_2138, 0x4D2C_6DFC,
  0x5338_0D13, 0x650A_7354, 0x766A_0ABB, 0x81C2_C92E, 0x9272_2C85, 0xA2BF_E8A1, 0xA81A_664B,
  0xC24B_8B70, 0xC76C_51A3, 0xD192_E819, 0xD699_0624, 0xF40E_3585, 0x106A_A070, 0x19A4_C116,
  0x1E37_6C08, 0x2748_774C, 0x34B0_BCB5, 0x391C_0CB3, 0x4ED8_AA4A, 0x5B9C_CA4F, 0x682E_6FF3,
  0x748F_82EE, 0x78A5_636F, 0x84C8_7814, 0x8CC7_0208, 0x90BE_FFFA, 0xA450_6CEB, 0xBEF9_A3F7,
  0xC671_78F2,
]
