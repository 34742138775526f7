import Events
import ScenarioPlan
import Traces
import Values

/// The translation of a run into the lines of its trace: events and traffic in, lines out.
package struct TraceTranslator {
  private let header: TraceHeader
  private let events: EventLines
  /// By endpoint: how its traffic is written. Of the headers of real ones, only a few are.
  private let traffic: PerID<EndpointPlan, TrafficLines>
  private var count = 0
  /// By event of the log: the number of its line.
  private(set) var numbers = EventNumbers()
  /// By endpoint: how much the running side has sent.
  private var sent: [String: Int] = [:]
  /// The requests and messages of clients that no endpoint has emitted yet. Some never arrive.
  private var arrivals: [Arrival] = []
  private static let mostArrivals = 1 << 10
  /// The exchanges that reads of `request` steps refer to.
  private var asked = AskedExchanges()
  /// A line that waits until it is known whether its change is complete.
  private var waiting: TraceLine?
  private let waitsForSettling: Bool
  /// True if lines have the numbers that failures give their events, as a member `event`.
  package var namesEvents = false

  init(_ events: EventLines, _ header: TraceHeader, settles: Bool = true) {
    self.header = header
    self.events = events
    traffic = events.plan.endpoints.mapValues {
      events.traffic(isReal: header.worlds[$0.name] == "real")
    }
    waitsForSettling = settles && events.plan.hasFollowers
  }

  /// Translates an event: usually into one line.
  package mutating func translate(_ event: Event, _ write: (TraceLine) -> Void) {
    let arrival = arrivals.isEmpty ? nil : arrival(of: event)
    if let arrival, arrival.time == event.time {
      numbers.set(event.sequence, arrival.number)
      if namesEvents { noteName(of: event, onLine: arrival.number, write) }
      return
    }
    guard var line = events.line(for: event) else { return }
    if case .assertion(.exchanged) = event.kind { line = asked.referring(line) }
    line.cause = arrival?.number ?? event.cause.flatMap { numbers[$0] }
    if let program = header.program(of: line.source) { line.seen = sent[program] ?? 0 }
    finish(
      consume line, at: event.time, waits: isEmission(event), event: event.sequence, write)
  }

  /// Translates what passed on a connection.
  package mutating func translate(_ traffic: Traffic, _ write: (TraceLine) -> Void) {
    let source = events.plan.endpoints[traffic.endpoint].name
    let line = line(for: traffic, source)
    if traffic.kind.isLoss { arrivals.removeAll { $0.isOn(source, traffic.connection) } }
    let content = traffic.from == .client ? content(of: line) : nil
    finish(line, at: traffic.time, waits: content != nil && waitsForSettling, write)
    asked.note(line, number: count)
    if let content { noteArrival(of: content, traffic, source) }
  }

  private mutating func line(for traffic: Traffic, _ source: String) -> TraceLine {
    var line = self.traffic[traffic.endpoint].line(for: traffic.kind)
    line.source = source
    line.cause = traffic.cause.flatMap { numbers[$0] }
    line.connection = traffic.connection
    line.from = traffic.from == .client ? .client : .server
    line.isOwn = traffic.isOwn
    if line.isInput(in: header) {
      line.seen = sent[source] ?? 0
    } else if line.knownKind?.isCounted == true, !traffic.kind.isComment, !line.isOwn {
      sent[source, default: 0] += 1
    }
    return line
  }

  /// Translates what passed between the scenario and its programs.
  package mutating func translate(_ traffic: ProgramTraffic, _ write: (TraceLine) -> Void) {
    var line = events.line(for: traffic.kind)
    line.cause = traffic.cause.flatMap { numbers[$0] }
    if line.isInput(in: header) {
      line.seen = line.source.flatMap { sent[$0] } ?? 0
    } else if line.knownKind?.isCounted == true, let source = line.source {
      sent[source, default: 0] += 1
    }
    finish(consume line, at: traffic.time, write)
  }

  /// Gives a line that is no event of the log its number, time and cause.
  package mutating func translate(
    _ line: TraceLine, at time: Microseconds, cause: EventID? = nil, _ write: (TraceLine) -> Void
  ) {
    var line = line
    line.cause = cause.flatMap { numbers[$0] }
    finish(consume line, at: time, write)
  }

  /// Writes the line that waits: the change is complete, or the run is.
  package mutating func settle(_ isSettled: Bool = true, _ write: (TraceLine) -> Void) {
    guard var line = waiting.take() else { return }
    line.isSettled = isSettled
    write(line)
  }

  private mutating func finish(
    _ line: consuming TraceLine, at time: Microseconds, waits: Bool = false,
    event: EventID? = nil, _ write: (TraceLine) -> Void
  ) {
    count += 1
    line.number = count
    line.time = time
    line.run = header.run
    if let event {
      numbers.set(event, count)
      if namesEvents { line.others["event"] = .int(event.index) }
    }
    if waiting != nil { settle(false, write) }
    if waits { waiting = consume line } else { write(line) }
  }

  /// Writes a line for readers that says which event an earlier line is.
  private mutating func noteName(
    of event: Event, onLine number: Int, _ write: (TraceLine) -> Void
  ) {
    var line = TraceLine(.log)
    line.cause = number
    line.others["event"] = .int(event.sequence.index)
    finish(line, at: event.time, write)
  }

  private func isEmission(_ event: Event) -> Bool {
    guard waitsForSettling, case .source(let event) = event.kind else { return false }
    switch event {
    case .emitted, .finished: return true
    case .subscribed, .unsubscribed: return false
    }
  }
}

// What an endpoint emits at the instant in which a client sent it is the same line.
extension TraceTranslator {
  /// A request, a message or an end that a client sent.
  private struct Arrival {
    var number: Int
    var source: String
    var connection: Int
    var time: Microseconds
    var content: Content

    func isOn(_ source: String, _ connection: Int) -> Bool {
      self.source == source && self.connection == connection
    }
  }

  private enum Content: Equatable {
    case request(method: String, path: String)
    case message
    case end
  }

  private mutating func noteArrival(of content: Content, _ traffic: Traffic, _ source: String) {
    if arrivals.count >= TraceTranslator.mostArrivals { arrivals.removeFirst() }
    arrivals.append(
      Arrival(
        number: count, source: source, connection: traffic.connection, time: traffic.time,
        content: content))
  }

  /// Returns what a client sent with a line; nil if an endpoint does not emit it. The line has the
  /// path decoded already.
  private func content(of line: TraceLine) -> Content? {
    switch line.knownKind {
    case .request: line.value.map { content(of: $0) }
    case .message: .message
    case .left: .end
    case .emitted, .finished, .subscribed, .unsubscribed, .response, .stream, .upgrade, .event,
      .line, .ping, .pong, .bytes, .goodbye, .drop, .reset, .unreachable, .stdin, .signal, .ready,
      .exit, .now, .step, .branch, .phase, .assertion, .read, .idle, .network, .fault, .log,
      .ignored, .problem, .failure, .listening, .pending, .verdict, nil:
      nil
    }
  }

  /// Returns what an endpoint emits, as the client sent it: at this instant, or earlier.
  private mutating func arrival(of event: Event) -> (number: Int, time: Microseconds)? {
    guard case .source(.emitted(let source, let value)) = event.kind,
      case .endpoint = events.plan.sources[source].kind
    else { return nil }
    let content = content(of: value)
    let name = events.name(source)
    let isAlike = { (arrival: Arrival) in arrival.source == name && arrival.content == content }
    let found =
      arrivals.firstIndex { $0.time == event.time && isAlike($0) }
      ?? arrivals.firstIndex(where: isAlike)
    guard let found else { return nil }
    let arrival = arrivals.remove(at: found)
    return (arrival.number, arrival.time)
  }

  private func content(of request: TraceValue) -> Content {
    .request(
      method: request[plain: "method"]?.plainText ?? "",
      path: request[plain: "path"]?.plainText ?? "")
  }

  private func content(of value: Value) -> Content {
    if value["cancelled"] != nil { return .end }
    guard let method = value["method"], let path = value["path"] else { return .message }
    return .request(method: method.plainText, path: path.plainText)
  }
}

extension Traffic.Kind {
  /// True if what the client sent on the connection does not arrive any more.
  fileprivate var isLoss: Bool {
    switch self {
    case .unreachable, .reset: true
    case .request, .response, .stream, .upgrade, .event, .comment, .retry, .id, .cutEvent, .line,
      .message, .ping, .pong, .bytes, .goodbye, .left, .drop:
      false
    }
  }

  fileprivate var isComment: Bool { if case .comment = self { true } else { false } }
}
