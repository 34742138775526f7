import TextSearch
import Values

/// Other bytes of the same meaning, which a right client does not notice.
package enum PieceForm: String, Sendable, CaseIterable {
  /// Each byte comes alone, or in real time those between which clients stumble.
  case bytes
  /// The lines of an event stream end with CR LF.
  case crlf
  /// They end with CR. A comment follows each event, for clients that look whether LF follows.
  case cr
  /// A comment comes before each event.
  case comments
  /// No blank follows the colon of a field.
  case noBlanks = "no-blanks"
  /// JSON comes in several `data` lines.
  case dataLines = "data-lines"
  /// A block without data, which is no event, comes before each event: its id, or a type.
  case noData = "no-data"

  /// Bodies are compressed for a client that asked for it. Mocks do that, before there are bytes.
  case gzip
}

/// Gives what a server sends on one connection another form.
///
/// Events are rewritten that come whole, as mocks send them; other bytes pass unchanged.
struct PieceRewriter {
  let form: PieceForm
  /// True if there is time between pieces, so that only some cuts are worth it.
  let isInRealTime: Bool
  /// The form of the body whose head has passed.
  private var body: BodyForm?

  init(_ form: PieceForm, isInRealTime: Bool) {
    self.form = form
    self.isInRealTime = isInRealTime
  }

  /// Returns the pieces that come instead of bytes; nil if they pass unchanged.
  mutating func pieces(of bytes: [UInt8]) -> [[UInt8]]? {
    if form == .bytes { return isInRealTime ? bytes.cut(at: bytes.weakSpots) : bytes.map { [$0] } }
    var start = 0
    if bytes.beginsAnswer {
      guard let end = bytes.endOfHead else { return nil }
      body = BodyForm(behind: bytes[..<end])
      start = end
    }
    guard let body, body.isEventStream, !body.hasLength, start < bytes.count else { return nil }
    let rest = Array(bytes[start...])
    let rewritten = body.isChunked ? rewrittenChunks(rest) : rewritten(rest)
    return [bytes[..<start] + rewritten]
  }

  private func rewrittenChunks(_ bytes: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    var start = 0
    while start < bytes.count {
      guard let chunk = bytes.chunk(at: start), chunk.end <= bytes.count, !chunk.content.isEmpty
      else { return result + bytes[start...] }
      let content = rewritten(Array(bytes[chunk.content]))
      result += String(content.count, radix: 16).utf8 + Array("\r\n".utf8) + content
      result += bytes[chunk.content.upperBound..<chunk.end]
      start = chunk.end
    }
    return result
  }

  /// Returns whole events in the other form, and other bytes unchanged.
  private func rewritten(_ bytes: [UInt8]) -> [UInt8] {
    let text = String(decoding: bytes, as: UTF8.self)
    guard text.hasSuffix("\n\n"), !text.utf8.contains(UInt8(ascii: "\r")) else { return bytes }
    let lines = text.dropLast().split(separator: "\n", omittingEmptySubsequences: false)
    func joined(_ lines: [Substring], _ end: String) -> String {
      lines.map { $0 + end }.joined()
    }
    let other =
      switch form {
      case .bytes, .gzip: text
      case .crlf: joined(lines, "\r\n")
      case .cr: joined(lines + [":"], "\r")
      case .comments: ": a comment\n\n" + text
      case .noBlanks: joined(lines.map(withoutBlank), "\n")
      case .dataLines: joined(lines.flatMap(dataLines), "\n")
      case .noData: (lines[0].hasPrefix("id:") ? lines[0] : "event: message") + "\n\n" + text
      }
    return Array(other.utf8)
  }

  private func withoutBlank(_ line: Substring) -> Substring {
    guard let colon = line.firstIndex(of: ":"), colon > line.startIndex else { return line }
    let value = line[line.index(after: colon)...]
    return value.hasPrefix(" ") && !value.hasPrefix("  ")
      ? line[...colon] + value.dropFirst() : line
  }

  /// Cuts JSON behind its first sign, where a line end means nothing.
  private func dataLines(_ line: Substring) -> [Substring] {
    guard line.hasPrefix("data: {") || line.hasPrefix("data: ["), line.utf8.count > 8,
      case .success = parseJSON(String(line.dropFirst(6)))
    else { return [line] }
    return [line.prefix(7), "data: " + line.dropFirst(7)]
  }
}
