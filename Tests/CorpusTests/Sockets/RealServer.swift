import Glibc
import Protocols
import Synchronization
import World

@testable import LiveWorld

/// The response of a server to a request.
enum RealAnswer: Sendable {
  case response(HTTPResponse)
  /// These bytes unchanged, and then the end of the connection.
  case bytes([UInt8])
}

/// A request, its connection and its place on it, both counted from 1.
struct RealRequest: Sendable {
  var http: HTTPRequest
  var connection: Int
  var turn: Int
}

/// A server like a real endpoint: with sockets and a thread of its own. By default it answers every
/// request with its path.
final class RealServer: @unchecked Sendable {
  let port: UInt16
  /// The text of the certificate it shows, if it shows one.
  private(set) var certificate: [UInt8]?

  // All of this belongs to the thread once it was started.
  private let loop: EventLoop
  private let network: SocketNetwork
  private let isOver = Atomic(false)

  init?(
    isSecure: Bool = false, at address: Address? = nil,
    answer: @escaping @Sendable (RealRequest) -> RealAnswer = RealServer.echo
  ) {
    guard let loop = EventLoop(Scheduler()) else { return nil }
    self.loop = loop
    network = SocketNetwork(on: loop)
    if isSecure, let identity = try? TLSIdentity.selfSigned(for: ["localhost"]).get() {
      network.places["server"] = ListeningPlace(security: TLSServer(identity))
      if case .text(let text) = identity { certificate = text }
    }
    if let address { network.places["server"] = ListeningPlace(address) }
    let holder = LinkHolder(answer)
    guard network.listen(at: "server", accept: { holder.take($0) }),
      let port = network.port(of: "server")
    else { return nil }
    self.port = port
    if !startDetachedThread({ self.serve() }) { return nil }
  }

  private func serve() {
    while !isOver.load(ordering: .relaxed) {
      if !loop.scheduler.runNext(upTo: loop.scheduler.now) {
        loop.poll(until: loop.scheduler.now + 5_000)
      }
    }
    network.discardAll()
    loop.scheduler.discardAll()
  }

  @Sendable static func echo(_ request: RealRequest) -> RealAnswer {
    let body = Array("{\"asked\":\"\(request.http.target)\"}".utf8)
    return .response(
      HTTPResponse(status: 200, headers: ["Content-Type": "application/json"], body: body))
  }

  func stop() { isOver.store(true, ordering: .relaxed) }
}

/// The connections of a server, and the responses on them.
private final class LinkHolder {
  private final class Link {
    let transport: any Transport
    let number: Int
    var state = HTTPServerConnection()
    var turn = 0

    init(_ transport: any Transport, _ number: Int) {
      self.transport = transport
      self.number = number
    }
  }

  private let answer: @Sendable (RealRequest) -> RealAnswer
  private var links: [Link] = []

  init(_ answer: @escaping @Sendable (RealRequest) -> RealAnswer) { self.answer = answer }

  func take(_ transport: any Transport) {
    let link = Link(transport, links.count + 1)
    links.append(link)
    transport.onEvent = { [self, unowned link] event in
      switch event {
      case .received(let bytes): perform(link.state.on(.bytesReceived(bytes)), link)
      case .ended, .halfClosed: perform(link.state.on(.closed), link)
      case .connected, .writable, .failed: break
      }
    }
  }

  private func perform(_ actions: [HTTPServerConnection.Action], _ link: Link) {
    for action in actions {
      switch action {
      case .requestArrived(let request):
        link.turn += 1
        switch answer(RealRequest(http: request, connection: link.number, turn: link.turn)) {
        case .response(let response): perform(link.state.on(.responded(response)), link)
        case .bytes(let bytes): sendLast(bytes, link.transport)
        }
      case .send(let bytes): link.transport.send(bytes)
      case .close: link.transport.close()
      case .cancelled, .refuse, .fail, .passOn: break
      }
    }
  }

  /// Sends bytes and the end of the connection as one segment, so that who has read the bytes knows
  /// of the end, however busy the machine is.
  private func sendLast(_ bytes: [UInt8], _ transport: any Transport) {
    if let socket = transport as? SocketTransport {
      var on: Int32 = 1
      let size = socklen_t(MemoryLayout<Int32>.size)
      setsockopt(socket.descriptor, Int32(IPPROTO_TCP), TCP_CORK, &on, size)
    }
    transport.send(bytes)
    transport.close()
  }
}
