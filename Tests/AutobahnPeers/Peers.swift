import Glibc
import Protocols
import World

/// Runs all cases of an Autobahn `fuzzingserver` on a port of this machine, and returns 0 if the
/// server answered. The results are in the reports of the suite.
func autobahnClient(port: String?) -> Int32 {
  guard let port = port.flatMap(UInt16.init) else { return usage() }
  guard let count = CaseClient(port: port, target: "/getCaseCount").firstMessage(),
    case .text(let digits) = count, let cases = Int(digits)
  else {
    print("no fuzzingserver answers on port \(port)")
    return 1
  }
  for number in 1...max(cases, 1) {
    CaseClient(port: port, target: "/runCase?case=\(number)&agent=\(agent)").echo()
  }
  CaseClient(port: port, target: "/updateReports?agent=\(agent)").echo()
  print("ran \(cases) cases")
  return 0
}

/// Echoes to an Autobahn `fuzzingclient` until no connection arrives for ten seconds, and returns 0
/// if there was one.
func autobahnServer(port: String?) -> Int32 {
  guard let port = port.flatMap(UInt16.init) else { return usage() }
  guard let listener = LoopbackSocket.listening(on: port) else {
    print("port \(port) is taken")
    return 1
  }
  var connections = 0
  print("listening on port \(port)")
  fflush(nil)
  while let socket = listener.accepted() {
    serve(socket)
    connections += 1
  }
  print("served \(connections) connections")
  return connections > 0 ? 0 : 1
}

private let agent = "rehearse"

/// One connection to the fuzzing server.
private final class CaseClient {
  private let port: UInt16
  private let handshake: WebSocketHandshake

  init(port: UInt16, target: String) {
    var chance = SeededRandom(seed: 1).stream(target)
    self.port = port
    handshake = WebSocketHandshake(
      key: chance.bytes(16), host: "127.0.0.1:\(port)", target: target)
  }

  func echo() {
    open()?.run { [.messageSent($0)] }
  }

  func firstMessage() -> WebSocketPayload? {
    var first: WebSocketPayload?
    open()?.run { message in
      first = first ?? message
      return []
    }
    return first
  }

  private func open() -> OpenSocket? {
    guard let socket = LoopbackSocket.connected(to: port) else { return nil }
    var http = HTTPClientConnection()
    var actions = http.on(.requestSent(handshake.request))
    while true {
      if let open = upgraded(actions, socket) { return open }
      for case .send(let bytes) in actions { socket.send(bytes) }
      guard !http.isOver, case .bytes(let bytes) = socket.receive() else { return nil }
      actions = http.on(.bytesReceived(bytes))
    }
  }

  private func upgraded(
    _ actions: [HTTPClientConnection.Action], _ socket: LoopbackSocket
  ) -> OpenSocket? {
    for case .upgrade(let response) in actions {
      guard case .success = handshake.check(response) else { return nil }
      let keys = MaskKeys()
      let connection = WebSocketConnection(role: .client) { keys.next() }
      let early = actions.reduce(into: [UInt8]()) { early, action in
        if case .passOn(let bytes) = action { early += bytes }
      }
      return OpenSocket(connection: connection, socket: socket, early: early)
    }
    return nil
  }
}

/// The mask keys of one connection. It is a final class, since a closure keeps it.
private final class MaskKeys {
  private var chance = SeededRandom(seed: 2)

  func next() -> UInt32 { UInt32(truncatingIfNeeded: chance.next()) }
}

private func serve(_ socket: LoopbackSocket) {
  var http = HTTPServerConnection()
  while case .bytes(let bytes) = socket.receive() {
    for action in http.on(.bytesReceived(bytes)) {
      guard case .requestArrived(let request) = action else { continue }
      let answer: HTTPResponse
      switch WebSocketOffer.check(request) {
      case .success(let offer): answer = offer.accepted()
      case .failure(let problem): answer = problem.answer
      }
      var early: [UInt8] = []
      for action in http.on(.responded(answer)) {
        if case .send(let bytes) = action { socket.send(bytes) }
        if case .passOn(let bytes) = action { early += bytes }
      }
      guard answer.status == 101 else { return socket.leave() }
      let connection = WebSocketConnection(role: .server)
      return OpenSocket(connection: connection, socket: socket, early: early)
        .run { [.messageSent($0)] }
    }
  }
}

/// A WebSocket after its handshake, on a socket.
private struct OpenSocket {
  let connection: WebSocketConnection
  let socket: LoopbackSocket
  let early: [UInt8]

  /// Receives until the WebSocket is over, and sends the answers to each message.
  func run(_ answer: (WebSocketPayload) -> [WebSocketConnection.Input]) {
    take(.bytesReceived(early), answer)
    while !connection.isOver {
      switch socket.receive() {
      case .bytes(let bytes): take(.bytesReceived(bytes), answer)
      case .ended: take(.closed, answer)
      case .failed: take(.reset, answer)
      }
    }
  }

  private func take(
    _ input: WebSocketConnection.Input,
    _ answer: (WebSocketPayload) -> [WebSocketConnection.Input]
  ) {
    for action in connection.on(input) {
      switch action {
      case .send(let bytes): socket.send(bytes)
      case .deliver(let message): for input in answer(message) { take(input, answer) }
      case .close: socket.leave()
      case .pingArrived, .pongArrived, .closeArrived, .fail, .refuse: break
      }
    }
  }
}
