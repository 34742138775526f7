import Values

/// A request of a trace, with its answer or the stream that it opened.
package struct TraceExchange: Sendable {
  package enum Answer: Sendable, Equatable {
    case none, response, stream, webSocket
  }

  package let request: TraceReader.Entry
  /// The head of the answer.
  package let response: TraceReader.Entry?
  /// The line that ended the exchange; of an answer, itself.
  package let end: TraceReader.Entry?
  private let course: ExchangeCourse

  fileprivate init(_ course: ExchangeCourse, in run: TraceRun) {
    self.course = course
    request = run.entries[course.request]
    response = course.response.map { run.entries[$0] }
    end = course.end.map { run.entries[$0] }
  }

  package var answer: Answer { course.answer }
  /// The events, lines and messages by who sent them.
  package var sent: Int { course.sent }
  package var received: Int { course.received }
  /// The bytes of the bodies, events, lines and messages.
  package var sentBytes: Int { course.sentBytes }
  package var receivedBytes: Int { course.receivedBytes }
  /// The indices of the later lines among the entries of the run.
  package var lines: [Int] { course.lines }

  var source: String? { request.line.source }

  /// The time from the request to its end; nil if the trace does not have the end.
  package var duration: Microseconds? { end.map { $0.time - request.time } }
}

extension TraceRun {
  /// The exchanges, in the order of their requests. Their lines are read as they are asked for.
  package var exchanges: TraceExchanges { TraceExchanges(self) }
}

/// The exchanges of a run, found line by line.
package struct TraceExchanges: Sequence, IteratorProtocol {
  private let run: TraceRun
  private var place = 0
  private var follower = ExchangeFollower()

  fileprivate init(_ run: TraceRun) { self.run = run }

  package mutating func next() -> TraceExchange? {
    while true {
      let isEnd = place == run.entries.endIndex
      if let course = follower.takeFirst(isEnd: isEnd) { return TraceExchange(course, in: run) }
      if isEnd { return nil }
      _ = follower.belongs(run.entries[place], at: place)
      place += 1
    }
  }
}

/// An exchange while its lines come: their places, and nothing that they hold. A stream may stay
/// open while a million requests come and go.
private struct ExchangeCourse: Sendable {
  let request: Int
  let number: Int
  var response: Int?
  var end: Int?
  var answer = TraceExchange.Answer.none
  var sent = 0
  var received = 0
  var sentBytes: Int
  var receivedBytes = 0
  var lines: [Int] = []
}

/// Finds the exchange that each line of a run belongs to. Of an exchange that is over, nothing is
/// kept once it was taken.
struct ExchangeFollower {
  /// The exchanges from the first that was not taken.
  private var courses: [ExchangeCourse?] = []
  /// The number of the first of `courses`, and how many of them were taken.
  private var first = 0
  private var taken = 0
  /// By connection: the number of its exchange, until that is over.
  private var current: [ConnectionKey: Int] = [:]
  /// By the number of the request: its exchange, until that is over.
  private var requests: [Int: Int] = [:]

  /// Takes the next line; returns whether it belongs to an exchange that began before it.
  mutating func belongs(_ entry: TraceReader.Entry, at place: Int) -> Bool {
    let connection = ConnectionKey(entry.line) ?? ConnectionKey("", entry.line.connection ?? 0)
    if entry.line.knownKind == .request {
      current[connection] = first + courses.count
      requests[entry.number] = first + courses.count
      courses.append(
        ExchangeCourse(request: place, number: entry.number, sentBytes: entry.line.bodyBytes))
      return false
    }
    guard entry.line.from != nil else { return false }
    let caused = entry.line.isHead ? entry.line.cause.flatMap { requests[$0] } : nil
    guard let number = caused ?? current[connection] else { return false }
    courses[number - first]?.add(entry.line, at: place)
    if let course = courses[number - first], course.end != nil {
      if current[connection] == number { current[connection] = nil }
      requests[course.number] = nil
    }
    return true
  }

  /// Takes the first exchange if it is over; at the end of the run each one is.
  fileprivate mutating func takeFirst(isEnd: Bool) -> ExchangeCourse? {
    guard taken < courses.count, let course = courses[taken], isEnd || course.end != nil else {
      return nil
    }
    courses[taken] = nil
    taken += 1
    if taken > courses.count / 2 {
      courses.removeFirst(taken)
      (first, taken) = (first + taken, 0)
    }
    return course
  }

  mutating func passOver() { while takeFirst(isEnd: false) != nil {} }
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

extension ExchangeCourse {
  mutating func add(_ line: TraceLine, at place: Int) {
    lines.append(place)
    switch line.knownKind {
    case .response?:
      (answer, response, end) = (.response, place, place)
      receivedBytes = line.bodyBytes
    case .stream?: (answer, response) = (.stream, place)
    case .upgrade?: (answer, response) = (.webSocket, place)
    case .event?, .line?, .message?, .bytes?: count(line)
    case .goodbye?, .drop?, .reset?, .left?, .unreachable?: end = place
    case nil, .emitted?, .finished?, .subscribed?, .unsubscribed?, .request?, .ping?, .pong?,
      .stdin?, .signal?, .ready?, .exit?, .now?, .step?, .branch?, .phase?, .assertion?, .read?,
      .idle?, .network?, .fault?, .log?, .ignored?, .problem?, .failure?, .listening?, .pending?,
      .verdict?:
      break
    }
  }

  private mutating func count(_ line: TraceLine) {
    let isComment = line.value?.json["comment"] != nil && line.knownKind == .event
    guard !isComment else { return }
    if line.from == .client {
      sent += 1
      sentBytes += line.bodyBytes
    } else {
      received += 1
      receivedBytes += line.bodyBytes
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
