import Events
import Protocols
import TextSearch
import World

/// The player of what one recorded client did on one connection.
final class Visitor {
  private let visit: RecordedVisits.Visit
  private unowned let visitors: Visitors
  private unowned let director: ReplayDirector
  private var line = Line.none
  private var http = HTTPClientConnection()
  private var socket: WebSocketConnection?
  private var nextInput = 0
  private var isScheduled = false
  /// True if an act is due and the answer before it has not arrived.
  private var isHeldBack = false
  private var previous: InputSchedule.Before?

  /// The connection. One that is gone is not made again.
  private enum Line {
    case none
    case made(any Transport)
    case gone
  }

  init(_ visit: RecordedVisits.Visit, _ visitors: Visitors, _ director: ReplayDirector) {
    self.visit = visit
    self.visitors = visitors
    self.director = director
  }

  private var transport: (any Transport)? {
    if case .made(let transport) = line { transport } else { nil }
  }

  /// True if it has something left to do.
  var mayAct: Bool {
    if case .gone = line { false } else { next != nil }
  }

  private var next: RecordedVisits.Input? {
    nextInput < visit.inputs.count ? visit.inputs[nextInput] : nil
  }

  /// Sets a timer for the next act, or waits until the endpoint has sent what came before it.
  func schedule() {
    guard !isScheduled, let input = next else { return }
    isScheduled = true
    guard let due = director.due(input.due, at: visit.endpoint, after: previous) else {
      isScheduled = false
      return visitors.wait(self, for: input.due.seen ?? 0, from: visit.endpoint)
    }
    director.perform(at: due, position: input.due.position) { [self] in
      isHeldBack = true
      actIfReady()
    }
  }

  /// Does what is due, unless it needs an answer that is still on its way.
  private func actIfReady() {
    guard isHeldBack, let input = next, isReady(for: input.act) else { return }
    (isHeldBack, isScheduled) = (false, false)
    nextInput += 1
    previous = InputSchedule.Before(recorded: input.due.time, now: visitors.loop.now)
    perform(input.act)
    schedule()
  }

  private func isReady(for act: RecordedVisits.Act) -> Bool {
    switch act {
    case .sends(.request): socket == nil && http.isIdle
    case .sends(.message), .sends(.ping), .sends(.pong), .pings: socket?.isOpen == true
    case .sends, .pipelines, .breaksRules: true
    }
  }

  private func perform(_ act: RecordedVisits.Act) {
    switch act {
    case .sends(let kind): perform(kind)
    case .pipelines(let request): pipeline(request)
    case .pings(let payload): send(.pingSent(payload))
    case .breaksRules: breakRules()
    }
  }

  private func perform(_ kind: Traffic.Kind) {
    switch kind {
    case .request(let request): send(request)
    case .message(.bytes(let bytes)): send(.messageSent(.binary(bytes)))
    case .message(let text): send(.messageSent(.text(text.plainText)))
    case .ping(let payload): send(.pingSent(payload))
    case .pong(let payload): send(.pongSent(payload))
    case .bytes(let bytes):
      connect()
      transport?.send(bytes)
    case .left(let code?, let reason): leave(code, reason)
    // What was asked may still be answered: only the sending side ends.
    case .left: transport?.shutDownWriting()
    case .reset, .drop: transport?.abort()
    case .response, .stream, .upgrade, .event, .comment, .retry, .id, .cutEvent, .line, .goodbye,
      .unreachable:
      break
    }
  }

  func invalidate() {
    transport?.onEvent = nil
    line = .gone
  }
}

// Sending.
extension Visitor {
  private func send(_ request: Exchange.Request) {
    connect()
    for case .send(let bytes) in http.on(.requestSent(sendable(request), streams: true)) {
      transport?.send(bytes)
    }
  }

  private func pipeline(_ request: Exchange.Request) {
    connect()
    if case .success(let bytes) = sendable(request).encoded() { transport?.send(bytes) }
  }

  private func sendable(_ request: Exchange.Request) -> HTTPRequest {
    var sent = HTTPRequest(request)
    sent.target = encoded(sent.target)
    if !sent.body.isEmpty, let length = sent.headers["Content-Length"],
      length != String(sent.body.count)
    {
      sent.headers["Content-Length"] = String(sent.body.count)
    }
    // Only this version may leave it out.
    if !sent.headers.contains("Host") { sent.version = .http10 }
    return sent
  }

  private func connect() {
    guard case .none = line,
      let transport = visitors.connect(to: visit.endpoint, as: visit.number)
    else { return }
    line = .made(transport)
    transport.onEvent = { [unowned self] event in receive(event) }
  }

  private func send(_ input: WebSocketConnection.Input) {
    guard let socket else { return }
    for action in socket.on(input) { take(action) }
  }

  private func leave(_ code: Int, _ reason: String) {
    if code == WebSocketCloseCode.none { return send(.closeSent(code: nil, reason: "")) }
    if WebSocketCloseCode.isSendable(code) {
      send(.closeSent(code: code, reason: reason))
    } else {
      send(.frameSent(.close(code: code, reason: reason)))
    }
  }

  /// Sends bytes that neither protocol has: as a frame, all reserved bits are set.
  private func breakRules() {
    connect()
    transport?.send([0xFF, 0xFF, 0x0D, 0x0A, 0x0D, 0x0A])
  }

  /// Returns a target in ASCII. The name that stands for a secret is not.
  private func encoded(_ target: String) -> String {
    guard !target.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else { return target }
    return target.utf8.map { byte in
      byte > 0x20 && byte < 0x7F
        ? String(UnicodeScalar(byte)) : "%" + hexadecimal(byte >> 4) + hexadecimal(byte & 0xF)
    }.joined()
  }

  private func hexadecimal(_ digit: UInt8) -> String {
    String(digit, radix: 16, uppercase: true)
  }
}

// Receiving.
extension Visitor {
  private func receive(_ event: TransportEvent) {
    switch event {
    case .connected, .writable: break
    case .received(let bytes): for action in http.on(.bytesReceived(bytes)) { take(action) }
    case .ended, .halfClosed: if next == nil { transport?.close() }
    case .failed: line = .gone
    }
    actIfReady()
  }

  private func take(_ action: HTTPClientConnection.Action) {
    switch action {
    case .upgrade: upgrade()
    case .passOn(let bytes): send(.bytesReceived(bytes))
    case .send, .deliver, .headArrived, .bodyArrived, .bodyEnded, .fail, .refuse, .close, .abort:
      break
    }
  }

  private func upgrade() {
    let socket = WebSocketConnection(role: .client)
    // The trace has the pongs.
    socket.answersPings = false
    self.socket = socket
  }

  private func take(_ action: WebSocketConnection.Action) {
    switch action {
    case .send(let bytes): transport?.send(bytes)
    case .close: transport?.close()
    case .deliver, .pingArrived, .pongArrived, .closeArrived, .fail, .refuse: break
    }
  }
}
