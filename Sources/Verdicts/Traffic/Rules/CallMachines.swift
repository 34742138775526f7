import Diagnostics
import Events
import Values

/// Finds JSON-RPC answers that have a result and an error.
struct CallResultMachine: TrafficMachine {
  static let id: DiagnosticID = "result-and-error"

  private(set) var exercised = ExercisedCount()

  mutating func observe(_ line: ExchangeLine, _ end: RecordingEnd) -> [RuleFinding] {
    line.objects(with: ["\"jsonrpc\""]).compactMap { object in
      guard object.text("jsonrpc") != nil, object.text("method") == nil else { return nil }
      let (result, error) = (object["result"] ?? .null, object["error"] ?? .null)
      guard result != .null || error != .null else { return nil }
      exercised.add(line.from)
      guard result != .null, error != .null else { return nil }
      return RuleFinding(
        line.from, "the answer has a result and an error",
        RuleWitness(line, "id \(quoted(object.idText("id") ?? "null"))"))
    }
  }
}

/// Finds clients of GraphQL over a WebSocket that subscribe before the server has acknowledged.
struct AcknowledgementMachine: TrafficMachine {
  static let id: DiagnosticID = "subscribed-before-acknowledgement"

  private(set) var exercised = ExercisedCount()
  /// The WebSockets that have begun, and are not acknowledged yet.
  private var waiting: [Int: RuleWitness] = [:]

  mutating func observe(_ line: ExchangeLine, _ end: RecordingEnd) -> [RuleFinding] {
    for object in line.objects(with: ["connection_", "subscribe", "\"start\""]) {
      switch object.text("type") {
      case "connection_init":
        exercised.add(.client)
        waiting[line.exchange] = RuleWitness(line, "connection_init")
      case "connection_ack": waiting[line.exchange] = nil
      case "subscribe", "start":
        guard line.from == .client, let begin = waiting[line.exchange] else { continue }
        return [
          RuleFinding(
            .client, "the client subscribes before the server has sent `connection_ack`", begin,
            RuleWitness(line, "the subscription"))
        ]
      default: break
      }
    }
    return []
  }
}
