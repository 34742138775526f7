import CThreadState

/// The memory of one graph: slots by size, at addresses that never move.
///
/// Records and values of one type lie side by side. A freed slot is reused for the next one of its
/// size. All of it ends with the graph, in one sweep over the chunks. The first ones have also the
/// state of the graph and the beginnings of its tables. They are so small that the system keeps
/// them at hand for the next graph.
struct GraphMemory {
  private static let unit = 16
  private static let largest = 512
  private static let classes = largest / unit + 1
  private static let smallChunk = 1_016
  private static let smallChunks = 6
  private static let largeChunk = 16_384

  /// The newest chunk; each begins with the address of the one before.
  private var chunks: UnsafeMutableRawPointer?
  private var chunkCount = 1
  private var next: UnsafeMutableRawPointer
  private var left = 0
  /// The first free slot of each size; lies in the first chunk.
  private let free: UnsafeMutablePointer<UnsafeMutableRawPointer?>

  init() {
    let chunk = Self.newChunk(after: nil, bytes: Self.smallChunk)
    chunks = chunk
    free = (chunk + Self.unit)
      .bindMemory(to: UnsafeMutableRawPointer?.self, capacity: Self.classes)
    free.initialize(repeating: nil, count: Self.classes)
    let taken = Self.rounded(Self.classes * MemoryLayout<UnsafeMutableRawPointer?>.stride)
    next = chunk + Self.unit + taken
    left = Self.smallChunk - taken
  }

  /// Returns memory that ends with the graph and is not freed before.
  mutating func allocate<Element: ~Copyable>(
    _ type: Element.Type, capacity: Int32
  ) -> UnsafeMutablePointer<Element> {
    take(Self.rounded(MemoryLayout<Element>.stride * Int(capacity)))
      .bindMemory(to: type, capacity: Int(capacity))
  }

  mutating func allocate(bytes: Int, alignment: Int) -> UnsafeMutableRawPointer {
    guard alignment <= Self.unit, bytes <= Self.largest else {
      return .allocate(byteCount: bytes, alignment: alignment)
    }
    let size = Self.rounded(bytes)
    let head = free + size / Self.unit
    if let slot = head.pointee {
      head.pointee = slot.load(as: UnsafeMutableRawPointer?.self)
      return slot
    }
    return take(size)
  }

  func free(_ slot: UnsafeMutableRawPointer, bytes: Int, alignment: Int) {
    guard alignment <= Self.unit, bytes <= Self.largest else { return slot.deallocate() }
    let head = free + Self.rounded(bytes) / Self.unit
    slot.storeBytes(of: head.pointee, as: UnsafeMutableRawPointer?.self)
    head.pointee = slot
  }

  mutating func deallocate() {
    while let chunk = chunks {
      chunks = chunk.load(as: UnsafeMutableRawPointer?.self)
      graph_memory_free(chunk)
    }
  }

  /// Returns the bytes of the smallest slot that has room; even an empty value has a slot.
  private static func rounded(_ bytes: Int) -> Int { max(bytes + unit - 1, unit) & ~(unit - 1) }

  private mutating func take(_ bytes: Int) -> UnsafeMutableRawPointer {
    if left < bytes { addChunk() }
    let slot = next
    next = slot + bytes
    left -= bytes
    return slot
  }

  @inline(never)
  private mutating func addChunk() {
    let bytes = chunkCount < Self.smallChunks ? Self.smallChunk : Self.largeChunk
    let chunk = Self.newChunk(after: chunks, bytes: bytes)
    chunks = chunk
    chunkCount += 1
    next = chunk + Self.unit
    left = bytes
  }

  /// Returns a new chunk. Asked for it like that, the system is faster than for an alignment, and
  /// any block has the alignment of a slot.
  private static func newChunk(
    after chunk: UnsafeMutableRawPointer?, bytes: Int
  ) -> UnsafeMutableRawPointer {
    guard let new = malloc(bytes + unit) else { fatalError("The graph has no memory.") }
    new.storeBytes(of: chunk, as: UnsafeMutableRawPointer?.self)
    return new
  }
}
