/// A part of an event stream, as a recording has it.
package enum SSEPart: Sendable, Equatable {
  case event(SSEEvent)
  case comment(String)
  /// A reconnection time that came without an event.
  case retry(milliseconds: Int)
  /// The beginning of an event that the end of its stream cut, without comments.
  case cut(String)
}

/// A reader of an event stream that loses nothing of it: neither a reconnection time without an
/// event, nor an event without its end. A client ignores the latter.
package struct SSEPartReader: Sendable {
  private var decoder = SSEDecoder()
  /// The reconnection time of the block under way.
  private var retry: Int?
  /// The bytes of the block under way.
  private var rest: [UInt8] = []

  package init() {}

  package mutating func receive(_ bytes: [UInt8]) -> [SSEPart] {
    var parts: [SSEPart] = []
    for item in decoder.receive(bytes) {
      switch item {
      case .event(let event):
        if event.retry == nil { takeRetry(into: &parts) }
        retry = nil
        parts.append(.event(event))
      case .retry(let milliseconds): retry = milliseconds
      case .comment(let text): parts.append(.comment(text))
      case .problem: break
      }
    }
    if decoder.isInBlock {
      keepRest(bytes)
    } else {
      takeRetry(into: &parts)
      rest = []
    }
    return parts
  }

  /// Ends the stream in order.
  package mutating func finish() -> [SSEPart] {
    defer { self = SSEPartReader() }
    let lines = rest.split(omittingEmptySubsequences: true) { $0 == 0x0A || $0 == 0x0D }
    let fields = lines.filter { $0.first != UInt8(ascii: ":") }
    guard !fields.isEmpty else { return [] }
    return [.cut(String(decoding: Array(fields.joined(separator: [0x0A])), as: UTF8.self))]
  }

  private mutating func takeRetry(into parts: inout [SSEPart]) {
    if let retry { parts.append(.retry(milliseconds: retry)) }
    retry = nil
  }

  /// Keeps what follows the last empty line. Only the new bytes are read, since an event may be long
  /// and come in many pieces.
  private mutating func keepRest(_ bytes: [UInt8]) {
    // The longest end of a line and the byte before it, which an empty line may follow.
    let before = rest.suffix(4)
    let tail = bytesBehindEmptyLines(before + bytes)
    if tail.count == before.count + bytes.count { rest += bytes } else { rest = tail }
  }
}

/// Returns what follows the last empty line.
private func bytesBehindEmptyLines(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
  var start = bytes.startIndex
  var isLineEmpty = true
  var isAfterReturn = false
  for (index, byte) in zip(bytes.indices, bytes) {
    switch byte {
    case 0x0A where isAfterReturn:
      // A return and a line feed are one line end.
      isAfterReturn = false
      if start == index { start = index + 1 }
    case 0x0A, 0x0D:
      if isLineEmpty { start = index + 1 }
      (isLineEmpty, isAfterReturn) = (true, byte == 0x0D)
    default: (isLineEmpty, isAfterReturn) = (false, false)
    }
  }
  return Array(bytes[start...])
}
