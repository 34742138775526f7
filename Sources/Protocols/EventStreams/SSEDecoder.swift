import Glibc
import TextSearch

/// A decoder of event streams by the rules of the WHATWG. Bytes go in, items come out; they do not
/// depend on how the bytes are cut. One decoder serves all responses that a client gets in the
/// course of a connection.
package struct SSEDecoder: Sendable {
  /// The id that a client sends at a reconnect: that of the last complete block with an id, or the
  /// one the decoder was made with.
  package private(set) var lastEventID: String

  /// True if an id that comes without an event is an item of its own.
  var showsLoneIDs = false
  private let limit: Int
  private var block = Block()
  /// The lines of data of the block, joined by LF.
  private var data: [UInt8] = []
  /// The place of the block's only line of data in the bytes being read, while there is just one.
  /// Most events have one, so their data is copied once.
  private var onlyLine: Range<Int>?
  /// The line that is still growing.
  private var line: [UInt8] = []
  /// True if the last byte was a CR; an LF after it belongs to the same line end.
  private var mayFollowLF = false
  private var isFirstLine = true
  /// True if something arrived since the last blank line.
  package private(set) var isInBlock = false
  private var isOver = false

  private struct Block {
    var id: String?
    var event = ""
    var retry: Int?
    var hasData = false
  }

  package init(lastEventID: String = "", eventBytes: Int = SSELimits.eventBytes) {
    self.lastEventID = lastEventID
    limit = eventBytes
  }

  package mutating func receive(_ bytes: [UInt8]) -> [SSEItem] {
    guard !isOver, !bytes.isEmpty else { return [] }
    var items: [SSEItem] = []
    // A guess that avoids most of the growing, and costs little if it is wrong.
    items.reserveCapacity(min(bytes.count / 48, 512))
    bytes.withUnsafeBufferPointer { read($0, into: &items) }
    return items
  }

  /// Ends the response. An incomplete event is dropped, with its id. The next bytes are those of
  /// another response.
  package mutating func finish() {
    let showsLoneIDs = showsLoneIDs
    self = SSEDecoder(lastEventID: lastEventID, eventBytes: limit)
    self.showsLoneIDs = showsLoneIDs
  }
}

// Cutting into lines.
extension SSEDecoder {
  private mutating func read(
    _ bytes: UnsafeBufferPointer<UInt8>, into items: inout [SSEItem]
  ) {
    var ends = LineEnds(in: bytes)
    var start = mayFollowLF && bytes[0] == lineFeed ? 1 : 0
    mayFollowLF = false
    while start < bytes.count {
      let end = bytes[start] == lineFeed ? start : ends.next(from: start)
      guard end < bytes.count else { break }
      if let value = onlyValue(start..<end, of: bytes) {
        isFirstLine = false
        items.append(.event(SSEEvent(lastEventID: lastEventID, data: text(bytes[value]))))
        start = end + 2
        continue
      }
      if line.isEmpty {
        take(start..<end, of: bytes, into: &items)
      } else {
        takeLine(endingWith: UnsafeBufferPointer(rebasing: bytes[start..<end]), into: &items)
      }
      if isOver { return }
      start = end + 1
      guard bytes[end] == carriageReturn else { continue }
      if start == bytes.count { mayFollowLF = true } else if bytes[start] == lineFeed { start += 1 }
    }
    keep(start, of: bytes, into: &items)
  }

  /// Reads an event of one line of data and a blank one, as most events are. The result is the same
  /// as line by line, at a lower cost.
  @inline(__always)
  private func onlyValue(
    _ place: Range<Int>, of bytes: UnsafeBufferPointer<UInt8>
  ) -> Range<Int>? {
    guard !isInBlock, place.upperBound + 1 < bytes.count, place.count >= 6, place.count <= limit,
      bytes[place.upperBound] == lineFeed, bytes[place.upperBound + 1] == lineFeed,
      let start = bytes.baseAddress, memcmp(start + place.lowerBound, "data: ", 6) == 0
    else { return nil }
    return place.dropFirst(6)
  }

  /// Copies the beginning of a line that continues in the next bytes.
  private mutating func keep(
    _ start: Int, of bytes: UnsafeBufferPointer<UInt8>, into items: inout [SSEItem]
  ) {
    settleOnlyLine(of: bytes)
    guard start < bytes.count else { return }
    line.append(contentsOf: bytes[start...])
    isInBlock = true
    if line.count > limit { fail(into: &items) }
  }

  private mutating func takeLine(
    endingWith rest: UnsafeBufferPointer<UInt8>, into items: inout [SSEItem]
  ) {
    line.append(contentsOf: rest)
    var whole: [UInt8] = []
    swap(&whole, &line)
    whole.withUnsafeBufferPointer { whole in
      take(0..<whole.count, of: whole, into: &items)
      settleOnlyLine(of: whole)
    }
    // The next line that is cut reuses its room.
    whole.removeAll(keepingCapacity: true)
    swap(&whole, &line)
  }

  private mutating func settleOnlyLine(of bytes: UnsafeBufferPointer<UInt8>) {
    guard let place = onlyLine else { return }
    data.append(contentsOf: bytes[place])
    onlyLine = nil
  }

  private mutating func fail(into items: inout [SSEItem]) {
    finish()
    isOver = true
    items.append(.problem(.eventTooLarge))
  }
}

// Interpreting lines.
extension SSEDecoder {
  @inline(__always)
  private mutating func take(
    _ place: Range<Int>, of bytes: UnsafeBufferPointer<UInt8>, into items: inout [SSEItem]
  ) {
    guard place.count <= limit else { return fail(into: &items) }
    isInBlock = true
    var place = place
    if isFirstLine {
      isFirstLine = false
      if bytes[place].starts(with: byteOrderMark) { place = place.dropFirst(3) }
    }
    guard !place.isEmpty else { return endBlock(of: bytes, into: &items) }
    let (nameEnd, valueStart) = split(place, of: bytes)
    let value = valueStart..<place.upperBound
    switch SSEField(UnsafeBufferPointer(rebasing: bytes[place.lowerBound..<nameEnd])) {
    case .data: addData(value, of: bytes, into: &items)
    case .event: block.event = text(bytes[value])
    case .id: if !bytes[value].contains(0) { block.id = text(bytes[value]) }
    case .retry: setRetry(bytes[value], into: &items)
    case .comment: items.append(.comment(text(bytes[value])))
    case .unknown: break
    }
  }

  /// Returns the end of the name and the beginning of the value: after the colon and one space, or
  /// at the end.
  @inline(__always)
  private func split(
    _ place: Range<Int>, of bytes: UnsafeBufferPointer<UInt8>
  ) -> (nameEnd: Int, valueStart: Int) {
    var colon = place.lowerBound
    while colon < place.upperBound, bytes[colon] != 0x3A { colon += 1 }
    guard colon < place.upperBound else { return (colon, colon) }
    let value = colon + 1
    return (colon, value < place.upperBound && bytes[value] == 0x20 ? value + 1 : value)
  }

  @inline(__always)
  private mutating func addData(
    _ value: Range<Int>, of bytes: UnsafeBufferPointer<UInt8>, into items: inout [SSEItem]
  ) {
    let before = block.hasData ? data.count + (onlyLine?.count ?? 0) + 1 : 0
    guard before + value.count <= limit else { return fail(into: &items) }
    if block.hasData {
      settleOnlyLine(of: bytes)
      data.append(lineFeed)
      data.append(contentsOf: bytes[value])
    } else {
      block.hasData = true
      onlyLine = value
    }
  }

  private mutating func setRetry(
    _ digits: Slice<UnsafeBufferPointer<UInt8>>, into items: inout [SSEItem]
  ) {
    guard !digits.isEmpty, digits.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }) else { return }
    let milliseconds = digits.reduce(0) {
      min($0 * 10 + Int($1 - 0x30), SSELimits.retryMilliseconds)
    }
    block.retry = milliseconds
    items.append(.retry(milliseconds: milliseconds))
  }

  @inline(__always)
  private mutating func endBlock(
    of bytes: UnsafeBufferPointer<UInt8>, into items: inout [SSEItem]
  ) {
    if let id = block.id { lastEventID = id }
    if block.hasData {
      let whole = onlyLine.map { text(bytes[$0]) } ?? String(decoding: data, as: UTF8.self)
      let event = block.event.isEmpty ? "message" : block.event
      items.append(
        .event(
          SSEEvent(
            id: block.id, lastEventID: lastEventID, event: event, data: whole, retry: block.retry)))
    } else if showsLoneIDs, let id = block.id {
      items.append(.id(id))
    }
    block = Block()
    isInBlock = false
    onlyLine = nil
    if !data.isEmpty { data.removeAll(keepingCapacity: true) }
  }
}

/// The field of a line; names are case-sensitive.
private enum SSEField {
  case data, event, id, retry, comment, unknown

  @inline(__always)
  init(_ name: UnsafeBufferPointer<UInt8>) {
    switch name.count {
    case 4 where isSame(name, "data"): self = .data
    case 5 where isSame(name, "event"): self = .event
    case 2 where isSame(name, "id"): self = .id
    case 5 where isSame(name, "retry"): self = .retry
    case 0: self = .comment
    default: self = .unknown
    }
  }
}

@inline(__always)
private func isSame(_ name: UnsafeBufferPointer<UInt8>, _ known: StaticString) -> Bool {
  guard let start = name.baseAddress else { return false }
  return memcmp(start, known.utf8Start, known.utf8CodeUnitCount) == 0
}

/// Returns the text of bytes; invalid UTF-8 becomes U+FFFD.
private func text(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> String {
  String(decoding: UnsafeBufferPointer(rebasing: bytes), as: UTF8.self)
}

private let lineFeed: UInt8 = 0x0A
private let carriageReturn: UInt8 = 0x0D
