import Testing

@testable import Protocols

/// Carries one exchange from a client connection to a server connection and back.
struct `an exchange` {
  @Test func `a request and its response pass through both sides`() throws {
    var client = HTTPClientConnection()
    var server = HTTPServerConnection()
    let request = HTTPRequest(
      method: "POST", target: "/tasks?x=1", headers: ["Host": "api"], body: Array("{}".utf8))
    guard case .send(let out)? = client.on(.requestSent(request)).first else {
      Issue.record("nothing was sent")
      return
    }
    guard case .requestArrived(let arrived)? = server.on(.bytesReceived(out)).first else {
      Issue.record("nothing arrived")
      return
    }
    #expect(arrived.method == "POST")
    #expect(arrived.target == "/tasks?x=1")
    #expect(arrived.headers["content-length"] == "2")
    #expect(arrived.body == Array("{}".utf8))
    let response = HTTPResponse(status: 201, headers: ["X": "1"], body: Array("ok".utf8))
    guard case .send(let back)? = server.on(.responded(response)).first else {
      Issue.record("nothing was answered")
      return
    }
    guard case .deliver(let delivered)? = client.on(.bytesReceived(back)).first else {
      Issue.record("nothing was delivered")
      return
    }
    #expect(delivered.status == 201)
    #expect(delivered.reason == "Created")
    #expect(delivered.body == Array("ok".utf8))
    #expect(client.isIdle)
  }
}
