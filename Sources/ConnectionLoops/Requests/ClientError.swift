import LiveConnections
import Protocols

/// The reason why a client could not do what it was asked for.
public enum ClientError: Error, Sendable, Equatable {
  // The client was in another state.
  case alreadyConnected
  case stillConnecting
  case notConnected
  /// The client was terminated.
  case terminated
  /// `disconnect` was called meanwhile.
  case disconnected
  /// The task that waited was cancelled.
  case cancelled
  /// The client's loop was stopped.
  case loopStopped
  /// The request cannot be sent; with the rule that it breaks.
  case request(String)
  /// The server answered with a status that was not asked for. The body has at most
  /// `keptBodyBytes` bytes.
  case status(ClientResponse)
  /// The server answered with content of another type or encoding.
  case content(ClientResponse)
  /// The body of the answer does not fit the type that was asked for.
  case undecodable(ClientResponse, problem: String)
  /// A redirect without a target, or one too many, under its stable name.
  case redirect(String)
  /// The answer to a WebSocket's handshake broke a rule, under its stable name.
  case handshake(String)
  /// There is no connection: the server refused it, is unknown or untrusted, or the connection was
  /// lost.
  case connection(ConnectionFailure)
  /// The server ended the connection with a close frame, or without one (1006).
  case closed(code: Int, reason: String)
  /// The server ended the stream in good order.
  case streamEnded
  /// Frames broke a rule of the protocol, under its stable name.
  case invalidFrames(String)
  /// Nothing arrived for longer than the client waits.
  case timedOut
  /// An event, or the body of an answer, was larger than the client accepts.
  case tooLarge

  /// The most bytes that are kept of the body of an answer that was not asked for.
  public static let keptBodyBytes = 65_536

  /// The server's answer, if it is the reason.
  public var response: ClientResponse? {
    switch self {
    case .status(let response), .content(let response), .undecodable(let response, _): response
    case .alreadyConnected, .stillConnecting, .notConnected, .terminated, .disconnected,
      .cancelled, .loopStopped, .request, .redirect, .handshake, .connection, .closed,
      .streamEnded, .invalidFrames, .timedOut, .tooLarge:
      nil
    }
  }
}

extension ClientError: CustomStringConvertible {
  /// A sentence for people.
  public var description: String {
    switch self {
    case .alreadyConnected: "the client is already connected"
    case .stillConnecting: "the client is still connecting"
    case .notConnected: "the client is not connected"
    case .terminated: "the client was terminated"
    case .disconnected: "the client was disconnected meanwhile"
    case .cancelled: "the task was cancelled"
    case .loopStopped: "the loop of the client was stopped"
    case .request(let rule): "the request cannot be sent: \(rule)"
    case .status(let response):
      "the server answered with status \(response.status) \(response.reason)"
    case .content(let response):
      "the server answered with content of the type "
        + (response.headers["Content-Type"] ?? "that it does not name")
    case .undecodable(_, let problem): "the answer does not fit the type: \(problem)"
    case .redirect(let problem): "the server redirected in a wrong way: \(problem)"
    case .handshake(let rule): "the server broke a rule of the handshake: \(rule)"
    case .connection(let failure):
      (["no connection", failure.reason, failure.problem, failure.message] as [String?])
        .compactMap(\.self).joined(separator: ": ")
    case .closed(let code, let reason):
      "the server closed the connection with code \(code)" + (reason.isEmpty ? "" : ": \(reason)")
    case .streamEnded: "the server ended the stream"
    case .invalidFrames(let rule): "the server broke a rule of WebSockets: \(rule)"
    case .timedOut: "the server was silent for too long"
    case .tooLarge: "the server sent more than the client accepts"
    }
  }
}

extension ClientError {
  init(_ refusal: ConnectionRefusal) {
    switch refusal {
    case .alreadyConnected: self = .alreadyConnected
    case .stillConnecting: self = .stillConnecting
    case .notConnected: self = .notConnected
    case .terminated: self = .terminated
    }
  }

  /// The error of a stream or a request, with the answer that is its reason.
  init(_ error: EventStreamError, _ response: HTTPResponse?) {
    switch error {
    case .status(let status, let reason):
      self = .status(ClientResponse(response ?? HTTPResponse(status: status, reason: reason)))
    case .contentType, .contentEncoding:
      self = .content(ClientResponse(response ?? HTTPResponse(status: 200)))
    case .connection(let failure): self = .connection(failure)
    case .request(let problem): self = .request(problem)
    case .redirect(let problem): self = .redirect(problem)
    case .idleTimeout: self = .timedOut
    case .eventTooLarge: self = .tooLarge
    case .loopStopped: self = .loopStopped
    }
  }

  init(_ error: WebSocketError, _ response: HTTPResponse?) {
    switch error {
    case .status(let status, let reason):
      self = .status(ClientResponse(response ?? HTTPResponse(status: status, reason: reason)))
    case .handshake(let rule): self = .handshake(rule)
    case .connection(let failure): self = .connection(failure)
    case .request(let problem): self = .request(problem)
    case .unexpectedDisconnection(let code, let reason): self = .closed(code: code, reason: reason)
    case .receiveFailed(let rule): self = .invalidFrames(rule)
    case .pongTimeout, .idleTimeout: self = .timedOut
    case .loopStopped: self = .loopStopped
    }
  }
}
