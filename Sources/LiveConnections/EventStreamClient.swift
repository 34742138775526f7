import Protocols
import World

/// A client of a stream of events: it connects, reads, comes back where it lost the server, and
/// tells what it receives and how it stands.
///
/// One object serves all connections in a row: what it tells goes on through a reconnect, and the
/// id of the last event is sent along with it.
public final class EventStreamClient {
  /// How the body of the answer is read.
  package enum Payload {
    /// Server-sent events, by the rules of the WHATWG.
    case events
    /// A text on each line.
    case lines
  }

  /// Told of every event, in the order of the stream.
  public var onEvent: ((ServerSentEvent) -> Void)?
  /// Told of every change of the state. What the client is asked for in here is done when this
  /// returns.
  public var onStateChange: ((EventStreamState) -> Void)?
  /// Told once, when the client was ended for good.
  public var onFinish: (() -> Void)?

  let eventBroadcast = Broadcast<ServerSentEvent>()
  let stateBroadcast = Broadcast<EventStreamState>()
  private let environment: ClientEnvironment
  private let makeRequest: () -> Result<HTTPRequest, EventStreamError>
  private let payload: Payload
  private let policy: RetryPolicy?
  private var machine: EventStreamMachine
  private let inputs = InputQueue<EventStreamMachine.Input>()
  private var attempt: StreamAttempt?
  private var eventDecoder = SSEDecoder()
  private var lineDecoder = NDJSONDecoder()
  private let pause: ConnectionTimer
  private let silence: ConnectionTimer

  /// The request is made anew for each try.
  package init(
    environment: ClientEnvironment, payload: Payload = .events, retry: RetryPolicy? = nil,
    idle: Int64? = nil, request: @escaping () -> Result<HTTPRequest, EventStreamError>
  ) {
    self.environment = environment
    (pause, silence) = (ConnectionTimer(environment), ConnectionTimer(environment))
    self.payload = payload
    policy = retry
    makeRequest = request
    machine = EventStreamMachine(policy: retry, idle: idle)
  }

  /// Who lets go of a client lets go of its connection.
  deinit { leave() }

  public var state: EventStreamState { machine.state }

  /// True if it lost the server, or could not reach it, and is about to try again; false where it
  /// gave up.
  public var isWaitingToRetry: Bool { machine.isWaitingToRetry }

  /// The id of the last event, which is sent when the client comes back.
  public var lastEventID: String { eventDecoder.lastEventID }

  /// Begins to connect; whether that succeeds is told by the state. Nothing is done, and the reason
  /// thrown, where the client is connected, connecting, or ended for good.
  public func connect() throws(ConnectionRefusal) {
    if let refusal = machine.refusal { throw refusal }
    take(.connectRequested)
  }

  /// Ends a connection, a try, or the pause before the next one; where there is none of these,
  /// nothing happens.
  public func disconnect() { take(.disconnectRequested) }

  /// Ends everything for good.
  public func terminate() { take(.terminateRequested) }

  /// Lets go of everything without telling anybody.
  package func invalidate() {
    onEvent = nil
    onStateChange = nil
    onFinish = nil
    leave()
  }

  private func take(_ input: EventStreamMachine.Input) {
    inputs.take(input) { for action in machine.on($0) { perform(action) } }
  }

  private func perform(_ action: EventStreamMachine.Action) {
    switch action {
    case .tell(let state):
      onStateChange?(state)
      stateBroadcast.send(state)
    case .open(let generation): open(generation)
    case .leave: leave()
    case .pause(let delay, let generation):
      pause.set(policy?.jittered(delay, by: environment.unitInterval()) ?? delay) { [weak self] in
        self?.take(.pauseEnded(generation: generation))
      }
    case .watchSilence(let delay, let generation):
      silence.set(delay) { [weak self] in
        self?.take(.silenceLasted(generation: generation))
      }
    case .finish: finish()
    }
  }

  private func finish() {
    onFinish?()
    eventBroadcast.finish()
    stateBroadcast.finish()
  }

  private func tell(_ event: ServerSentEvent) {
    onEvent?(event)
    eventBroadcast.send(event)
  }

  private func leave() {
    pause.stop()
    silence.stop()
    attempt?.leave()
    attempt = nil
    eventDecoder.finish()
    _ = lineDecoder.finish()
  }
}

// One try.
extension EventStreamClient {
  private func open(_ generation: Int) {
    switch makeRequest() {
    case .failure(let error): take(.failed(generation: generation, error))
    case .success(let request):
      let attempt = StreamAttempt(
        environment, environment.address(complete(request)),
        accepting: { [payload] in payload.problem(with: $0) },
        onOutcome: { [weak self] in self?.receive($0, generation) })
      self.attempt = attempt
      attempt.begin()
    }
  }

  /// What the request says itself comes first, but the client knows the last id better.
  private func complete(_ request: HTTPRequest) -> HTTPRequest {
    var request = request
    for header in payload.headers where !request.headers.contains(header.name) {
      request.headers.add(header.name, header.value)
    }
    if !lastEventID.isEmpty { request.headers["Last-Event-ID"] = lastEventID }
    return request
  }

  private func receive(_ outcome: StreamAttempt.Outcome, _ generation: Int) {
    switch outcome {
    case .opened: take(.opened(generation: generation))
    case .received(let bytes):
      take(.received(generation: generation))
      read(bytes, generation)
    case .ended:
      for item in lineDecoder.finish() { tell(item, generation) }
      take(.ended(generation: generation))
    case .failed(let error): take(.failed(generation: generation, error))
    }
  }

  /// A client that leaves in the middle of some events has not received the others.
  private func read(_ bytes: [UInt8], _ generation: Int) {
    let before = attempt
    switch payload {
    case .events:
      for item in eventDecoder.receive(bytes) where attempt === before { tell(item, generation) }
    case .lines:
      for item in lineDecoder.receive(bytes) where attempt === before { tell(item, generation) }
    }
  }

  private func tell(_ item: SSEItem, _ generation: Int) {
    switch item {
    case .event(let event): tell(ServerSentEvent(event))
    case .retry(let milliseconds):
      take(.retryAdvised(microseconds: Int64(milliseconds) * 1_000))
    case .comment: break
    case .problem: take(.failed(generation: generation, .eventTooLarge))
    }
  }

  private func tell(_ item: NDJSONItem, _ generation: Int) {
    switch item {
    case .line(let text): tell(ServerSentEvent(data: text))
    case .problem: take(.failed(generation: generation, .eventTooLarge))
    }
  }
}

extension EventStreamClient.Payload {
  fileprivate var headers: [HTTPHeader] {
    switch self {
    case .events:
      [
        HTTPHeader("Accept", "text/event-stream"), HTTPHeader("Cache-Control", "no-cache"),
        HTTPHeader("Connection", "keep-alive"),
      ]
    case .lines: [HTTPHeader("Accept", "application/x-ndjson")]
    }
  }

  /// Why an answer is no stream of this kind.
  fileprivate func problem(with head: HTTPResponse) -> EventStreamError? {
    guard head.status == 200 else { return .status(head.status, reason: head.reason) }
    let type = head.headers["Content-Type"]
    let essence = type?.prefix { $0 != ";" }.lowercased().filter { $0 != " " && $0 != "\t" }
    let isRight =
      switch self {
      case .events: essence == "text/event-stream"
      // There is no type that all servers agree on, but a page is no data.
      case .lines: essence != "text/html"
      }
    return isRight ? nil : .contentType(type)
  }
}

/// An event as a client receives it.
public struct ServerSentEvent: Sendable, Equatable {
  /// The id it was sent with itself.
  public var id: String?
  /// The id that counts from it on: its own, or that of an event before.
  public var lastEventID: String
  /// `message` where the server names none.
  public var event: String
  public var data: String
  /// Milliseconds the server wants to be left alone for, where this event says so.
  public var retry: Int?

  public init(
    id: String? = nil, lastEventID: String = "", event: String = "message", data: String,
    retry: Int? = nil
  ) {
    self.id = id
    self.lastEventID = lastEventID
    self.event = event
    self.data = data
    self.retry = retry
  }

  init(_ event: SSEEvent) {
    self.init(
      id: event.id, lastEventID: event.lastEventID, event: event.event, data: event.data,
      retry: event.retry)
  }
}
