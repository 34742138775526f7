import Events
import ScenarioPlan
import Values

/// A fault that struck in a run, as data for programs.
package struct FaultStruck: Sendable, Equatable {
  package var time: Microseconds
  /// Its place in the log.
  package var event: EventID
  package var endpoint: String
  /// The number of the attempt to connect to the endpoint, from 1.
  package var connection: Int
  /// The word that sets it in a scenario.
  package var kind: String
  /// True if the fault struck on the way to the server; nil if no message was on its way.
  package var isToServer: Bool?
  /// The additional delay of a piece, in microseconds.
  package var delay: Microseconds?

  package init(
    time: Microseconds, event: EventID, endpoint: String, connection: Int, kind: String,
    isToServer: Bool? = nil, delay: Microseconds? = nil
  ) {
    self.time = time
    self.event = event
    self.endpoint = endpoint
    self.connection = connection
    self.kind = kind
    self.isToServer = isToServer
    self.delay = delay
  }

  init(_ fault: Fault, _ event: borrowing Event, in plan: ScenarioPlan) {
    let endpoint = plan.endpoints[ifPresent: fault.endpoint]?.name ?? "?"
    let (kind, delay) = fault.kind.wordAndDelay
    self.init(
      time: event.time, event: event.sequence, endpoint: endpoint, connection: fault.connection,
      kind: kind, isToServer: fault.isToServer, delay: delay)
  }
}

extension Fault.Kind {
  fileprivate var wordAndDelay: (String, Microseconds?) {
    switch self {
    case .refused: ("refuse", nil)
    case .dropped: ("drop", nil)
    case .reset: ("reset", nil)
    case .stalled: ("stall", nil)
    case .corrupted: ("corrupt", nil)
    case .duplicated: ("duplicate", nil)
    case .delayed(let length): ("delay", length)
    }
  }
}

/// The first of many, and how many more there were: a run may have more than a report can show.
package struct FirstOfMany<Element: Sendable>: Sendable {
  /// The most elements that are kept.
  package static var kept: Int { 1_000 }

  package private(set) var first: [Element] = []
  package private(set) var left = 0

  package init() {}

  package init(_ elements: some Sequence<Element>) {
    for element in elements { append(element) }
  }

  /// Counts elements that are not kept.
  package mutating func add(left count: Int) { left += max(0, count) }

  /// Adds an element, or counts it if there are enough.
  package mutating func append(_ element: Element) {
    if first.count < FirstOfMany.kept { first.append(element) } else { left += 1 }
  }
}
