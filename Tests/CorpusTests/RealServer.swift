import Glibc
import Protocols
import Synchronization
import World

@testable import LiveWorld

/// A server as real endpoints are: with sockets and a thread of its own. It answers every request
/// with the path that was asked for.
final class RealServer: @unchecked Sendable {
  let port: UInt16
  /// The text of the certificate it shows, if it shows one.
  private(set) var certificate: [UInt8]?

  // All of this belongs to the thread once it was started.
  private let loop: EventLoop
  private let network: SocketNetwork
  private let isOver = Atomic(false)

  init?(isSecure: Bool = false) {
    guard let loop = EventLoop(Scheduler()) else { return nil }
    self.loop = loop
    network = SocketNetwork(on: loop)
    if isSecure, let identity = try? TLSIdentity.selfSigned(for: ["localhost"]).get() {
      network.places["server"] = ListeningPlace(security: TLSServer(identity))
      if case .text(let text) = identity { certificate = text }
    }
    let holder = LinkHolder()
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

  func stop() { isOver.store(true, ordering: .relaxed) }
}

/// The connections of a server, and what is answered on them.
private final class LinkHolder {
  private final class Link {
    let transport: any Transport
    var state = HTTPServerConnection()

    init(_ transport: any Transport) { self.transport = transport }
  }

  private var links: [Link] = []

  func take(_ transport: any Transport) {
    let link = Link(transport)
    links.append(link)
    transport.onEvent = { [self, unowned link] event in
      switch event {
      case .received(let bytes): perform(link.state.on(.bytesReceived(bytes)), link)
      case .ended: perform(link.state.on(.closed), link)
      case .connected, .writable, .failed: break
      }
    }
  }

  private func perform(_ actions: [HTTPServerConnection.Action], _ link: Link) {
    for action in actions {
      switch action {
      case .requestArrived(let request):
        let body = Array("{\"asked\":\"\(request.target)\"}".utf8)
        let response = HTTPResponse(
          status: 200, headers: ["Content-Type": "application/json"], body: body)
        perform(link.state.on(.responded(response)), link)
      case .send(let bytes): link.transport.send(bytes)
      case .close: link.transport.close()
      case .cancelled, .refuse, .fail, .passOn: break
      }
    }
  }
}
