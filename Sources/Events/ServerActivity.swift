import Values

/// An activity of an endpoint on a connection, or its observation.
package enum ServerActivity: Sendable {
  /// A complete answer.
  case answered(status: Int, type: String?, bytes: Int, issued: IssuedTexts = IssuedTexts())
  /// The head of an answer with a streamed body.
  case streamed(status: Int, type: String?)
  /// The end of HTTP on the connection, which speaks WebSocket from now on.
  case upgraded(protocol: String?)
  case sentEvent(SentEvent)
  case sentMessage(Value)
  /// Raw bytes without framing.
  case sentBytes(Int)
  /// The orderly end of a stream or a WebSocket.
  case saidGoodbye(code: Int?, reason: String)
  /// A deliberate break of the connection.
  case brokeOff
  /// A request that browsers make by themselves and that no entry answers: its method and path.
  case ignored(method: String, path: String)
  /// A request by which a browser asks whether a page may send another one.
  case preflight(method: String, path: String)
  /// Received bytes that break the protocol or its limits.
  case misunderstood(String)
}

/// The texts that a mock has issued with an answer, so that it is known as the scenario's own.
package struct IssuedTexts: Sendable {
  /// The most bytes of a body that are kept.
  package static let mostBytes = 1 << 14
  /// The body; empty if it is longer than what is kept.
  package var body: [UInt8]
  /// The lines that set cookies.
  package var cookies: [String]

  package init(body: [UInt8] = [], cookies: [String] = []) {
    self.body = body.count <= IssuedTexts.mostBytes ? body : []
    self.cookies = cookies
  }
}

/// An event of a stream, as an endpoint sends it.
package struct SentEvent: Sendable {
  package var name: String?
  package var id: String?
  package var data: Value?
  package var comment: String?

  package init(name: String?, id: String?, data: Value?, comment: String?) {
    self.name = name
    self.id = id
    self.data = data
    self.comment = comment
  }
}
