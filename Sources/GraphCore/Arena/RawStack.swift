/// A growable array of trivial elements, without the reference counting of `Array`. It begins in
/// the memory of its graph, if it is one of those that most graphs need.
@usableFromInline
struct RawStack<Element: BitwiseCopyable> {
  private(set) var base: UnsafeMutablePointer<Element>?
  private(set) var count: Int32 = 0
  private var capacity: Int32 = 0
  /// True if the elements have a block of their own, which the stack frees.
  private var hasBlock = false

  init() {}

  init(in memory: inout GraphMemory) {
    base = memory.allocate(Element.self, capacity: Self.firstCapacity)
    capacity = Self.firstCapacity
  }

  private static var firstCapacity: Int32 { 16 }

  var isEmpty: Bool { count == 0 }

  subscript(index: Int32) -> Element {
    get { base.unsafelyUnwrapped[Int(index)] }
    nonmutating set { base.unsafelyUnwrapped[Int(index)] = newValue }
  }

  var buffer: UnsafeMutableBufferPointer<Element> {
    UnsafeMutableBufferPointer(start: base, count: Int(count))
  }

  mutating func append(_ element: Element) {
    if count == capacity { grow() }
    base.unsafelyUnwrapped[Int(count)] = element
    count &+= 1
  }

  mutating func removeLast() -> Element {
    count &-= 1
    return base.unsafelyUnwrapped[Int(count)]
  }

  mutating func truncate(to newCount: Int32) {
    count = newCount
  }

  mutating func deallocate() {
    if hasBlock { base?.deallocate() }
    self = RawStack()
  }

  @inline(never)
  private mutating func grow() {
    let larger = max(capacity * 2, Self.firstCapacity)
    base = grown(base, from: capacity, to: larger, isBlock: hasBlock)
    capacity = larger
    hasBlock = true
  }
}

/// Moves trivial elements into a larger block, and frees those before if they had a block of their
/// own.
func grown<Element: BitwiseCopyable>(
  _ elements: UnsafeMutablePointer<Element>?, from count: Int32, to capacity: Int32, isBlock: Bool
) -> UnsafeMutablePointer<Element> {
  let larger = UnsafeMutablePointer<Element>.allocate(capacity: Int(capacity))
  if let elements {
    larger.moveInitialize(from: elements, count: Int(count))
    if isBlock { elements.deallocate() }
  }
  return larger
}
