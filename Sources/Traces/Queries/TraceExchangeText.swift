import Diagnostics
import Values

/// Visits a line for each exchange of a run until the visitor returns false.
package func visitRequests(of run: TraceRun, _ visit: (() -> String) -> Bool) {
  var isEmpty = true
  for exchange in run.exchanges {
    isEmpty = false
    if !visit({ exchange.text }) { return }
  }
  if isEmpty { _ = visit { "no requests" } }
}

/// Returns the exchanges of a run for programs.
package func requestsJSON(of run: TraceRun) -> LongJSON {
  .list(run.exchanges.lazy.map { .value($0.json) })
}

extension TraceExchange {
  /// The line for people: `7  12ms  api  GET /tasks  200  in 3ms  0 B sent, 120 B received`.
  fileprivate var text: String {
    let parts = [
      String(request.number), durationText(request.time), visibleText(source ?? "elsewhere"),
      request.line.valueText, outcome, "\(sentBytes) B sent, \(receivedBytes) B received",
    ]
    return parts.joined(separator: "  ")
  }

  private var outcome: String {
    let status = status.map { "\($0)  " } ?? ""
    switch answer {
    case .none: return "no answer  \(ending)"
    case .response: return status + "in \(durationText(duration ?? 0))"
    case .stream: return status + "stream: \(counted(received, "event"))  \(ending)"
    case .webSocket:
      return status + "WebSocket: \(sent) sent, \(counted(received, "message")) received  \(ending)"
    }
  }

  private var ending: String {
    guard let end, let duration else { return "still open at the end" }
    return "\(end.line.kind.name) after \(durationText(duration))"
  }

  private func counted(_ number: Int, _ noun: String) -> String {
    "\(number) \(noun)\(number == 1 ? "" : "s")"
  }

  package var status: Int? {
    if case .int(let number)? = response?.line.value?.json["status"] { number } else { nil }
  }

  fileprivate var json: Value {
    var map = ValueMap([("n", .int(request.number)), ("us", .int(Int(request.time)))])
    map["source"] = source.map { .string($0) }
    for name in ["method", "path", "query"] { map[.string(name)] = request.line.value?.json[name] }
    map["status"] = status.map { .int($0) }
    map["answer"] = .string(answer.name)
    map["end"] = end.map { .string($0.line.kind.name) } ?? .null
    map["duration"] = duration.map { .int(Int($0)) } ?? .null
    map["sentBytes"] = .int(sentBytes)
    map["receivedBytes"] = .int(receivedBytes)
    if answer == .stream || answer == .webSocket {
      map["sent"] = .int(sent)
      map["received"] = .int(received)
    }
    return .map(map)
  }
}

extension TraceExchange.Answer {
  fileprivate var name: String {
    switch self {
    case .none: "none"
    case .response: "response"
    case .stream: "stream"
    case .webSocket: "webSocket"
    }
  }
}
