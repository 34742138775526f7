import Testing
import World

@testable import LiveWorld

@Suite struct `a way through a proxy` {
  let world: Loopback

  init() throws { world = try Loopback() }

  /// A proxy that answers with this, and then says what it is told.
  func proxy(answering answer: String, authorization: String? = nil) -> Party {
    let isListening = world.listen(at: "proxy") { party in
      party.then = { [unowned party] event in
        guard case .received(let bytes) = event else { return }
        let isFirst = party.received.count == bytes.count
        party.send(isFirst ? answer : String(decoding: bytes, as: UTF8.self))
      }
    }
    #expect(isListening)
    var destination = Destination(.internet(host: "127.0.0.1", port: 0))
    destination.tunnel = TunnelRequest(
      to: "far.example:443", authorization: authorization)
    world.network.destinations["proxy"] = destination
    return world.connect(to: "proxy")
  }

  @Test func `is connected when the proxy is, and carries what was sent before`() {
    let client = proxy(
      answering: "HTTP/1.1 200 Go ahead\r\nVia: me\r\n\r\n", authorization: "Basic YTpiY2Q=")
    client.send("hello")
    #expect(world.run { client.text == "hello" })
    #expect(client.lines == ["connected"])
    #expect(
      world.accepted[0].text == "CONNECT far.example:443 HTTP/1.1\r\nHost: far.example:443\r\n"
        + "Proxy-Authorization: Basic YTpiY2Q=\r\n\r\nhello")
  }

  @Test(arguments: [
    ("HTTP/1.1 403 Forbidden\r\n\r\n", "HTTP/1.1 403 Forbidden"), ("220 mail\r\n\r\n", "220 mail"),
  ])
  func `is none where the proxy refuses, and says how`(answer: String, words: String) {
    let client = proxy(answering: answer)
    client.send("hello")
    #expect(world.run { client.isOver })
    #expect(client.failure == .proxyRefused(words))
  }
}
