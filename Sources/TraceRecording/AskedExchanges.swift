import Traces
import Values

/// The requests that passed lately and their answers, by the numbers of their lines. What a
/// `request` step read refers to them, so that a trace has each message once.
struct AskedExchanges {
  fileprivate struct Asked {
    var source: String
    var connection: Int?
    var request: (number: Int, content: Value)
    var response: (number: Int, content: Value)?
  }

  private var asked: [Asked] = []
  /// A step reads its exchange soon after it passed. One that it does not find it has whole.
  private static let most = 64

  /// Notes a line of traffic with its number.
  mutating func note(_ line: TraceLine, number: Int) {
    guard let source = line.source else { return }
    if line.knownKind == .request {
      if asked.count >= AskedExchanges.most { asked.removeFirst() }
      asked.append(
        Asked(source: source, connection: line.connection, request: (number, line.content)))
    } else if line.knownKind == .response {
      let last = asked.lastIndex { $0.source == source && $0.connection == line.connection }
      if let last { asked[last].response = (number, line.content) }
    }
  }

  /// Returns what a step read with the numbers of the lines in place of the messages.
  mutating func referring(_ line: TraceLine) -> TraceLine {
    guard case .map(var read)? = line.value?.json, case .map(var exchange)? = read["exchange"],
      case .list(let hops)? = exchange["hops"]
    else { return line }
    var found: [Int] = []
    for hop in hops {
      guard let index = asked.firstIndex(where: { $0.isRead(as: hop) }) else { return line }
      found.append(index)
    }
    exchange["hops"] = .list(found.map { asked[$0].reference })
    read["exchange"] = .map(exchange)
    asked = asked.enumerated().filter { !found.contains($0.offset) }.map(\.element)
    var line = line
    line.value = TraceValue(json: .map(read))
    return line
  }
}

extension AskedExchanges.Asked {
  fileprivate func isRead(as hop: Value) -> Bool {
    hop["source"]?.plainText == source && hop["request"] == request.content
      && hop["response"] == response?.content
  }

  fileprivate var reference: Value {
    var map = ValueMap([("request", .int(request.number))])
    map["response"] = response.map { .int($0.number) }
    return .map(map)
  }
}

extension TraceLine {
  /// The message with the exact text of its body, as what a step read has it.
  fileprivate var content: Value {
    guard case .map(var map)? = value?.json else { return .null }
    map["text"] = text?.json
    return .map(map)
  }
}
