import Diagnostics
import Events
import Protocols

/// Finds streams whose server ended them in the middle of an event.
///
/// A connection that breaks is no mistake of the server, and a client may leave at any time.
struct CutEventMachine: TrafficMachine {
  static let id: DiagnosticID = "event-cut"

  private(set) var exercised = ExercisedCount()
  /// By exchange that is an event stream: the rest that is no whole event.
  private var rests: [Int: RuleWitness?] = [:]

  mutating func observe(_ line: ExchangeLine, _ end: RecordingEnd) -> [RuleFinding] {
    switch line.kind {
    case .stream(let head):
      if head.isEventStream { rests.updateValue(nil, forKey: line.exchange) }
    case .bytes(let bytes):
      guard line.from == .server, rests.keys.contains(line.exchange), isPartOfEvent(bytes) else {
        return []
      }
      noteRest(of: line, bytes.count)
    case .cutEvent(let text):
      guard rests.keys.contains(line.exchange), isPartOfEvent(Array(text.utf8)) else { return [] }
      noteRest(of: line, text.utf8.count)
    case .goodbye:
      guard let rest = rests.removeValue(forKey: line.exchange) else { return [] }
      exercised.add(.server)
      guard let rest else { return [] }
      return [
        RuleFinding(
          .server, "the stream ends in the middle of an event", rest,
          RuleWitness(line, "the end"))
      ]
    case .left, .drop, .reset, .unreachable: rests[line.exchange] = nil
    case .request, .response, .upgrade, .event, .comment, .retry, .id, .line, .message, .ping,
      .pong:
      break
    }
    return []
  }

  private mutating func noteRest(of line: ExchangeLine, _ count: Int) {
    rests.updateValue(RuleWitness(line, "\(count) bytes of an event"), forKey: line.exchange)
  }

  private func isPartOfEvent(_ bytes: [UInt8]) -> Bool {
    let text = String(decoding: bytes, as: UTF8.self)
    return text.split(whereSeparator: \.isNewline).contains { line in
      ["data", "event", "id", "retry"].contains { line == $0 || line.hasPrefix($0 + ":") }
    }
  }
}

extension Exchange.Response {
  /// The media type, in small letters and without its parameters.
  var mediaType: String { mediaTypeName(self["content-type"] ?? "", isOfList: true) }

  var isEventStream: Bool { mediaType == "text/event-stream" }
}
