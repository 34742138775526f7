import Diagnostics
import Events
import Values

/// Finds tool calls of language models that were opened in a stream and not closed.
///
/// It knows three forms of streams: content blocks with a start and a stop, the choices of chat
/// completions with their `finish_reason`, and output items that are added and done.
struct ToolCallMachine: TrafficMachine {
  static let id: DiagnosticID = "tool-call-left-open"

  private struct Key: Hashable {
    var exchange: Int
    var name: String
  }

  private(set) var exercised = ExercisedCount()
  private var open: [Key: RuleWitness] = [:]
  private var order: [Key] = []

  mutating func observe(_ line: ExchangeLine, _ end: RecordingEnd) -> [RuleFinding] {
    if let ending = line.kind.ending {
      let left = close(line.exchange)
      if case .inOrder = ending { return findings(left, line, "the end of the stream") }
      return []
    }
    if case .event(let event) = line.kind, event.data == "[DONE]" {
      return findings(close(line.exchange), line, "`[DONE]`")
    }
    let words: [StaticString] = [
      "\"content_block", "\"message_stop\"", "\"choices\"", "\"response.",
    ]
    guard case .server = line.from, line.kind.isPartOfStream else { return [] }
    return line.objects(with: words).flatMap { take($0, line) }
  }

  private mutating func take(_ object: Value, _ line: ExchangeLine) -> [RuleFinding] {
    if case .list(let choices)? = object["choices"] {
      for choice in choices { take(choice: choice, line) }
      return []
    }
    let block = "block \(object.idText("index") ?? "")"
    let item = "item \(object.idText("output_index") ?? object["item"]?.idText("id") ?? "")"
    switch object.text("type") {
    case "content_block_start":
      guard let content = object["content_block"], content.isToolCall else { break }
      begin(block, content.text("name"), line)
    case "content_block_stop": end(block, line)
    case "response.output_item.added":
      guard let content = object["item"], content.isToolCall else { break }
      begin(item, content.text("name"), line)
    case "response.output_item.done": end(item, line)
    case "message_stop", "response.completed", "response.done":
      return findings(close(line.exchange), line, "the end of the answer")
    case "response.failed", "response.incomplete": _ = close(line.exchange)
    default: break
    }
    return []
  }

  private mutating func take(choice: Value, _ line: ExchangeLine) {
    let name = "choice \(choice.idText("index") ?? "0")"
    if case .list(let calls)? = choice["delta"]?["tool_calls"] {
      for call in calls {
        let key = "\(name) call \(call.idText("index") ?? "0")"
        begin(key, call["function"]?.text("name"), line)
      }
    }
    guard choice.idText("finish_reason") != nil else { return }
    for key in order where key.exchange == line.exchange && key.name.hasPrefix(name + " ") {
      end(key.name, line)
    }
  }

  /// Notes a call; what follows of one that is open adds to its arguments.
  private mutating func begin(_ name: String, _ tool: String?, _ line: ExchangeLine) {
    let key = Key(exchange: line.exchange, name: name)
    guard open[key] == nil else { return }
    exercised.add(.server)
    open[key] = RuleWitness(line, "opens a call of \(tool.map(quoted) ?? "a tool")")
    order.append(key)
  }

  private mutating func end(_ name: String, _ line: ExchangeLine) {
    let key = Key(exchange: line.exchange, name: name)
    if open.removeValue(forKey: key) != nil { order.removeAll { $0 == key } }
  }

  private mutating func close(_ exchange: Int) -> [RuleWitness] {
    let left = order.filter { $0.exchange == exchange }
    guard !left.isEmpty else { return [] }
    order.removeAll { $0.exchange == exchange }
    return left.compactMap { open.removeValue(forKey: $0) }
  }

  private func findings(
    _ left: [RuleWitness], _ line: ExchangeLine, _ what: String
  ) -> [RuleFinding] {
    left.map {
      RuleFinding(.server, "a tool call is opened and not closed", $0, RuleWitness(line, what))
    }
  }
}

extension Traffic.Kind {
  /// True for what comes one after the other; a body comes as a whole.
  fileprivate var isPartOfStream: Bool {
    switch self {
    case .event, .line, .message: true
    case .request, .response, .stream, .upgrade, .comment, .retry, .id, .cutEvent, .ping, .pong,
      .bytes,
      .goodbye, .left, .drop,
      .reset, .unreachable:
      false
    }
  }
}

extension Value {
  fileprivate var isToolCall: Bool {
    guard let type = text("type") else { return false }
    return type.hasSuffix("tool_use") || type.hasSuffix("_call")
  }
}
