/// A growable array of trivial elements, without the reference counting of `Array`.
@usableFromInline
struct RawStack<Element: BitwiseCopyable> {
  private(set) var base: UnsafeMutablePointer<Element>?
  private(set) var count: Int32 = 0
  private var capacity: Int32 = 0

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
    base?.deallocate()
    self = RawStack()
  }

  @inline(never)
  private mutating func grow() {
    let larger = max(capacity * 2, 16)
    base = grown(base, from: capacity, to: larger)
    capacity = larger
  }
}

/// Moves a block of trivial elements into a larger one.
func grown<Element: BitwiseCopyable>(
  _ block: UnsafeMutablePointer<Element>?, from count: Int32, to capacity: Int32
) -> UnsafeMutablePointer<Element> {
  let larger = UnsafeMutablePointer<Element>.allocate(capacity: Int(capacity))
  if let block {
    larger.moveInitialize(from: block, count: Int(count))
    block.deallocate()
  }
  return larger
}
