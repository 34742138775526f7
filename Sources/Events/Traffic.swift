import ScenarioPlan
import Values

/// Something that passed between a client and an endpoint, as the running side sent or received it.
///
/// It is no event of the log: a run that is recorded has the same log as one that is not.
package struct Traffic: Sendable {
  package enum Side: Sendable, Equatable {
    case client, server
  }

  package enum Kind: Sendable {
    case request(Exchange.Request)
    case response(Exchange.Response)
    /// The head that opened a stream.
    case stream(Exchange.Response)
    /// The head that opened a WebSocket.
    case upgrade(Exchange.Response)
    case event(StreamEvent)
    case comment(String)
    /// The reconnection time of a stream, in milliseconds, that came without an event.
    case retry(Int)
    /// An id of a stream that came without an event.
    case id(String)
    /// The beginning of an event that its server did not finish before it ended the stream.
    case cutEvent(String)
    case line(String)
    /// Text or bytes.
    case message(Value)
    case ping([UInt8])
    case pong([UInt8])
    /// The bytes of a request, an answer or a frame that broke the rules or was cut.
    case bytes([UInt8])
    /// The orderly end of a stream; with a code, of a WebSocket.
    case goodbye(code: Int?, reason: String)
    case left(code: Int?, reason: String)
    case drop
    case reset
    case unreachable(reason: String, problem: String?)
  }

  /// An event of a stream, as it was sent.
  package struct StreamEvent: Sendable {
    package var name: String?
    package var id: String?
    package var data: String
    /// In milliseconds.
    package var retry: Int?

    package init(name: String?, id: String?, data: String, retry: Int?) {
      self.name = name
      self.id = id
      self.data = data
      self.retry = retry
    }
  }

  package var endpoint: EndpointID
  /// The connection's number at the endpoint, from 1.
  package var connection: Int
  package var from: Side
  package var time: Microseconds
  package var cause: EventID?
  package var kind: Kind
  /// True if a client of the scenario sent it to an endpoint that is served.
  package var isOwn = false

  package init(
    _ kind: Kind, endpoint: EndpointID, connection: Int, from: Side, time: Microseconds,
    cause: EventID?
  ) {
    self.kind = kind
    self.endpoint = endpoint
    self.connection = connection
    self.from = from
    self.time = time
    self.cause = cause
  }
}

/// Something between the scenario and its programs that is no event of the log, and that a replay
/// needs.
package struct ProgramTraffic: Sendable {
  package enum Kind: Sendable {
    /// The first step may begin, as far as this program is concerned.
    case ready(ProgramID)
    /// The scenario wrote a line to the program's standard input.
    case wrote(String, to: ProgramID)
    /// A step sent a signal, by its name without `SIG`.
    case signalled(String, ProgramID)
    /// The run found a free port for the program.
    case port(Int, of: ProgramID)
    /// The run made a temporary folder for the program.
    case folder(String, of: ProgramID)
    /// Programs reach the mock of an endpoint here.
    case listening(EndpointID, url: String, webSocket: String)
  }

  package var kind: Kind
  package var time: Microseconds
  package var cause: EventID?

  package init(_ kind: Kind, time: Microseconds, cause: EventID?) {
    self.kind = kind
    self.time = time
    self.cause = cause
  }
}

/// An observer of what a run does besides its log. A run without one does not collect any of it.
package protocol RunObserver: AnyObject {
  func observe(_ traffic: Traffic)
  func observe(_ traffic: ProgramTraffic)
  /// Receives the conditions that a `network` step set; nil stands for all endpoints.
  func observe(
    conditions: ValueMap, of endpoint: EndpointID?, at time: Microseconds, cause: EventID?)
  /// Receives what `now()` gave, in real time only.
  func observe(now: Timestamp, at time: Microseconds, cause: EventID?)
  /// Called at the end of a change, after its last event.
  func changeSettled()
  /// Returns whether to show what passes between an endpoint and its clients.
  ///
  /// - Parameters:
  ///   - endpoint: The endpoint.
  ///   - isRequests: True for a connection on which Rehearsal itself sends requests that it makes
  ///     of values, one after the other.
  func wantsTraffic(of endpoint: EndpointID, ofRequests isRequests: Bool) -> Bool
}

extension RunObserver {
  package func wantsTraffic(of endpoint: EndpointID, ofRequests isRequests: Bool) -> Bool { true }
}
