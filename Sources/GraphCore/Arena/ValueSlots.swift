/// Memory for the values of one graph: slots by size, at addresses that never move.
///
/// Values of one type lie side by side as in a column. A freed slot is reused for the next value of
/// its size.
struct ValueSlots {
  private static let unit = 16
  private static let largest = 512
  private static let classes = largest / unit + 1
  private static let headBytes = MemoryLayout<UnsafeMutableRawPointer?>.stride * (classes + 1)
  private static let firstChunk = 2_048
  private static let laterChunk = 16_384

  /// The newest chunk; each begins with the address of the one before.
  private var chunks: UnsafeMutableRawPointer?
  private var next: UnsafeMutableRawPointer?
  private var left = 0
  /// The first free slot of each size; lies in the first chunk.
  private var free: UnsafeMutablePointer<UnsafeMutableRawPointer?>?

  mutating func allocate(bytes: Int, alignment: Int) -> UnsafeMutableRawPointer {
    guard alignment <= Self.unit, bytes <= Self.largest else {
      return .allocate(byteCount: bytes, alignment: alignment)
    }
    if free == nil { begin() }
    let size = max((bytes + Self.unit - 1) / Self.unit, 1)
    if let heads = free, let slot = heads[size] {
      heads[size] = slot.load(as: UnsafeMutableRawPointer?.self)
      return slot
    }
    return take(size * Self.unit)
  }

  mutating func free(_ slot: UnsafeMutableRawPointer, bytes: Int, alignment: Int) {
    guard alignment <= Self.unit, bytes <= Self.largest, let heads = free else {
      slot.deallocate()
      return
    }
    let size = max((bytes + Self.unit - 1) / Self.unit, 1)
    slot.storeBytes(of: heads[size], as: UnsafeMutableRawPointer?.self)
    heads[size] = slot
  }

  mutating func deallocate() {
    while let chunk = chunks {
      chunks = chunk.load(as: UnsafeMutableRawPointer?.self)
      chunk.deallocate()
    }
  }

  private mutating func begin() {
    addChunk(Self.headBytes + Self.firstChunk)
    let heads = take(Self.headBytes)
      .bindMemory(to: UnsafeMutableRawPointer?.self, capacity: Self.classes + 1)
    heads.initialize(repeating: nil, count: Self.classes + 1)
    free = heads
  }

  private mutating func take(_ bytes: Int) -> UnsafeMutableRawPointer {
    if left < bytes { addChunk(Self.laterChunk) }
    guard let slot = next else { return .allocate(byteCount: bytes, alignment: Self.unit) }
    next = slot + bytes
    left -= bytes
    return slot
  }

  private mutating func addChunk(_ bytes: Int) {
    let chunk = UnsafeMutableRawPointer.allocate(byteCount: bytes + Self.unit, alignment: Self.unit)
    chunk.storeBytes(of: chunks, as: UnsafeMutableRawPointer?.self)
    chunks = chunk
    next = chunk + Self.unit
    left = bytes
  }
}
