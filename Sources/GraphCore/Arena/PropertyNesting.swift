import CThreadState

/// The writes of properties inside each other, which a `didSet` that sets its own property makes
/// without an end: the compiler calls it for each assignment, also for one that changes nothing.
/// Only debug builds count them.
struct PropertyNesting {
  /// The number of nested writes between two looks at the stack.
  static let interval = 64
  /// The room on the stack below which such writes end the program.
  static let reserve: UInt = 128 << 10

  private var frame: UInt = 0
  private var depth = 0

  /// Returns true if writes are nested so deeply that the stack is nearly used up.
  mutating func isExhausted(at frame: UInt) -> Bool {
    depth = frame < self.frame ? depth + 1 : 0
    self.frame = frame
    guard depth > 0, depth.isMultiple(of: Self.interval) else { return false }
    return frame < thread_lowest_frame() + Self.reserve
  }
}

extension Arena {
  /// Stops the program and names the property, instead of using up the stack.
  @usableFromInline
  func watchNesting(of id: Int32) {
    var here: UInt8 = 0
    let frame = withUnsafePointer(to: &here) { UInt(bitPattern: $0) }
    guard state.pointee.propertyNesting.isExhausted(at: frame) else { return }
    fatalError(
      "A `didSet` sets its own property without an end: \(name(of: id)). "
        + "It has to assign only values that differ.")
  }
}

extension GraphNode {
  /// Stops the program if writes of this node are nested so deeply that the stack is nearly used
  /// up.
  package final func watchNesting() { arena.alone { arena.watchNesting(of: id) } }
}
