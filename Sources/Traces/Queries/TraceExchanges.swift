import Values

/// A request of a trace, with its answer or the stream that it opened.
package struct TraceExchange: Sendable {
  package enum Answer: Sendable, Equatable {
    case none, response, stream, webSocket
  }

  package let request: TraceReader.Entry
  /// The head of the answer.
  package var response: TraceReader.Entry?
  package var answer = Answer.none
  /// The events, lines and messages by who sent them.
  package var sent = 0
  package var received = 0
  /// The bytes of the bodies, events, lines and messages.
  package var sentBytes: Int
  package var receivedBytes = 0
  /// The line that ended the exchange; of an answer, itself.
  package var end: TraceReader.Entry?
  /// The indices of the later lines among the entries of the run.
  package fileprivate(set) var lines: [Int] = []

  init(_ request: TraceReader.Entry) {
    self.request = request
    sentBytes = request.line.bodyBytes
  }

  var source: String? { request.line.source }

  /// The time from the request to its end; nil if the trace does not have the end.
  package var duration: Microseconds? { end.map { $0.time - request.time } }
}

extension TraceRun {
  /// The exchanges, in the order of their requests.
  package var exchanges: [TraceExchange] {
    var exchanges: [TraceExchange] = []
    /// By connection: the index of its last exchange.
    var current: [ConnectionKey: Int] = [:]
    var requests: [Int: Int] = [:]
    for (place, entry) in entries.enumerated() {
      let connection = ConnectionKey(entry.line) ?? ConnectionKey("", entry.line.connection ?? 0)
      if entry.line.knownKind == .request {
        current[connection] = exchanges.count
        requests[entry.number] = exchanges.count
        exchanges.append(TraceExchange(entry))
      } else if entry.line.from != nil {
        let caused = entry.line.isHead ? entry.line.cause.flatMap { requests[$0] } : nil
        if let index = caused ?? current[connection] {
          exchanges[index].lines.append(place)
          exchanges[index].add(entry)
        }
      }
    }
    return exchanges
  }
}

/// The connection that a line belongs to: its endpoint and its number.
package struct ConnectionKey: Hashable, Sendable {
  package var source: String
  package var number: Int

  package init(_ source: String, _ number: Int) { (self.source, self.number) = (source, number) }

  package init?(_ line: TraceLine) {
    guard let source = line.source else { return nil }
    self.init(source, line.connection ?? 0)
  }
}

extension TraceLine {
  fileprivate var isHead: Bool {
    knownKind == .response || knownKind == .stream || knownKind == .upgrade
  }
}

extension TraceExchange {
  fileprivate mutating func add(_ entry: TraceReader.Entry) {
    guard end == nil else { return }
    switch entry.line.knownKind {
    case .response?:
      begin(.response, entry)
      receivedBytes = entry.line.bodyBytes
      end = entry
    case .stream?: begin(.stream, entry)
    case .upgrade?: begin(.webSocket, entry)
    case .event?, .line?, .message?, .bytes?: count(entry)
    case .goodbye?, .drop?, .reset?, .left?, .unreachable?: end = entry
    case nil, .emitted?, .finished?, .subscribed?, .unsubscribed?, .request?, .ping?, .pong?,
      .stdin?,
      .signal?,
      .ready?, .exit?, .now?, .step?,
      .branch?, .phase?, .assertion?, .read?, .idle?, .network?, .fault?, .log?, .ignored?,
      .problem?, .failure?, .listening?, .pending?, .verdict?:
      break
    }
  }

  private mutating func begin(_ answer: Answer, _ entry: TraceReader.Entry) {
    self.answer = answer
    response = entry
  }

  private mutating func count(_ entry: TraceReader.Entry) {
    let isComment = entry.line.value?.json["comment"] != nil && entry.line.knownKind == .event
    guard !isComment else { return }
    if entry.line.from == .client {
      sent += 1
      sentBytes += entry.line.bodyBytes
    } else {
      received += 1
      receivedBytes += entry.line.bodyBytes
    }
  }
}

extension TraceLine {
  /// The bytes of a body, of an event's data, of a line or a message.
  var bodyBytes: Int {
    if let text { return bytes(of: text.json) }
    if knownKind == .request || knownKind == .response {
      return value?.json["body"].map(bytes) ?? 0
    }
    if knownKind == .event { return value?.json["data"].map(bytes) ?? 0 }
    return value.map { bytes(of: $0.json) } ?? 0
  }
}

/// The most bytes of one body that are counted.
private let mostBodyBytes = 1 << 40

private func bytes(of json: Value) -> Int {
  if case .string(let text) = json { return text.utf8.count }
  if case .map(let map) = json {
    if case .string(let text)? = map[TraceEncoding.bytes.rawValue], map.count == 1 {
      return Base64.decode(text)?.count ?? 0
    }
    if map[TraceEncoding.body.rawValue] != nil, case .int(let count)? = map["bytes"] {
      // Another program may write any number here, and the sum must not overflow.
      return min(max(0, count), mostBodyBytes)
    }
  }
  return json.json(sortedKeys: true).utf8.count
}
