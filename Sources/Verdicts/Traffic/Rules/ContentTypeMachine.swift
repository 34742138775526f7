import Diagnostics
import Events
import Protocols
import Values

/// Finds bodies that are not what their `Content-Type` says.
///
/// A body that a coding has changed cannot be judged, and one without bytes fits any type.
struct ContentTypeMachine: TrafficMachine {
  static let id: DiagnosticID = "content-type-does-not-fit"

  private enum Payload { case events, lines }

  private(set) var exercised = ExercisedCount()
  private var streams: [Int: Payload] = [:]

  mutating func observe(_ line: ExchangeLine, _ end: RecordingEnd) -> [RuleFinding] {
    switch line.kind {
    case .request(let request):
      return judge(request.body, request.header("content-type"), request.isCoded, line)
    case .response(let response):
      let isCoded = response["content-encoding"] != nil
      return judge(response.body, response["content-type"], isCoded, line)
    case .stream(let head):
      exercised.add(line.from)
      streams[line.exchange] = head.isEventStream ? .events : .lines
    case .line(let text):
      guard streams[line.exchange] == .lines, case .failure(let problem) = parseJSON(text) else {
        return []
      }
      let reason = problem.text(in: text.utf8)
      return [finding("a line is announced as JSON and is none: \(reason)", line)]
    case .bytes(let bytes):
      return judgeEvents(bytes, line)
    case .cutEvent(let text): return judgeEvents(Array(text.utf8), line)
    case .goodbye, .left, .drop, .reset, .unreachable: streams[line.exchange] = nil
    case .upgrade, .event, .comment, .retry, .id, .message, .ping, .pong: break
    }
    return []
  }

  private func judgeEvents(_ bytes: [UInt8], _ line: ExchangeLine) -> [RuleFinding] {
    guard line.from == .server, streams[line.exchange] == .events, isJSON(bytes) else { return [] }
    return [finding("the body is announced as an event stream and is JSON", line)]
  }

  private mutating func judge(
    _ body: [UInt8], _ type: String?, _ isCoded: Bool, _ line: ExchangeLine
  ) -> [RuleFinding] {
    guard !isCoded, !body.isEmpty, let type, namesJSON(type)
    else { return [] }
    exercised.add(line.from)
    // Readers of JSON may ignore a byte order mark.
    let text = body.starts(with: [0xEF, 0xBB, 0xBF]) ? body.dropFirst(3) : body[...]
    guard case .failure(let problem) = parseJSON(text) else { return [] }
    let reason = "is announced as \(quoted(type)) and is none: \(problem.text(in: text))"
    return [finding("the body " + reason, line)]
  }

  private func finding(_ message: String, _ line: ExchangeLine) -> RuleFinding {
    let side = line.from == .client ? "the client" : "the server"
    return RuleFinding(line.from, message, RuleWitness(line, "sent by \(side)"))
  }

  /// A single number or word is JSON as well, and nothing that a server would send so.
  private func isJSON(_ bytes: [UInt8]) -> Bool {
    let first = bytes.first { $0 != 0x20 && $0 != 0x0A && $0 != 0x0D && $0 != 0x09 }
    guard first == UInt8(ascii: "{") || first == UInt8(ascii: "[") else { return false }
    if case .success = parseJSON(bytes) { return true }
    return false
  }
}

extension Exchange.Request {
  fileprivate var isCoded: Bool { header("content-encoding") != nil }
}
