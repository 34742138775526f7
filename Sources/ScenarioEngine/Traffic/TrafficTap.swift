import Events
import Protocols
import Values
import World

/// The reader of both directions of one connection. It makes messages of the bytes and changes
/// nothing.
///
/// It reports what the running side sent and received, at the time at which it did.
final class TrafficTap {
  private enum Mode {
    case http
    case webSocket(server: FramedReader, client: FramedReader)

    var isHTTP: Bool { if case .http = self { true } else { false } }
  }

  private enum Payload {
    case none, events, lines
  }

  private let side: Traffic.Side
  private let report: (Traffic.Kind, Traffic.Side) -> Void
  private var mode = Mode.http
  private var requests = HTTPServerConnection()
  private var responses = HTTPClientConnection()
  private var payload = Payload.none
  private var isCompressed = false
  private var response: HTTPResponse?
  private var events = SSEPartReader()
  private var lines = NDJSONDecoder()
  /// The bytes of the server since the last that was reported of it.
  private var unread: [UInt8] = []
  /// The same of a client that is not ours. One of ours keeps to the rules.
  private var unreadOfClient = UnreadRequests()
  private var isConnected = false
  /// True while an exchange, a stream or a WebSocket is under way.
  private var isOpen = false
  /// True if the client sends no more, and its request still waits for an answer.
  private var awaitsAnswer = false
  /// True if the request under way got lost: the connection breaks.
  var isLost = false

  init(_ side: Traffic.Side, _ report: @escaping (Traffic.Kind, Traffic.Side) -> Void) {
    self.side = side
    self.report = report
  }

  private var peer: Traffic.Side { side == .client ? .server : .client }

  private func note(_ kind: Traffic.Kind, _ sender: Traffic.Side) {
    if !kind.isHeartbeat {
      if sender == .server { unread = [] } else { unreadOfClient.take(kind) }
    }
    report(kind, sender)
  }

  /// Reads bytes that the running side sends.
  func send(_ bytes: [UInt8]) {
    if side == .client { takeFromClient(bytes) } else { takeFromServer(bytes) }
  }

  func receive(_ event: TransportEvent) {
    switch event {
    case .connected: isConnected = true
    case .writable: break
    case .received(let bytes):
      isConnected = true
      if side == .client { takeFromServer(bytes) } else { takeFromClient(bytes) }
    case .ended: peerEnded()
    case .halfClosed: if !(isOpen && mode.isHTTP) { peerEnded() }
    case .failed(let failure): peerFailed(failure)
    }
  }

  /// The running side ends the connection: in the middle of something, it drops, resets or leaves.
  func end(_ how: Traffic.Kind) {
    if side == .server { finishBody() }
    awaitsAnswer = false
    guard isOpen else { return }
    isOpen = false
    if isLost { return note(.reset, peer) }
    note(side == .client ? .left(code: nil, reason: "") : how, side)
  }
}

// What the client sends.
extension TrafficTap {
  private func takeFromClient(_ bytes: [UInt8]) {
    switch mode {
    case .http: takeRequest(bytes)
    case .webSocket(let server, _): takeFrames(bytes, server)
    }
  }

  private func takeRequest(_ bytes: [UInt8]) {
    if side == .server { unreadOfClient.add(bytes) }
    let actions = requests.on(.bytesReceived(bytes))
    take(actions)
    if actions.contains(where: \.isFailure) { noteUnreadRequest() }
  }

  /// Notes what a client sent of a request that breaks the rules or is cut; false if there is
  /// nothing.
  @discardableResult
  private func noteUnreadRequest() -> Bool {
    let bytes = unreadOfClient.takeRest()
    if bytes.isEmpty { return false }
    note(.bytes(bytes), .client)
    return true
  }

  /// Notes the part of a head that arrived before its time was over.
  func cutHead() { noteUnreadRequest() }

  private func takeFrames(_ bytes: [UInt8], _ server: FramedReader) {
    guard side == .server else {
      return take(server.connection.on(.bytesReceived(bytes)), from: .client)
    }
    for piece in server.cutter.pieces(of: bytes) where !server.connection.isOver {
      unreadOfClient.add(piece.bytes)
      let actions = server.connection.on(.bytesReceived(piece.bytes))
      take(actions, from: .client)
      if actions.contains(where: \.isFailure) {
        let frames = unmaskedFrames(unreadOfClient.takeAll())
        if !frames.isEmpty { note(.bytes(frames), .client) }
      }
      server.note(piece, actions, &unreadOfClient.bytes)
    }
  }

  private func take(_ actions: [HTTPServerConnection.Action]) {
    for case .requestArrived(let request) in actions {
      isOpen = true
      note(.request(Exchange.Request(request)), .client)
      _ = responses.on(.requestSent(request.shortened, streams: true))
    }
  }

  private func take(_ actions: [WebSocketConnection.Action], from sender: Traffic.Side) {
    for action in actions {
      switch action {
      case .deliver(.text(let text)): note(.message(.string(text)), sender)
      case .deliver(.binary(let bytes)): note(.message(.bytes(bytes)), sender)
      case .pingArrived(let bytes): note(.ping(bytes), sender)
      case .pongArrived(let bytes): note(.pong(bytes), sender)
      case .closeArrived(let code, let reason): close(code, reason, sender)
      case .send, .fail, .refuse, .close: break
      }
    }
  }

  /// The first of two close frames ends the conversation. The other one only answers it.
  private func close(_ code: Int, _ reason: String, _ sender: Traffic.Side) {
    guard isOpen else { return }
    isOpen = false
    note(
      sender == .client ? .left(code: code, reason: reason) : .goodbye(code: code, reason: reason),
      sender)
  }
}

// What the server sends.
extension TrafficTap {
  private func takeFromServer(_ bytes: [UInt8]) {
    switch mode {
    case .http: takeAnswer(bytes)
    case .webSocket(_, let client): take(bytes, client)
    }
  }

  private func takeAnswer(_ bytes: [UInt8]) {
    guard !responses.isOver else { return }
    let before = responses
    unread += bytes
    let actions = responses.on(.bytesReceived(bytes))
    take(actions)
    guard actions.contains(where: \.isFailure) else { return }
    // A stream has reported most of it. What is expanded cannot be read twice.
    if payload != .none, !isCompressed { unread = before.bytesAfterBody(of: bytes) }
    noteUnread()
    // The client leaves because of the bytes, and a mock that sent them has ended the connection.
    (isOpen, awaitsAnswer) = (false, false)
  }

  private func take(_ bytes: [UInt8], _ client: FramedReader) {
    for piece in client.cutter.pieces(of: bytes) where !client.connection.isOver {
      unread += piece.bytes
      let actions = client.connection.on(.bytesReceived(piece.bytes))
      take(actions, from: .server)
      if actions.contains(where: \.isFailure) { noteUnread() }
      client.note(piece, actions, &unread)
    }
  }

  private func noteUnread() {
    if !unread.isEmpty { note(.bytes(unread), .server) }
  }

  private func take(_ actions: [HTTPClientConnection.Action]) {
    for action in actions {
      switch action {
      case .headArrived(let head): begin(head)
      case .bodyArrived(let bytes): read(bytes)
      case .bodyEnded: endBody()
      case .upgrade(let head): upgrade(head)
      case .passOn(let bytes): takeFromServer(bytes)
      case .send, .deliver, .fail, .refuse, .close, .abort: break
      }
    }
  }

  private func begin(_ head: HTTPResponse) {
    payload = TrafficTap.payload(of: head)
    isCompressed = !ContentCoding.all(in: head.headers).isEmpty
    guard payload == .none else { return note(.stream(Exchange.Response(head)), .server) }
    response = head
  }

  private static func payload(of head: HTTPResponse) -> Payload {
    guard head.status == 200 else { return .none }
    return switch mediaTypeName(head.headers["Content-Type"] ?? "") {
    case "text/event-stream": .events
    case "application/x-ndjson", "application/jsonl": .lines
    default: .none
    }
  }

  private func read(_ bytes: [UInt8]) {
    switch payload {
    case .none: response?.body += bytes
    case .events: for part in events.receive(bytes) { take(part) }
    case .lines: for item in lines.receive(bytes) { take(item) }
    }
    if payload != .none { unread = [] }
  }

  private func take(_ part: SSEPart) {
    switch part {
    case .event(let event):
      let name = event.event == "message" ? nil : event.event
      note(
        .event(
          Traffic.StreamEvent(name: name, id: event.id, data: event.data, retry: event.retry)),
        .server)
    case .comment(let text): note(.comment(text), .server)
    case .retry(let milliseconds): note(.retry(milliseconds), .server)
    case .id(let id): note(.id(id), .server)
    case .cut(let text): note(.cutEvent(text), .server)
    }
  }

  private func take(_ item: NDJSONItem) {
    if case .line(let text) = item { note(.line(text), .server) }
  }

  private func endBody() {
    (isOpen, awaitsAnswer) = (false, false)
    if payload == .lines { for item in lines.finish() { take(item) } }
    if payload == .events { for part in events.finish() { take(part) } }
    if let whole = response {
      note(.response(Exchange.Response(whole)), .server)
    } else {
      note(.goodbye(code: nil, reason: ""), .server)
    }
    (response, payload, lines) = (nil, .none, NDJSONDecoder())
    let actions = requests.on(.responded(HTTPResponse(status: 200)))
    take(actions)
    if actions.contains(where: \.isFailure) { noteUnreadRequest() }
    if requests.isBetweenRequests { unreadOfClient.takeMessage() }
  }

  private func upgrade(_ head: HTTPResponse) {
    note(.upgrade(Exchange.Response(head)), .server)
    unreadOfClient.takeMessage()
    mode = .webSocket(server: FramedReader(.server), client: FramedReader(.client))
  }
}

// Ends.
extension TrafficTap {
  /// A body without a length ends with its connection. Any other answer that has begun is cut.
  private func finishBody() {
    guard case .http = mode else { return }
    let actions = responses.on(.closed)
    take(actions)
    if payload == .none, actions.contains(where: \.isFailure) { noteUnread() }
  }

  private func peerEnded() {
    if side == .client { finishBody() }
    let isCut = noteCutRequest()
    guard isOpen || isCut else { return }
    (isOpen, awaitsAnswer) = (false, side == .server && isOpen)
    note(side == .client ? .drop : .left(code: nil, reason: ""), peer)
  }

  private func peerFailed(_ failure: TransportFailure) {
    defer { (isOpen, awaitsAnswer) = (false, false) }
    if !isConnected, side == .client, failure != .reset {
      return note(.unreachable(reason: failure.name, problem: failure.details), peer)
    }
    let isCut = noteCutRequest()
    if isOpen || awaitsAnswer || isCut { note(.reset, peer) }
  }

  /// Notes the part of a request after which its client left; false if no job is left.
  private func noteCutRequest() -> Bool {
    guard side == .server, case .http = mode, !requests.isOver else { return false }
    return noteUnreadRequest()
  }
}
