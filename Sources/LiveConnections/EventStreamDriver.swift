import Protocols

/// The part of an event stream's client that acts: it performs what the machine decides, and calls
/// back with events and states. One thread uses it.
///
/// One object serves all connections in a row. Its output continues through a reconnect, and the id
/// of the last event is sent along with it.
package final class EventStreamDriver {
  /// The format of the answer's body.
  package enum Payload {
    /// Server-sent events, by the rules of the WHATWG.
    case events
    /// A text on each line.
    case lines
  }

  /// A callback for each event, in the order of the stream.
  package var onEvent: ((ServerSentEvent) -> Void)?
  /// A callback in place of `onEvent`, for all events that came at once. Its calls to the client
  /// come too late for these events.
  package var onEvents: (([ServerSentEvent]) -> Void)?
  /// A callback for each change of the state. Calls to the client in here take effect when it
  /// returns.
  package var onStateChange: ((EventStreamState) -> Void)?
  /// A callback for the end of the client; called once, when it is terminated.
  package var onFinish: (() -> Void)?

  /// The most bytes that are kept of the body of an answer that is not a stream. With none, such an
  /// answer ends the attempt at its head.
  package var rejectionBytes = 0
  /// The answer that ended the last attempt; nil if it ended otherwise.
  package private(set) var rejection: HTTPResponse?
  private let environment: ClientEnvironment
  private let makeRequest: () -> Result<HTTPRequest, EventStreamError>
  private let payload: Payload
  private let policy: RetryPolicy?
  private var machine: EventStreamMachine
  private let inputs = InputQueue<EventStreamMachine.Input>()
  private var attempt: StreamAttempt?
  private var eventDecoder = SSEDecoder()
  private var lineDecoder = NDJSONDecoder()
  /// The events that wait for `onEvents`.
  private var collected: [ServerSentEvent] = []
  private let pause: ConnectionTimer
  private let silence: ConnectionTimer

  /// Makes a client; the request is made again for each attempt.
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

  /// Releasing a client closes its connection.
  deinit { closeAttempt() }

  package var state: EventStreamState { machine.state }

  /// True if it lost the server, or could not reach it, and will try again; false if the retries
  /// are exhausted.
  package var isWaitingToRetry: Bool { machine.isWaitingToRetry }

  /// The id of the last event, which is sent at a reconnect.
  package var lastEventID: String { eventDecoder.lastEventID }

  /// Begins to connect; the state reports the result. If the client is connected, connecting or
  /// terminated, nothing happens and the reason is thrown.
  package func connect() throws(ConnectionRefusal) {
    if let refusal = machine.refusal { throw refusal }
    take(.connectRequested)
  }

  /// Ends a connection, an attempt, or the pause before the next one; without any of these, nothing
  /// happens.
  package func disconnect() { take(.disconnectRequested) }

  /// Ends the client for good.
  package func terminate() { take(.terminateRequested) }

  /// The reason why the client would not connect now; nil if it would.
  package var refusal: ConnectionRefusal? { machine.refusal }

  /// Ends an attempt, a connection or a pause, because the loop that it runs on was stopped.
  package func stop() {
    isWaitingToRetry ? disconnect() : take(.stopped)
  }

  /// Releases everything without any callback.
  package func invalidate() {
    onEvent = nil
    onEvents = nil
    onStateChange = nil
    onFinish = nil
    closeAttempt()
  }

  private func take(_ input: EventStreamMachine.Input) {
    inputs.take(input) { for action in machine.on($0) { perform(action) } }
  }

  private func perform(_ action: EventStreamMachine.Action) {
    switch action {
    case .report(let state):
      onStateChange?(state)
    case .open(let generation): open(generation)
    case .close: closeAttempt()
    case .pause(let length, let generation):
      guard let policy else { return }
      pause.set(policy.length(of: length, unit: environment.unitInterval())) { [weak self] in
        self?.take(.pauseEnded(generation: generation))
      }
    case .watchSilence(let delay, let generation):
      silence.set(delay) { [weak self] in
        self?.take(.silenceLasted(generation: generation))
      }
    case .finish: onFinish?()
    }
  }

  private func closeAttempt() {
    pause.stop()
    silence.stop()
    attempt?.close()
    attempt = nil
    eventDecoder.finish()
    _ = lineDecoder.finish()
  }
}

// One attempt.
extension EventStreamDriver {
  private func open(_ generation: Int) {
    rejection = nil
    switch makeRequest() {
    case .failure(let error): take(.failed(generation: generation, error))
    case .success(let request):
      let attempt = StreamAttempt(
        environment, environment.address(complete(request)), rejectionBytes: rejectionBytes,
        accepting: { [weak self, payload] head in
          let problem = payload.problem(with: head)
          if problem != nil { self?.takeRetryAfter(of: head, generation) }
          return problem
        },
        onOutcome: { [weak self] in self?.receive($0, generation) })
      self.attempt = attempt
      attempt.begin()
    }
  }

  private func takeRetryAfter(of head: HTTPResponse, _ generation: Int) {
    guard let seconds = head.headers.retryAfter(now: environment.calendarTime()) else { return }
    take(.retryAfter(generation: generation, microseconds: seconds * 1_000_000))
  }

  /// The request's own fields take precedence, except for the last id, which the client knows
  /// better.
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
      for item in lineDecoder.finish() { handle(item, generation) }
      passCollected()
      take(.ended(generation: generation))
    case .failed(let error):
      rejection = attempt?.rejection
      take(.failed(generation: generation, error))
    }
  }

  /// Reads events. If the client disconnects between two of them, the later ones are not received.
  private func read(_ bytes: [UInt8], _ generation: Int) {
    let before = attempt
    switch payload {
    case .events where onEvents != nil: collect(eventDecoder.receive(bytes), generation)
    case .events:
      for item in eventDecoder.receive(bytes) where attempt === before { handle(item, generation) }
    case .lines:
      for item in lineDecoder.receive(bytes) where attempt === before { handle(item, generation) }
    }
    passCollected()
  }

  /// Collects events for `onEvents`, in an array that needs no room while it grows.
  private func collect(_ items: [SSEItem], _ generation: Int) {
    let before = attempt
    var events: [ServerSentEvent] = []
    events.reserveCapacity(items.count)
    for item in items where attempt === before {
      switch item {
      case .event(let event): events.append(ServerSentEvent(event))
      case .comment, .id: break
      case .retry, .problem:
        collected = events
        events = []
        handle(item, generation)
      }
    }
    collected = events
  }

  private func pass(_ event: ServerSentEvent) {
    if onEvents == nil { onEvent?(event) } else { collected.append(event) }
  }

  private func passCollected() {
    guard !collected.isEmpty else { return }
    let events = collected
    collected = []
    onEvents?(events)
  }

  private func handle(_ item: SSEItem, _ generation: Int) {
    switch item {
    case .event(let event): pass(ServerSentEvent(event))
    case .retry(let milliseconds):
      passCollected()
      take(.retryAdvised(microseconds: Int64(milliseconds) * 1_000))
    case .comment, .id: break
    case .problem:
      passCollected()
      take(.failed(generation: generation, .eventTooLarge))
    }
  }

  private func handle(_ item: NDJSONItem, _ generation: Int) {
    switch item {
    case .line(let text): pass(ServerSentEvent(data: text))
    case .problem:
      passCollected()
      take(.failed(generation: generation, .eventTooLarge))
    }
  }
}

extension EventStreamDriver.Payload {
  fileprivate var headers: [HTTPHeaderLine] {
    switch self {
    case .events:
      [
        HTTPHeaderLine("Accept", "text/event-stream"), HTTPHeaderLine("Cache-Control", "no-cache"),
        HTTPHeaderLine("Connection", "keep-alive"),
      ]
    case .lines: [HTTPHeaderLine("Accept", "application/x-ndjson")]
    }
  }

  /// Returns why an answer is not a stream of this kind.
  fileprivate func problem(with head: HTTPResponse) -> EventStreamError? {
    guard head.status == 200 else { return .status(head.status, reason: head.reason) }
    let type = head.headers["Content-Type"]
    let essence = type.map { mediaTypeName($0) }
    let isRight =
      switch self {
      case .events: essence == "text/event-stream"
      // Servers agree on no single type, but an HTML page is not data.
      case .lines: essence != "text/html"
      }
    guard isRight else { return .contentType(type) }
    return ContentCoding.unknownName(in: head.headers).map { .contentEncoding($0) }
  }
}
