import Events
import Protocols
import Values
import World

/// The server's end of a connection whose answers come from a trace.
final class ReplayLink {
  unowned let server: ReplayServer
  private let transport: any Transport
  private var http = HTTPServerConnection()
  private var socket: WebSocketConnection?
  private var request: HTTPRequest?
  private var coding = OtherCoding()
  private var exchange: PlayedExchange?
  /// The times at which the client sent what was recorded, if times are relative.
  private var arrived = RisingTimes()
  private var previous: InputSchedule.Before?
  private var isScheduled = false
  /// When the next input is due, once that is known.
  private var due: Microseconds?
  private var number = 0
  private var isConversation = false
  private var hasSaidGoodbye = false
  private var hasLeft = false
  /// True if the request got lost on its way in the recording.
  private var isLost = false
  /// The bytes of inputs that arrived together.
  private var outgoing: [UInt8] = []

  /// - Parameter number: Its number at the endpoint; 0 if its first request gives it one.
  init(_ server: ReplayServer, _ transport: any Transport, number: Int = 0) {
    self.number = number
    self.server = server
    self.transport = transport
    transport.onEvent = { [unowned self] event in receive(event) }
  }

  /// True once a request arrived that the trace answers.
  var hasExchange: Bool { exchange != nil }

  private var director: ReplayDirector { server.director }
  private var run: RunParts { server.run }
  private var isRelative: Bool { director.trace.timing == .relative }

  /// The next recorded input; nil if there is none.
  var next: ReplayedTrace.Input? {
    exchange?.input
  }

  private func receive(_ event: TransportEvent) {
    switch event {
    case .connected, .writable: break
    case .received(let bytes):
      take(http.on(.bytesReceived(bytes)))
      flush()
    case .ended, .halfClosed:
      clientEnded()
      take(http.on(.closed))
      flush()
    case .failed:
      clientEnded()
      take(http.on(.reset))
      server.remove(self)
    }
  }

  private func take(_ actions: [HTTPServerConnection.Action]) {
    for action in actions {
      switch action {
      case .requestArrived(let request): arrive(request)
      case .send(let bytes): outgoing += bytes
      case .passOn(let bytes): receive(frames: bytes)
      case .cancelled: leave(with: nil)
      case .close: close()
      case .fail, .refuse: break
      }
    }
  }

  private func flush() {
    guard !outgoing.isEmpty else { return }
    let bytes = outgoing
    outgoing = []
    transport.send(bytes)
  }

  private func close() {
    flush()
    transport.close()
    server.remove(self)
  }
}

// What the client sends.
extension ReplayLink {
  private func arrive(_ request: HTTPRequest) {
    self.request = request
    coding = OtherCoding(of: request, on: server.plan.name, run.inputs.options.disturbances)
    isLost = false
    (arrived, previous, due) = (RisingTimes(), nil, nil)
    (isConversation, hasSaidGoodbye, hasLeft) = (false, false, false)
    switch server.choose(for: request, on: transport) {
    case .exchange(let recorded): exchange = recorded
    case .unanswered: exchange = nil
    case .unknown(let traced):
      exchange = nil
      return turnAway(request, traced)
    }
    if exchange?.isUnreachable == true {
      if isRelative { arrived.append(run.loop.now) }
    } else {
      if number == 0 { number = server.takeConnectionNumber() }
      let target = HTTPTarget(request.target)
      emit(requestValue(request, target: target, connection: number))
    }
    if exchange != nil { director.add(self) }
  }

  /// Answers a request that the trace does not hold.
  private func turnAway(_ request: HTTPRequest, _ traced: TracedRequest) {
    if number == 0 { number = server.takeConnectionNumber() }
    let value = requestValue(request, target: HTTPTarget(request.target), connection: number)
    server.emit(value, on: transport)
    take(http.on(.responded(HTTPResponse(status: 404))))
    server.fail(value, traced)
  }

  /// Emits something that the client sent, when the trace says that it arrived.
  private func emit(_ value: Value) {
    let arrival = exchange?.takeArrival()
    if isRelative { arrived.append(run.loop.now) }
    defer { if isRelative { schedule() } }
    switch arrival?.emission {
    case .atOnce?, nil: emit(value, arrival, recordedAt: arrival?.time ?? 0)
    case .never?: isLost = !isConversation
    case .later(let value, let time, let position)?:
      let due = due(time, after: arrival?.time ?? time)
      director.perform(at: due, position: position) { [self] in
        emit(value, arrival, recordedAt: time)
      }
    }
  }

  private func emit(
    _ value: Value, _ arrival: ReplayedTrace.Arrival?, recordedAt time: Microseconds
  ) {
    server.emit(value, on: transport)
    if let refusal = exchange?.refusal {
      server.refuse(value, refusal.closest, refusal.differences)
    }
    for effect in arrival?.effects ?? [] {
      director.perform(at: due(effect.time, after: time), position: effect.position) { [self] in
        server.perform(effect, on: transport)
      }
    }
  }

  /// Returns when something is due that was recorded at a time: as long after what it follows.
  private func due(_ time: Microseconds, after before: Microseconds) -> Microseconds {
    let due = InputSchedule.Before(recorded: before, now: run.loop.now).due(time)
    return isRelative ? due : max(time, due)
  }

  private func receive(frames bytes: [UInt8]) {
    guard let socket else { return }
    for action in socket.on(.bytesReceived(bytes)) { take(action, socket) }
  }

  private func take(_ action: WebSocketConnection.Action, _ socket: WebSocketConnection) {
    switch action {
    case .send(let bytes): outgoing += bytes
    case .deliver(.text(let text)): deliver(payloadValue(text))
    case .deliver(.binary(let bytes)): deliver(.bytes(bytes))
    case .closeArrived(let code, let reason):
      leave(with: ["connection": .int(number), "code": .int(code), "reason": .string(reason)])
    case .close: close()
    case .fail: leave(with: nil)
    case .pingArrived, .pongArrived, .refuse: break
    }
  }

  private func deliver(_ message: Value) {
    emit(["message": message, "connection": .int(number)])
  }

  private func clientEnded() {
    guard let socket, !hasLeft else { return }
    for action in socket.on(.closed) { take(action, socket) }
    leave(with: nil)
  }

  /// The client has gone: nothing is sent to it any more.
  private func leave(with farewell: Value?) {
    guard !hasLeft, let exchange else { return }
    hasLeft = true
    exchange.passAll()
    director.remove(self)
    if hasSaidGoodbye || isLost || exchange.endsUnnoticed { return }
    emit(["cancelled": farewell ?? ["connection": .int(number)]])
  }
}

// What the trace sends.
extension ReplayLink {
  /// Sets a timer for the next input, once it is known when it is due.
  func schedule() {
    guard !isScheduled, let input = next else { return }
    due = time(of: input)
    guard let due else { return }
    isScheduled = true
    let place = exchange?.passed
    director.perform(
      at: due, position: input.position, awaitsArrivals: input.awaitsArrivals
    ) { [self] in
      isScheduled = false
      guard place == exchange?.passed, next != nil else { return schedule() }
      deliver(input)
    }
  }

  /// Returns after how many requests and messages the answer of this exchange came, if it came
  /// before our side does anything else, and fewer were sent; nil otherwise.
  func missedAnswer(before time: Microseconds) -> Int? {
    guard previous == nil, !isScheduled, let input = next, input.time <= time,
      director.trace.timing == .recorded, self.time(of: input) == nil
    else { return nil }
    return input.seen
  }

  private func time(of input: ReplayedTrace.Input) -> Microseconds? {
    switch director.trace.timing {
    case .recorded: director.due(input, at: server.endpoint, after: previous)
    case .relative:
      InputSchedule.due(input, arrived: arrived, after: previous)
    }
  }

  /// Delivers an input, together with those that were recorded right after it.
  private func deliver(_ first: ReplayedTrace.Input) {
    (transport as? MemoryPipe.End)?.phase = director.phase
    defer { (transport as? MemoryPipe.End)?.phase = .source }
    var last = first
    while true {
      exchange?.passInput()
      perform(last.kind)
      guard let input = next, input.position == last.position + 1, input.time == last.time,
        !isRelative || input.answersTo.place < arrived.count
      else { break }
      last = input
    }
    flush()
    previous = InputSchedule.Before(recorded: last.time, now: run.loop.now)
    due = nil
    if next == nil { director.remove(self) } else { schedule() }
  }

  private func perform(_ kind: Traffic.Kind) {
    switch kind {
    case .response(let response):
      take(http.on(.responded(coding.changed(HTTPResponse(response).compressed))))
    case .stream(let head):
      isConversation = true
      take(http.on(.responseStarted(coding.begun(HTTPResponse(head)))))
    case .upgrade(let head): upgrade(HTTPResponse(head))
    case .event(let event): write(SSEMessage(event))
    case .comment(let text): write(SSEMessage(comment: text))
    case .retry(let milliseconds): write(SSEMessage(retry: milliseconds))
    case .id(let id): write(SSEMessage(id: id))
    case .cutEvent(let text): write(Array(text.utf8))
    case .line(let text): write(Array((text + "\n").utf8))
    case .message(.bytes(let bytes)): send(.messageSent(.binary(bytes)))
    case .message(let text): send(.messageSent(.text(text.plainText)))
    case .ping(let payload): send(.pingSent(payload))
    case .pong(let payload): send(.pongSent(payload))
    case .bytes(let bytes): send(raw: bytes)
    case .goodbye(let code, let reason): sayGoodbye(code, reason)
    case .drop:
      hasLeft = true
      close()
    case .reset:
      hasLeft = true
      flush()
      transport.abort()
      server.remove(self)
    case .unreachable(let reason, let problem):
      let failure = TransportFailure(name: reason, details: problem ?? "") ?? .refused
      if let end = transport as? MemoryPipe.End {
        end.refuseConnection(failure)
      } else {
        transport.abort()
      }
      server.remove(self)
    case .request, .left: break
    }
  }

  /// Sends bytes past all framing. What breaks the rules of HTTP ends the connection.
  private func send(raw bytes: [UInt8]) {
    outgoing += bytes
    guard socket == nil, next == nil else { return }
    hasLeft = true
    close()
  }

  private func write(_ message: SSEMessage) {
    if case .success(let bytes) = message.encoded() { write(bytes) }
  }

  private func write(_ bytes: [UInt8]) { take(http.on(.bodyWritten(coding.written(bytes)))) }

  private func send(_ input: WebSocketConnection.Input) {
    guard let socket else { return }
    for action in socket.on(input) { take(action, socket) }
  }

  /// Opens a WebSocket. The answer proves that this request was read, unless the recorded one did
  /// not prove it.
  private func upgrade(_ recorded: HTTPResponse) {
    let answer = fittingAnswer(recorded)
    isConversation = true
    let socket = WebSocketConnection(role: .server)
    socket.answersPings = false
    self.socket = socket
    take(http.on(.responded(answer)))
  }

  private func fittingAnswer(_ recorded: HTTPResponse) -> HTTPResponse {
    var answer = recorded
    guard let request, let recordedRequest = exchange?.request,
      case .success(let offer) = WebSocketOffer.check(request)
    else { return answer }
    let asked = HTTPRequest(recordedRequest)
    // Of real endpoints, a trace has neither the key nor its answer.
    if !asked.headers.contains("Sec-WebSocket-Key") {
      answer.headers["Sec-WebSocket-Accept"] = offer.accepted().headers["Sec-WebSocket-Accept"]
    }
    guard case .success(let recordedOffer) = WebSocketOffer.check(asked),
      recordedOffer.accepted().headers["Sec-WebSocket-Accept"]
        == recorded.headers["Sec-WebSocket-Accept"]
    else { return answer }
    answer.headers["Sec-WebSocket-Accept"] = offer.accepted().headers["Sec-WebSocket-Accept"]
    return answer
  }

  private func sayGoodbye(_ code: Int?, _ reason: String) {
    hasSaidGoodbye = true
    guard let code else {
      for rest in coding.ended() { take(http.on(.bodyWritten(rest))) }
      return take(http.on(.responseEnded))
    }
    if WebSocketCloseCode.isSendable(code) {
      send(.closeSent(code: code, reason: reason))
    } else {
      send(.frameSent(.close(code: code, reason: reason)))
    }
  }
}

extension SSEMessage {
  fileprivate init(_ event: Traffic.StreamEvent) {
    self.init()
    (id, self.event, retry, data) = (event.id, event.name, event.retry, event.data)
  }
}

extension HTTPResponse {
  fileprivate init(_ response: Exchange.Response) {
    var headers = HTTPHeaders()
    for field in response.headers { headers.add(field.name, field.value) }
    self.init(
      status: response.status, reason: response.reason, headers: headers, body: response.body)
  }
}

extension HTTPResponse {
  /// The response with its body as its Content-Encoding says: a trace has expanded bodies. The name
  /// of a secret may be longer than the secret.
  fileprivate var compressed: HTTPResponse {
    let codings = ContentCoding.all(in: headers)
    // Without the library, the client that is to expand the body says so.
    guard !body.isEmpty, codings.allSatisfy({ $0.missingLibrary == nil }) else { return self }
    var response = self
    response.body = Protocols.compressed(body, by: codings)
    if let length = headers["Content-Length"], length != String(response.body.count) {
      response.headers["Content-Length"] = String(response.body.count)
    }
    return response
  }
}

extension HTTPRequest {
  init(_ request: Exchange.Request) {
    var headers = HTTPHeaders()
    for field in request.headers { headers.add(field.name, field.value) }
    self.init(
      method: request.method, target: request.target, headers: headers, body: request.body)
  }
}
