import World

/// The calls that an owner makes before the connection below is open. They run once it is open.
struct EarlyCalls {
  /// The call that follows the bytes.
  enum Ending { case none, shutDown, close }

  /// The bytes, in the pieces in which they were sent.
  private(set) var pieces: [[UInt8]] = []
  private(set) var ending = Ending.none
  private var count = 0

  enum Sent { case accepted, mustWait, refused, overfull }

  /// True if the sender was asked to wait.
  var owesWritable: Bool { count > MemoryPipe.window }

  mutating func send(_ bytes: [UInt8]) -> Sent {
    guard ending == .none else { return .refused }
    guard count + bytes.count <= MemoryPipe.maximumBytesOnTheWay else { return .overfull }
    pieces.append(bytes)
    count += bytes.count
    return owesWritable ? .mustWait : .accepted
  }

  mutating func shutDownWriting() {
    if ending == .none { ending = .shutDown }
  }

  /// Notes that the owner closes; false if it has closed already.
  mutating func close() -> Bool {
    guard ending != .close else { return false }
    ending = .close
    return true
  }
}
