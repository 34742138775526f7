/// What a parser found, in the order of the bytes.
package enum HTTPEvent: Sendable, Equatable {
  /// The head of a request; its body follows in pieces.
  case request(HTTPRequest)
  /// The head of a response; its body follows in pieces.
  case response(HTTPResponse)
  /// A head that comes before the response proper, such as `100 Continue`; it has no body.
  case informational(HTTPResponse)
  /// A piece of the body, cut wherever the bytes happened to be cut.
  case body([UInt8])
  /// The message is complete; without keep-alive it was the last one.
  case end(keepAlive: Bool)
  /// The message is complete and asks for, or agrees to, another protocol.
  case upgrade
  /// Bytes behind an upgrade, untouched.
  case foreign([UInt8])
  /// The bytes are not HTTP; nothing follows.
  case problem(HTTPProblem)
}

/// Reads requests: bytes in, events out, the same ones however the bytes are cut.
package struct HTTPRequestParser: Sendable {
  private var core = HTTPParserCore(.request)

  package init() {}

  package mutating func receive(_ bytes: [UInt8]) -> [HTTPEvent] {
    core.receive(bytes)
  }

  /// True if a head has begun and is not complete.
  package var isInHead: Bool { core.isInHead }

  /// Tells that no more bytes will come.
  package mutating func finish() -> [HTTPEvent] {
    core.finish()
  }

  /// Goes on with HTTP after an upgrade that was declined, beginning with the bytes behind it.
  package mutating func declineUpgrade(rest: [UInt8]) -> [HTTPEvent] {
    core.resume(with: rest)
  }
}

/// Reads responses: bytes in, events out, the same ones however the bytes are cut.
package struct HTTPResponseParser: Sendable {
  private var core = HTTPParserCore(.response)

  package init() {}

  /// Tells which request the next response answers: a response to HEAD has no body, and one to
  /// CONNECT opens a tunnel. A response nobody asked for is a problem. The body of a response that
  /// streams may be of any length: nobody keeps it whole.
  package mutating func expectResponse(to method: String, streams: Bool = false) {
    core.expectResponse(to: method, streams: streams)
  }

  package mutating func receive(_ bytes: [UInt8]) -> [HTTPEvent] {
    core.receive(bytes)
  }

  /// Tells that no more bytes will come, which completes a body without a length.
  package mutating func finish() -> [HTTPEvent] {
    core.finish()
  }
}
