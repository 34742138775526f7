/// The only source of randomness in a run: the same seed gives the same run.
///
/// The generator is xoshiro256**, seeded by SplitMix64, both published without restriction by
/// Blackman and Vigna.
package struct SeededRandom: RandomNumberGenerator, Sendable {
  package let seed: UInt64
  private var state: (UInt64, UInt64, UInt64, UInt64)

  package init(seed: UInt64) {
    var filler = SplitMix64(state: seed)
    self.seed = seed
    self.state = (filler.next(), filler.next(), filler.next(), filler.next())
  }

  init(state: (UInt64, UInt64, UInt64, UInt64)) {
    self.seed = 0
    self.state = state
  }

  /// Returns an independent generator for one named use.
  ///
  /// It depends on the seed and the name only, not on earlier draws, so that one more draw in one
  /// place never shifts the numbers of another place.
  package func stream(_ name: String) -> SeededRandom {
    var mixer = SplitMix64(state: seed ^ fnv1a(name))
    return SeededRandom(seed: mixer.next())
  }

  package mutating func next() -> UInt64 {
    let result = rotate(state.1 &* 5, by: 7) &* 9
    let shifted = state.1 << 17
    state.2 ^= state.0
    state.3 ^= state.1
    state.1 ^= state.2
    state.0 ^= state.3
    state.2 ^= shifted
    state.3 = rotate(state.3, by: 45)
    return result
  }

  /// Returns a number of the range, each with the same probability.
  package mutating func int(in range: ClosedRange<Int>) -> Int {
    let span = UInt64(bitPattern: Int64(range.upperBound &- range.lowerBound))
    guard span < UInt64.max else { return Int(truncatingIfNeeded: next()) }
    let offset = below(span + 1)
    return range.lowerBound &+ Int(truncatingIfNeeded: offset)
  }

  /// Returns a number from 0 up to, but not including, 1.
  package mutating func double() -> Double {
    Double(next() >> 11) * 0x1p-53
  }

  package mutating func bytes(_ count: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(max(count, 0))
    while bytes.count < count {
      let word = next()
      for shift in stride(from: UInt64(0), to: 64, by: 8) where bytes.count < count {
        bytes.append(UInt8(truncatingIfNeeded: word >> shift))
      }
    }
    return bytes
  }

  /// Picks a number by a multiplication. The few products that would favour some numbers are drawn
  /// again.
  private mutating func below(_ bound: UInt64) -> UInt64 {
    var product = next().multipliedFullWidth(by: bound)
    guard product.low < bound else { return product.high }
    let threshold = (0 &- bound) % bound
    while product.low < threshold { product = next().multipliedFullWidth(by: bound) }
    return product.high
  }
}

/// A small generator that turns any seed, even zero, into well mixed numbers.
struct SplitMix64 {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}

/// Returns the FNV-1a hash of a name. Unlike `hashValue`, it is the same in every process.
func fnv1a(_ name: String) -> UInt64 {
  var hash: UInt64 = 0xCBF2_9CE4_8422_2325
  for byte in name.utf8 { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
  return hash
}

private func rotate(_ word: UInt64, by count: UInt64) -> UInt64 {
  word << count | word >> (64 - count)
}
