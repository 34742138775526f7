/// The memory of a value, compared where it is.
///
/// A copy of a value counts references, which takes longer than the comparison of a key. Most keys
/// are short texts. Swift keeps them inside of the value, so their bits say whether they are equal.
struct ValueBits {
  private let low: UInt64
  private let high: UInt64
  private let kind: UInt8

  /// Reads the value at an address.
  @inline(__always) init(at address: UnsafeRawPointer) {
    low = address.loadUnaligned(as: UInt64.self)
    high = address.loadUnaligned(fromByteOffset: 8, as: UInt64.self)
    kind = address.load(fromByteOffset: 16, as: UInt8.self)
  }

  /// True if the bits are the same, and the values are equal for that reason. Equal values may have
  /// other bits.
  @inline(__always) func isSame(as other: ValueBits) -> Bool {
    low == other.low && high == other.high && kind == other.kind
  }

  /// True if this is a short text, or a text at all, and the other one can be no equal text: it is
  /// of another kind, or both are short and have other bits.
  @inline(__always) func differs(fromText other: ValueBits) -> Bool {
    kind != other.kind || (isShort && other.isShort)
  }

  /// The bit by which Swift knows a text that is kept in its own 16 bytes. Only such a text is
  /// asked.
  @inline(__always) private var isShort: Bool { high & (1 << 61) != 0 }
}

extension UnsafeBufferPointer<ValueMap.Entry> {
  /// Returns the place of a key, or nil.
  func place(of key: Value) -> Int? {
    guard case .string = key else { return indices.first { self[$0].key == key } }
    return withUnsafePointer(to: key) { wanted in
      let bits = ValueBits(at: wanted)
      return indices.first { at in
        let found = keyBits(at: at)
        return found.isSame(as: bits) || (!found.differs(fromText: bits) && self[at].key == key)
      }
    }
  }

  /// Whether the keys at a place are equal.
  @inline(__always) func hasSameKey(at place: Int, as other: Self) -> Bool {
    keyBits(at: place).isSame(as: other.keyBits(at: place)) || self[place].key == other[place].key
  }

  /// Whether the values at a place are equal.
  @inline(__always) func hasSameValue(at place: Int, as other: Self) -> Bool {
    valueBits(at: place).isSame(as: other.valueBits(at: place))
      || self[place].value == other[place].value
  }

  @inline(__always) private func keyBits(at place: Int) -> ValueBits {
    ValueBits(at: address(of: place))
  }

  @inline(__always) private func valueBits(at place: Int) -> ValueBits {
    ValueBits(at: address(of: place) + MemoryLayout<Value>.stride)
  }

  @inline(__always) private func address(of place: Int) -> UnsafeRawPointer {
    // The loops that ask have taken the place from the indices.
    UnsafeRawPointer(baseAddress.unsafelyUnwrapped + place)
  }
}
