/// An event of a parser, in the order of the bytes.
package enum HTTPEvent: Sendable, Equatable {
  /// The head of a request; its body follows in pieces.
  case request(HTTPRequest)
  /// The head of a response; its body follows in pieces.
  case response(HTTPResponse)
  /// A head before the final response, such as `100 Continue`; it has no body.
  case informational(HTTPResponse)
  /// A piece of the body, cut anywhere.
  case body([UInt8])
  /// The message is complete; without keep-alive it was the last one.
  case end(keepAlive: Bool)
  /// The message is complete, and asks for another protocol or agrees to it.
  case upgrade
  /// Bytes after an upgrade, unchanged.
  case foreign([UInt8])
  /// The bytes are not HTTP; nothing follows.
  case problem(HTTPProblem)
}

/// How much of an answer has arrived.
package enum AnswerProgress: Sendable, Equatable {
  case nothing
  /// A part of the head, with this many bytes of lines.
  case head(bytes: Int)
  /// The head, and a part of a body with a length or without.
  case body(AnswerLine, bytes: Int, of: Int?)
  /// The head, and chunks of the body.
  case chunks(AnswerLine, bytes: Int, isInside: Bool)

  /// The status of an answer, and the text beside it.
  package struct AnswerLine: Sendable, Equatable {
    package var status: Int
    package var reason: String
  }
}

/// A parser of requests. Bytes go in, events come out; they do not depend on how the bytes are cut.
package struct HTTPRequestParser: Sendable {
  private var core = HTTPParserCore(.request)

  package init() {}

  package mutating func receive(_ bytes: [UInt8]) -> [HTTPEvent] {
    core.receive(bytes)
  }

  /// True if a head has begun and is not complete.
  package var isInHead: Bool { core.isInHead }

  /// Ends the input.
  package mutating func finish() -> [HTTPEvent] {
    core.finish()
  }

  /// Continues with HTTP after an upgrade that was declined, beginning with the bytes after it.
  package mutating func declineUpgrade(rest: [UInt8]) -> [HTTPEvent] {
    core.resume(with: rest)
  }
}

/// A parser of responses. Bytes go in, events come out; they do not depend on how the bytes are
/// cut.
package struct HTTPResponseParser: Sendable {
  private var core = HTTPParserCore(.response)

  package init() {}

  /// Announces the request of the next response: a response to HEAD has no body, and one to CONNECT
  /// opens a tunnel. An unannounced response is a problem. The body of a streaming response may
  /// have any length, because nobody keeps it whole.
  package mutating func expectResponse(to method: String, streams: Bool = false) {
    core.expectResponse(to: method, streams: streams)
  }

  package mutating func receive(_ bytes: [UInt8]) -> [HTTPEvent] {
    core.receive(bytes)
  }

  /// How much of the last answer has arrived.
  package var progress: AnswerProgress { core.progress }

  /// Ends the input, which completes a body without a length.
  package mutating func finish() -> [HTTPEvent] {
    core.finish()
  }
}
