import Traces
import Values

/// The inputs of clients that endpoints did not emit at that time: they came later, got lost, or
/// was still on its way when the run ended.
///
/// What the scenario's `network` steps set decides. An endpoint that is real emits what is sent to
/// it at once.
struct UndeliveredLines {
  /// A condition of the network, for all endpoints or for some.
  private struct Condition {
    private var general = false
    private var own: [String: Bool] = [:]

    mutating func set(_ isHarmful: Bool, for endpoint: String?) {
      if let endpoint {
        own[endpoint] = isHarmful
      } else {
        (general, own) = (isHarmful, [:])
      }
    }

    func harms(_ endpoint: String) -> Bool { own[endpoint] ?? general }
  }

  private(set) var numbers: Set<Int> = []
  private var losses = Condition()
  private var outages = Condition()
  private var latencies = Condition()
  /// By connection: the last request that would not arrive if the connection broke.
  private var endangered: [ConnectionKey: Int] = [:]

  init(_ lines: JudgedLines, worlds: ValueMap) {
    for entry in lines { take(entry, worlds) }
  }

  private mutating func take(_ entry: TraceReader.Entry, _ worlds: ValueMap) {
    let line = entry.line
    if line.knownKind == .network { return note(line) }
    guard let key = ConnectionKey(line), worlds[key.source] != "real" else { return }
    if line.from == .client {
      if latencies.harms(key.source) { numbers.insert(entry.number) }
      guard line.knownKind == .request else { return }
      let isEndangered = losses.harms(key.source) || outages.harms(key.source)
      endangered[key] = isEndangered ? entry.number : nil
    } else if let request = endangered[key], line.breaksConnection(before: request) {
      numbers.insert(request)
    }
  }

  private mutating func note(_ line: TraceLine) {
    let change = NetworkChange(line)
    if let loses = change.loses { losses.set(loses, for: line.source) }
    if let isLate = change.isLate { latencies.set(isLate, for: line.source) }
    if let isOut = change.isOut { outages.set(isOut, for: line.source) }
  }
}

extension TraceLine {
  /// True if a connection broke and the request had not caused it: it had not arrived.
  fileprivate func breaksConnection(before request: Int) -> Bool {
    switch knownKind {
    case .unreachable: true
    case .reset: cause.map { $0 < request } ?? false
    case .emitted, .finished, .subscribed, .unsubscribed, .request, .response, .stream, .upgrade,
      .event, .line, .message, .ping, .pong, .bytes, .goodbye, .drop, .left, .stdin, .signal,
      .ready,
      .exit, .now, .step, .branch, .phase, .assertion, .read, .idle, .network, .fault, .log,
      .ignored, .problem, .failure, .listening, .pending, .verdict, nil:
      false
    }
  }
}

/// The settings in a `network` line of a trace. A setting that is nil stays unchanged.
struct NetworkChange {
  /// True if requests get lost.
  var loses: Bool?
  /// True if there is no network.
  var isOut: Bool?
  /// True if what is sent comes later.
  var isLate: Bool?

  init(_ line: TraceLine) {
    let set = line.value?.json
    let isSet = { (value: Value) in value != .int(0) && value != .double(0) }
    loses = set?["loss"].map(isSet)
    isOut = set?["online"].map { $0 == .bool(false) }
    isLate = set?["latency"].map(isSet)
  }
}
