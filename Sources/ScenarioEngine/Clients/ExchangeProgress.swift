import LiveConnections
import Protocols
import World

/// The progress of a request that has no complete answer.
struct ExchangeProgress {
  var stage: ConnectionStage
  var answer: AnswerProgress

  init(_ call: RequestCall) { (stage, answer) = (call.stage, call.progress) }

  /// The message for a connection that was lost.
  var lost: String {
    guard let place = answer.place else { return "the connection was lost before the answer came" }
    return "the connection was lost \(place)"
  }

  /// The message for an answer that did not come in time.
  func late(_ limit: String) -> String {
    let message = "no answer came within \(limit)"
    switch stage {
    case .connecting: return message + "; the connection was not made yet"
    case .askingProxy: return message + "; the proxy had not answered yet"
    case .securing: return message + "; the TLS handshake was not complete"
    case .open: return message + (answer.place.map { "; it stopped \($0)" } ?? "")
    }
  }
}

extension AnswerProgress {
  /// The place of the last byte, in words; nil if there was none.
  fileprivate var place: String? {
    switch self {
    case .nothing: nil
    case .head: "inside the head of the answer"
    case .body(let line, let bytes, let length?):
      "after \(bytes) of \(length) bytes of the body, status \(line.text)"
    case .body(let line, let bytes, of: nil):
      "after \(bytes) bytes of a body without a length, status \(line.text)"
    case .chunks(let line, let bytes, let isInside):
      "\(isInside ? "inside a chunk" : "between two chunks"), after \(bytes) bytes of the body, "
        + "status \(line.text)"
    }
  }
}

extension AnswerProgress.AnswerLine {
  fileprivate var text: String { reason.isEmpty ? "\(status)" : "\(status) \(reason)" }
}
