/// The time between the parts of a slow piece, in microseconds.
let slowGap: Int64 = 100_000

/// Returns the page that servers and proxies send when something is wrong.
package func pageOfDisturbance(_ status: Int) -> String {
  "<html><head><title>\(status)</title></head><body>Try again later.</body></html>\n"
}

/// Returns an answer as servers and proxies give it when something is wrong.
func answerOfDisturbance(_ status: Int, retryAfter: Int64?) -> [UInt8] {
  let page = pageOfDisturbance(status)
  let pause = retryAfter.map { "Retry-After: \(($0 + 999_999) / 1_000_000)\r\n" } ?? ""
  let head =
    "HTTP/1.1 \(status) Disturbed\r\nContent-Type: text/html\r\n\(pause)"
    + "Content-Length: \(page.utf8.count)\r\nConnection: close\r\n\r\n"
  return Array((head + page).utf8)
}

extension PieceDisturbance.LineBreak {
  var fault: LineFault {
    switch self {
    case .cut: .reset
    case .end, .close: .dropped
    case .stall: .stalled
    }
  }
}

/// The place of the end in a head, within its first line: many clients take any other line of it
/// for the last.
private let statusLine = 10

extension PieceDisturbance.Spot {
  /// Returns how many bytes of a piece pass. Within a body that is a place in the middle of a
  /// character, if it has one.
  func place(in bytes: [UInt8]) -> Int {
    let body = bytes.endOfHead ?? 0
    switch self {
    case .before: return 0
    case .within: return bytes.count / 2
    case .after: return bytes.count
    case .head: return min(statusLine, body / 2)
    case .body:
      let middle = body + (bytes.count - body) / 2
      return bytes[middle...].firstIndex { $0 & 0xc0 == 0x80 } ?? middle
    }
  }
}

extension [UInt8] {
  /// Returns what passes of a piece before its line breaks.
  func passing(_ way: PieceDisturbance.LineBreak, _ spot: PieceDisturbance.Spot) -> [UInt8] {
    let passing = Array(self[..<spot.place(in: self)])
    guard way == .close, let chunk = chunk(at: 0), !chunk.content.isEmpty, chunk.end == count else {
      return passing
    }
    let content = self[chunk.content]
    let part = spot == .after ? content : content.prefix(content.count / 2)
    return String(part.count, radix: 16).utf8 + Array("\r\n".utf8) + part
      + Array("\r\n0\r\n\r\n".utf8)
  }

  /// Returns the parts between some places.
  func cut(at places: [Int]) -> [[UInt8]] {
    zip([0] + places, places + [count]).map { Array(self[$0..<$1]) }
  }

  /// Returns at most so many parts of one size, and the last byte.
  func parts(atMost most: Int) -> [[UInt8]] {
    guard count > 1 else { return [self] }
    let size = (count + most - 1) / most
    return cut(at: [Int](stride(from: size, to: count - 1, by: size)) + [count - 1])
  }

  /// The places at which clients stumble that take what came at once for something whole: within a
  /// character, within CR LF, between two line ends, and in the middle.
  var weakSpots: [Int] {
    let ends: [UInt8] = [UInt8(ascii: "\r"), UInt8(ascii: "\n")]
    let spots: [Int] = indices.dropFirst().filter { place in
      self[place] & 0xc0 == 0x80 || place == count / 2
        || ends.contains(self[place]) && ends.contains(self[place - 1])
    }
    return [Int](spots.prefix(mostCuts))
  }
}

/// The most cuts of one piece in real time.
private let mostCuts = 16
