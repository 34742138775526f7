import TextSearch

/// A cutter of received bytes at the ends of their frames, however the bytes arrive.
///
/// It checks no rules. If a reader gets the pieces one by one and finds a problem, it is known
/// which bytes it has read.
package struct WebSocketFrameCutter: Sendable {
  /// Bytes of one frame.
  package struct Piece: Sendable, Equatable {
    package var bytes: [UInt8]
    /// True if the frame ends here.
    package var endsFrame: Bool
  }

  /// The part of a head that has arrived.
  private var head: [UInt8] = []
  /// The bytes of the payload that are missing; nil in the head.
  private var missing: UInt64?

  package init() {}

  package mutating func pieces(of bytes: [UInt8]) -> [Piece] {
    var pieces: [Piece] = []
    var start = 0
    while start < bytes.count {
      let end = endOfFrame(in: bytes, from: start)
      pieces.append(Piece(bytes: Array(bytes[start..<end]), endsFrame: missing == 0))
      if missing == 0 { (head, missing) = ([], nil) }
      start = end
    }
    return pieces
  }

  /// Returns where the frame ends, or where the bytes end before it does.
  private mutating func endOfFrame(in bytes: [UInt8], from start: Int) -> Int {
    var end = start
    while missing == nil, end < bytes.count {
      head.append(bytes[end])
      end += 1
      missing = payloadLength
    }
    guard let missing else { return end }
    let count = min(UInt64(bytes.count - end), missing)
    self.missing = missing - count
    return end + Int(count)
  }

  /// The length of the payload; nil unless the head is complete.
  private var payloadLength: UInt64? {
    guard head.count >= 2 else { return nil }
    let short = head[1] & 0x7F
    let extended = short == 126 ? 2 : short == 127 ? 8 : 0
    let maskKey = head[1] & 0x80 == 0 ? 0 : 4
    guard head.count == 2 + extended + maskKey else { return nil }
    guard extended > 0 else { return UInt64(short) }
    return head[2..<(2 + extended)].reduce(0) { $0 << 8 | UInt64($1) }
  }
}
