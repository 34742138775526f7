import Events
import Protocols
import TextSearch

/// An end of a WebSocket that is read frame by frame.
final class FramedReader {
  let connection: WebSocketConnection
  var cutter = WebSocketFrameCutter()
  /// The number of unread bytes before the frame under way.
  private var start = 0

  /// - Parameter role: The end that receives the frames.
  init(_ role: WebSocketConnection.Role) {
    connection = WebSocketConnection(role: role)
    (connection.answersPings, connection.answersClose) = (false, false)
  }

  /// Removes a ping or a pong from the bytes that nothing was reported of. A trace has it as a
  /// line.
  func note(
    _ piece: WebSocketFrameCutter.Piece, _ actions: [WebSocketConnection.Action],
    _ unread: inout [UInt8]
  ) {
    if actions.contains(where: \.isHeartbeat) { unread.removeSubrange(min(start, unread.count)...) }
    if piece.endsFrame { start = unread.count }
  }
}

/// The bytes of a client since its last request or message that was reported.
struct UnreadRequests {
  /// The most bytes that are kept of a request. What breaks the rules behind them is in no trace.
  private static let most = 1 << 20
  var bytes: [UInt8] = []
  private var isTooLong = false

  mutating func add(_ more: [UInt8]) {
    guard !isTooLong else { return }
    isTooLong = bytes.count + more.count > UnreadRequests.most
    if isTooLong { bytes = [] } else { bytes += more }
  }

  /// Forgets what was reported. Behind a request there may be bytes that wait for its answer.
  mutating func take(_ kind: Traffic.Kind) {
    if case .request = kind { return }
    takeMessage()
  }

  /// Forgets what was reported.
  mutating func takeMessage() { (bytes, isTooLong) = ([], false) }

  mutating func takeAll() -> [UInt8] {
    defer { takeMessage() }
    return bytes
  }

  /// Returns what follows the last complete request. The bytes before it were reported.
  mutating func takeRest() -> [UInt8] {
    var reader = HTTPServerConnection()
    var start = 0
    for (index, byte) in bytes.enumerated() {
      var actions = reader.on(.bytesReceived([byte]))
      if actions.contains(where: \.isFailure) { break }
      while actions.contains(where: \.isRequest) {
        start = index + 1
        actions = reader.on(.responded(HTTPResponse(status: 200)))
      }
    }
    return Array(takeAll()[start...])
  }
}

/// Returns frames of a client whose payloads are readable, since their masks are zero. So secrets
/// in them are found.
func unmaskedFrames(_ bytes: [UInt8]) -> [UInt8] {
  var bytes = bytes
  var start = 0
  while start + 1 < bytes.count {
    let short = bytes[start + 1] & 0x7F
    let lengthEnd = start + 2 + (short == 126 ? 2 : short == 127 ? 8 : 0)
    guard lengthEnd <= bytes.count else { break }
    let length =
      short < 126 ? Int(short) : bytes[(start + 2)..<lengthEnd].reduce(0) { $0 << 8 | Int($1) }
    guard bytes[start + 1] & 0x80 != 0 else { return bytes }
    let payload = lengthEnd + 4
    guard payload <= bytes.count else { break }
    let end = length < 0 || length > bytes.count - payload ? bytes.count : payload + length
    let mask = Array(bytes[lengthEnd..<payload])
    for index in payload..<end { bytes[index] ^= mask[(index - payload) & 3] }
    for index in lengthEnd..<payload { bytes[index] = 0 }
    start = end
  }
  return bytes
}

extension HTTPServerConnection.Action {
  /// True if the bytes are no request.
  var isFailure: Bool { if case .fail = self { true } else { false } }

  fileprivate var isRequest: Bool { if case .requestArrived = self { true } else { false } }
}

extension Traffic.Kind {
  /// True for a ping or a pong, which may come between the frames of a message.
  var isHeartbeat: Bool {
    switch self {
    case .ping, .pong: true
    case .request, .response, .stream, .upgrade, .event, .comment, .retry, .id, .cutEvent, .line,
      .message, .bytes,
      .goodbye, .left, .drop, .reset, .unreachable:
      false
    }
  }
}

extension HTTPClientConnection {
  /// Returns the bytes that follow the last byte of the body in bytes that break the rules.
  ///
  /// - Parameter bytes: What arrived next.
  func bytesAfterBody(of bytes: [UInt8]) -> [UInt8] {
    var reader = self
    var rest = bytes[...]
    for (index, byte) in bytes.enumerated() {
      let actions = reader.on(.bytesReceived([byte]))
      if actions.contains(where: \.isFailure) { break }
      guard actions.contains(where: \.isPart) else { continue }
      rest = bytes[(index + 1)...]
      // The end of a chunk is sent with it.
      if rest.starts(with: [0x0D, 0x0A]) { rest = rest.dropFirst(2) }
    }
    return Array(rest)
  }
}

extension HTTPClientConnection.Action {
  /// True if the answer breaks a rule or is cut.
  var isFailure: Bool { if case .fail = self { true } else { false } }

  /// True for the head of a stream and for a part of its body.
  fileprivate var isPart: Bool {
    switch self {
    case .headArrived, .bodyArrived: true
    case .send, .deliver, .bodyEnded, .fail, .refuse, .upgrade, .passOn, .close, .abort: false
    }
  }
}

extension WebSocketConnection.Action {
  /// True if the bytes break a rule.
  var isFailure: Bool { if case .fail = self { true } else { false } }

  fileprivate var isHeartbeat: Bool {
    switch self {
    case .pingArrived, .pongArrived: true
    case .send, .deliver, .closeArrived, .fail, .refuse, .close: false
    }
  }
}

extension HTTPRequest {
  /// The parts of a request by which its answer is read. The rest is not encoded again.
  var shortened: HTTPRequest {
    let isLast = headers.lists("close", under: "Connection")
    return HTTPRequest(
      method: method, target: "/", headers: isLast ? ["Connection": "close"] : HTTPHeaders())
  }
}
