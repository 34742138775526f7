import Diagnostics
import Events

/// Finds close codes that may not be sent.
///
/// A recording writes 1005 for a close frame without a code, 1006 for none, and 1015 for TLS that
/// failed. Only in the bytes of a frame are these codes mistakes.
struct CloseCodeMachine: TrafficMachine {
  static let id: DiagnosticID = "illegal-close-code"

  private(set) var exercised = ExercisedCount()
  private var sockets: Set<Int> = []

  mutating func observe(_ line: ExchangeLine, _ end: RecordingEnd) -> [RuleFinding] {
    switch line.kind {
    case .upgrade: sockets.insert(line.exchange)
    case .goodbye(let code?, _), .left(let code?, _):
      guard ![1005, 1006, 1015].contains(code) else { return [] }
      return judge(code, line)
    case .bytes(let bytes):
      guard sockets.contains(line.exchange), let code = closeCode(bytes) else { return [] }
      return judge(code, line)
    case .request, .response, .stream, .event, .comment, .retry, .id, .cutEvent, .line, .message,
      .ping,
      .pong,
      .goodbye, .left,
      .drop, .reset, .unreachable:
      break
    }
    return []
  }

  private mutating func judge(_ code: Int, _ line: ExchangeLine) -> [RuleFinding] {
    exercised.add(line.from)
    guard !CloseCodeMachine.maySend(code) else { return [] }
    let sender = line.from == .client ? "the client" : "the server"
    return [
      RuleFinding(
        line.from, "\(sender) closes with the code \(code), which may not be sent",
        RuleWitness(line, "close \(code)"))
    ]
  }

  /// Returns whether a close frame may have the code: those that are registered, and those of
  /// libraries and applications.
  static func maySend(_ code: Int) -> Bool {
    switch code {
    case 1000...1003, 1007...1014, 3000...4999: true
    default: false
    }
  }

  /// Returns the code in the bytes of a close frame without a mask.
  private func closeCode(_ bytes: [UInt8]) -> Int? {
    guard bytes.count >= 4, bytes[0] & 0x8F == 0x88, (2...125).contains(bytes[1]) else {
      return nil
    }
    return Int(bytes[2]) << 8 | Int(bytes[3])
  }
}
