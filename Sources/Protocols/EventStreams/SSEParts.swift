import TextSearch

/// A part of an event stream, as a recording has it.
package enum SSEPart: Sendable, Equatable {
  case event(SSEEvent)
  case comment(String)
  /// A reconnection time that came without an event.
  case retry(milliseconds: Int)
  /// An id that came without an event. A client keeps it.
  case id(String)
  /// The beginning of an event that the end of its stream cut, without comments.
  case cut(String)
}

/// A reader of an event stream that loses no part: neither a reconnection time or an id without an
/// event, nor an event without its end. A client ignores the latter.
package struct SSEPartReader: Sendable {
  private var decoder = SSEDecoder()
  /// The reconnection time of the block under way.
  private var retry: Int?
  /// The bytes of the block under way.
  private var rest: [UInt8] = []
  /// True after the end of a line, and at the beginning.
  private var isLineEmpty = true
  /// True after a return, with which a line feed is one line end.
  private var isAfterReturn = false

  package init() { decoder.showsLoneIDs = true }

  package mutating func receive(_ bytes: [UInt8]) -> [SSEPart] {
    var parts: [SSEPart] = []
    for item in decoder.receive(bytes) {
      switch item {
      case .event(let event):
        if event.retry == nil { takeRetry(into: &parts) }
        retry = nil
        parts.append(.event(event))
      case .retry(let milliseconds):
        takeRetry(into: &parts)
        retry = milliseconds
      case .id(let id): parts.append(.id(id))
      case .comment(let text): parts.append(.comment(text))
      case .problem: break
      }
    }
    if decoder.isInBlock {
      keepRest(bytes)
    } else {
      takeRetry(into: &parts)
      rest = []
      (isLineEmpty, isAfterReturn) = (true, bytes.last == 0x0D)
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

  /// Keeps what follows the last empty line.
  private mutating func keepRest(_ bytes: [UInt8]) {
    for byte in bytes {
      switch byte {
      case 0x0A where isAfterReturn:
        isAfterReturn = false
        if !rest.isEmpty { rest.append(byte) }
      case 0x0A, 0x0D:
        if isLineEmpty { rest.removeAll(keepingCapacity: true) } else { rest.append(byte) }
        (isLineEmpty, isAfterReturn) = (true, byte == 0x0D)
      default:
        rest.append(byte)
        (isLineEmpty, isAfterReturn) = (false, false)
      }
    }
  }
}
