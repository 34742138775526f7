import Diagnostics
import Events
import Values

/// One thing that passed between a client and a server, with the exchange that it belongs to.
///
/// Traces, HTTP Archives and runs have this form in common, so that a rule is written once.
package struct ExchangeLine: Sendable {
  /// The place of a line in its recording.
  package enum Place: Sendable, Equatable {
    /// An event of a trace or of a run, by its number.
    case event(Int, SourceRange?)
    /// An entry of an archive, from 1, or one of the parts that it received or sent, from 1.
    case entry(Int, part: Int?)
    /// A connection of a run that is not recorded, by its number at its endpoint.
    case connection(Int, of: String)
  }

  package var kind: Traffic.Kind
  /// The endpoint's name, or the origin of a URL.
  package var server: String
  /// The number of the exchange: a request, and all that follows from it on its connection.
  package var exchange: Int
  package var from: Traffic.Side
  package var time: Microseconds
  package var place: Place
  /// The event of the run that led to it, if that is known.
  package var cause: EventID?

  package init(
    _ kind: Traffic.Kind, server: String, exchange: Int, from: Traffic.Side, time: Microseconds,
    place: Place
  ) {
    self.kind = kind
    self.server = server
    self.exchange = exchange
    self.from = from
    self.time = time
    self.place = place
  }
}

extension ExchangeLine.Place {
  /// The name of the place for people: `event 13`, `entry 3, part 5`.
  package var name: String {
    switch self {
    case .event(let number, _): "event \(number)"
    case .entry(let number, nil): "entry \(number)"
    case .entry(let number, let part?): "entry \(number), part \(part)"
    case .connection(let number, let server): "\(server), connection \(number)"
    }
  }

  var range: SourceRange? {
    switch self {
    case .event(_, let range): range
    case .entry, .connection: nil
    }
  }
}

/// The facts about the end of a recording, and about its clock.
package struct RecordingEnd: Sendable {
  /// True if nothing is missing at its end, so that what is still open stays open.
  package var isWhole: Bool
  /// The inaccuracy of its times.
  package var tolerance: Microseconds
  /// True if what is found is compared with a run without a disturbance.
  package var isCompared: Bool

  package init(isWhole: Bool, tolerance: Microseconds, isCompared: Bool = false) {
    self.isWhole = isWhole
    self.tolerance = tolerance
    self.isCompared = isCompared
  }
}

/// The numbers of exchanges, given to lines in their order.
package struct ExchangeNumbers: Sendable {
  private struct Connection: Hashable {
    var server: String
    var number: Int
  }

  private struct Current {
    var exchange: Int
    /// The number of the request's line.
    var line: Int
  }

  private var count = 0
  /// By connection: its last exchange.
  private var current: [Connection: Current] = [:]
  /// By the number of a request's line, for connections that carry several at once.
  private var requests: [Int: Int] = [:]
  /// The connections whose last exchanges were answered. What follows may still be about them.
  private var answered = LastElements<(connection: Connection, exchange: Int)>()

  package init() {}

  /// Returns the exchange of a line.
  ///
  /// - Parameters:
  ///   - line: The number of the line.
  ///   - cause: The number of the line that it follows from, if that is known.
  package mutating func number(
    of kind: Traffic.Kind, server: String, connection: Int, line: Int, cause: Int?
  ) -> Int {
    let connection = Connection(server: server, number: connection)
    if case .request = kind {
      count += 1
      (current[connection], requests[line]) = (Current(exchange: count, line: line), count)
      return count
    }
    // A request has one answer. What else its line led to belongs to a later one.
    let caused = kind.isHead ? cause.flatMap { requests.removeValue(forKey: $0) } : nil
    let last = current[connection]
    if case .response = kind, let last, caused == nil || caused == last.exchange {
      requests[last.line] = nil
      if let oldest = answered.append((connection, last.exchange)),
        current[oldest.connection]?.exchange == oldest.exchange
      {
        current[oldest.connection] = nil
      }
    }
    return caused ?? last?.exchange ?? 0
  }
}

/// The elements that came last. A recording may have any number of them, and rules look back no
/// further.
struct LastElements<Element: Sendable>: Sendable {
  private var elements: [Element] = []
  private var oldest = 0
  private static var most: Int { 1_024 }

  /// Adds an element, and returns the one that is forgotten for it.
  mutating func append(_ element: Element) -> Element? {
    guard elements.count == Self.most else {
      elements.append(element)
      return nil
    }
    defer { (elements[oldest], oldest) = (element, (oldest + 1) % Self.most) }
    return elements[oldest]
  }
}

extension Traffic.Kind {
  /// True if it answers a request.
  var isHead: Bool {
    switch self {
    case .response, .stream, .upgrade: true
    case .request, .event, .comment, .retry, .id, .cutEvent, .line, .message, .ping, .pong, .bytes,
      .goodbye,
      .left, .drop,
      .reset, .unreachable:
      false
    }
  }

  /// How an exchange ends by it; nil if it goes on.
  var ending: ExchangeEnding? {
    switch self {
    case .response, .goodbye: .inOrder
    case .left: .cancelled
    case .drop, .reset, .unreachable: .broken
    case .request, .stream, .upgrade, .event, .comment, .retry, .id, .cutEvent, .line, .message,
      .ping,
      .pong,
      .bytes:
      nil
    }
  }
}

/// The ways in which an exchange ends.
enum ExchangeEnding: Sendable {
  /// The server has sent all.
  case inOrder
  /// The client ended it.
  case cancelled
  /// The connection broke.
  case broken
}
